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
  return second === undefined ? one(at.name, first) : at.args.length === 2 ? two(at.name, first, second) : none(at.name)
}

const none = (name: string): never => {
  throw new Fault('type', `${name} is no function that is known`)
}

function numeral(value: number, float: boolean): Numeral {
  if (!Number.isFinite(value) || !(float || Number.isSafeInteger(value)))
    throw new Fault('type', 'a number is too large or undefined')
  return { kind: 'number', value, float }
}

function one(name: string, { value, float }: Numeral): Numeral {
  switch (name) {
    case '-':
      return numeral(-value, float)
    case '+':
      return numeral(value, float)
    case 'abs':
      return numeral(Math.abs(value), float)
    case 'sign':
      return numeral(Math.sign(value), float)
    case 'truncate':
    case 'integer':
      return numeral(name === 'integer' ? Math.round(value) : Math.trunc(value), false)
    case 'floor':
      return numeral(Math.floor(value), false)
    case 'ceiling':
      return numeral(Math.ceil(value), false)
    case 'round':
      return numeral(Math.round(value), false)
    default:
      return none(name)
  }
}

function two(name: string, a: Numeral, b: Numeral): Numeral {
  const float = a.float || b.float
  switch (name) {
    case '+':
      return numeral(a.value + b.value, float)
    case '-':
      return numeral(a.value - b.value, float)
    case '*':
      return numeral(a.value * b.value, float)
    case '/':
      return numeral(a.value / b.value, float || a.value % b.value !== 0)
    case 'min':
      return a.value <= b.value ? a : b
    case 'max':
      return a.value >= b.value ? a : b
    case '**':
    case '^':
      return power(a, b)
    default:
      return whole(name, a, b)
  }
}

function whole(name: string, a: Numeral, b: Numeral): Numeral {
  if (a.float || b.float) throw new Fault('type', `${name} takes integers`)
  switch (name) {
    case '//':
      return numeral(Math.trunc(a.value / b.value), false)
    case 'div':
      return numeral(Math.floor(a.value / b.value), false)
    case 'mod':
      return numeral(a.value - b.value * Math.floor(a.value / b.value), false)
    case 'rem':
      return numeral(a.value % b.value, false)
    default:
      return none(name)
  }
}

/** Of integers alone: only they are the same on every machine. */
function power(a: Numeral, b: Numeral): Numeral {
  if (a.float || b.float || b.value < 0) throw new Fault('type', 'a power takes integers, the second not negative')
  if (Math.abs(a.value) < 2)
    return numeral(b.value === 0 ? 1 : a.value === -1 && b.value % 2 === 0 ? 1 : a.value, false)
  let product = 1
  for (let times = 0; times < b.value && Number.isSafeInteger(product); times++) product *= a.value
  return numeral(product, false)
}
