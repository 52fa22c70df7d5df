import { memoize } from '../../../core/index.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'

/**
 * Earley's algorithm (1970) on the rules as they are printed, without empty ones, a token at a time. Oracles use it: it shares
 * nothing with the generators, which work on spans of the grammar in Chomsky normal form.
 */

/** A rule with its first `dot` symbols done, begun at `origin`. */
interface Item {
  readonly rule: number
  readonly dot: number
  readonly origin: number
}
interface Column {
  /** Items by the symbol that they wait for. */
  readonly waiting: ReadonlyMap<string, readonly Item[]>
  /** Is what was read a string of the language? */
  readonly member: boolean
}

/** What was read so far: a column for every place. */
export type Reading = readonly Column[]

interface Shared {
  readonly grammar: string
}

const grammarOf = memoize(({ grammar }: Shared) => {
  const { start, rules } = parseNltkGrammar(grammar)
  const byLeft = new Map<string, number[]>()
  for (const [number, { left }] of rules.entries()) byLeft.set(left, [...(byLeft.get(left) ?? []), number])
  const tokens = new Set(
    rules.flatMap(({ right }) => right.flatMap(({ kind, name }) => (kind === 'terminal' ? name : []))),
  )
  return {
    start,
    byLeft,
    tokens,
    rules: rules.map(({ left, right }) => ({ left, right: right.map(({ name }) => name) })),
  }
})

/** The column of a place from the items that a token moved there. */
function columnOf(shared: Shared, before: Reading, moved: readonly Item[]): Column {
  const { start, byLeft, rules } = grammarOf(shared)
  const at = before.length
  const waiting = new Map<string, Item[]>()
  const seen = new Set<string>()
  let member = false
  const agenda: Item[] = []
  const add = (item: Item): void => {
    const key = `${item.rule} ${item.dot} ${item.origin}`
    if (seen.has(key)) return
    seen.add(key)
    agenda.push(item)
  }
  for (const item of moved) add(item)
  if (at === 0) for (const rule of byLeft.get(start) ?? []) add({ rule, dot: 0, origin: 0 })
  for (let item = agenda.pop(); item !== undefined; item = agenda.pop()) {
    const { left, right } = rules[item.rule]!
    const symbol = right[item.dot]
    if (symbol === undefined) {
      if (left === start && item.origin === 0) member = true
      // Without empty rules a rule that is done began in an earlier column.
      for (const other of before[item.origin]!.waiting.get(left) ?? []) add({ ...other, dot: other.dot + 1 })
      continue
    }
    const list = waiting.get(symbol)
    if (list === undefined) waiting.set(symbol, [item])
    else list.push(item)
    if (list === undefined) for (const rule of byLeft.get(symbol) ?? []) add({ rule, dot: 0, origin: at })
  }
  return { waiting, member }
}

export const beginReading = (shared: Shared): Reading => [columnOf(shared, [], [])]

/** Reads one token more; null: no string of the language goes on so. */
export function readToken(shared: Shared, reading: Reading, token: string): Reading | null {
  const moved = grammarOf(shared).tokens.has(token) ? (reading.at(-1)!.waiting.get(token) ?? []) : []
  if (moved.length === 0) return null
  return [
    ...reading,
    columnOf(
      shared,
      reading,
      moved.map((item) => ({ ...item, dot: item.dot + 1 })),
    ),
  ]
}

export function readString(shared: Shared, tokens: readonly string[]): Reading | null {
  let reading: Reading | null = beginReading(shared)
  for (const token of tokens) reading = reading === null ? null : readToken(shared, reading, token)
  return reading
}

/** Tokens that can come next in some string of the language. */
export const nextTokens = (shared: Shared, reading: Reading): readonly string[] =>
  [...reading.at(-1)!.waiting.keys()].filter((symbol) => grammarOf(shared).tokens.has(symbol))

export const isMember = (reading: Reading | null): boolean => reading?.at(-1)?.member === true
