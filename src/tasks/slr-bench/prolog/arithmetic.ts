import { type Budget, Fault, MAX_TERM_DEPTH } from './limits.ts'
import type { Numeral, Term } from './terms.ts'

/**
 * The value of an expression.
 *
 * @throws Fault (type) where it has none: a variable, a name, a division by zero, an integer that is not safe.
 */
export function evaluate(term: Term, budget: Budget, depth = 0): Numeral {
  budget.spend()
  budget.enter(depth, MAX_TERM_DEPTH)
  const at = budget.deref(term)
  if (at.kind === 'number') return at
  if (at.kind !== 'compound') throw new Fault('type', 'an expression has a variable or a name in it')
  const [first, second] = at.args.map((arg) => evaluate(arg, budget, depth + 1))
  if (first === undefined) throw new Fault('type', `${at.name} is no function`)
  const found =
    second === undefined ? ONE.get(at.name)?.(first) : at.args.length === 2 ? two(at.name, first, second) : null
  if (found == null) throw new Fault('type', `${at.name} is no function that is known`)
  return found
}

function numeral(value: number, float: boolean): Numeral {
  if (!Number.isFinite(value) || !(float || Number.isSafeInteger(value)))
    throw new Fault('type', 'a number is too large or undefined')
  return { kind: 'number', value, float }
}

const ONE = new Map<string, (of: Numeral) => Numeral>([
  ['-', ({ value, float }) => numeral(-value, float)],
  ['+', ({ value, float }) => numeral(value, float)],
  ['abs', ({ value, float }) => numeral(Math.abs(value), float)],
  ['sign', ({ value, float }) => numeral(Math.sign(value), float)],
  ['truncate', ({ value }) => numeral(Math.trunc(value), false)],
  ['integer', ({ value }) => numeral(Math.round(value), false)],
  ['floor', ({ value }) => numeral(Math.floor(value), false)],
  ['ceiling', ({ value }) => numeral(Math.ceil(value), false)],
  ['round', ({ value }) => numeral(Math.round(value), false)],
])

const TWO = new Map<string, (a: Numeral, b: Numeral, float: boolean) => Numeral>([
  ['+', (a, b, float) => numeral(a.value + b.value, float)],
  ['-', (a, b, float) => numeral(a.value - b.value, float)],
  ['*', (a, b, float) => numeral(a.value * b.value, float)],
  ['/', (a, b, float) => numeral(a.value / b.value, float || a.value % b.value !== 0)],
  ['min', (a, b) => (a.value <= b.value ? a : b)],
  ['max', (a, b) => (a.value >= b.value ? a : b)],
])

/** null: no function of two numbers. */
function two(name: string, a: Numeral, b: Numeral): Numeral | null {
  const float = a.float || b.float
  const found = TWO.get(name)?.(a, b, float)
  const whole = WHOLE.get(name)
  if (found !== undefined || whole === undefined) return found ?? null
  if (float) throw new Fault('type', `${name} takes integers`)
  return numeral(whole(a.value, b.value), false)
}

/** Functions of integers alone; of powers, only those are the same on every machine. */
const WHOLE = new Map<string, (a: number, b: number) => number>([
  ['//', (a, b) => Math.trunc(a / b)],
  ['div', (a, b) => Math.floor(a / b)],
  ['mod', (a, b) => a - b * Math.floor(a / b)],
  ['rem', (a, b) => a % b],
  ['**', power],
  ['^', power],
])

function power(a: number, b: number): number {
  if (b < 0) throw new Fault('type', 'a power takes integers, the second not negative')
  if (Math.abs(a) < 2) return b === 0 ? 1 : a === -1 && b % 2 === 0 ? 1 : a
  let product = 1
  for (let times = 0; times < b && Number.isSafeInteger(product); times++) product *= a
  return product
}
