import type { Cfg, CfgRule, CfgSymbol } from '../grammar/cfg.ts'

/** What was read so far, a column for every place. */
export type Reading = readonly Column[]

interface Column {
  /** Is what was read a string of the language? */
  readonly member: boolean
  /** Completed symbols and begun rules that end here, each with its origin; predictions are not counted. */
  readonly items: number
  /** By symbol that is waited for: states and origins, in turn. */
  readonly waiting: ReadonlyMap<number, readonly number[]>
  /** By symbol: is it expected to begin here? */
  readonly predicted: Uint8Array
}

/**
 * Earley's algorithm (1970), top-down, from left to right, a token at a time, on the rules as they are written; symbols
 * that derive the empty string may be omitted. It shares nothing with the recognisers by spans, and so serves as their oracle.
 */
export interface EarleyParser {
  readonly begin: Reading
  /** Reads one token more; null: no string of the language begins like this. */
  read(reading: Reading, token: string): Reading | null
  /** Reads tokens from the beginning. */
  readAll(tokens: readonly string[]): Reading | null
  accepts(tokens: readonly string[]): boolean
  /** Tokens that can come next in some string of the language. */
  next(reading: Reading): readonly string[]
}

/** A rule of a symbol behind its first symbols: it waits for the next one. Rules with equal rests share their states. */
interface State {
  readonly left: number
  /** What it waits for; `after`: the state behind it, null where the rule then is done. */
  readonly needed: number
  readonly after: number | null
}

export function earleyParser({ start, rules }: Cfg): EarleyParser {
  const numbers = new Map<string, number>()
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return number
  }
  const startSymbol = numberOf(`nonterminal ${start}`)
  const states: State[] = []
  const known = new Map<string, number>()
  const stateOf = (left: number, rest: readonly number[]): number | null => {
    const [needed, ...more] = rest
    if (needed === undefined) return null
    const key = `${left} ${rest.join(' ')}`
    const found = known.get(key)
    if (found !== undefined) return found
    const after = stateOf(left, more)
    known.set(key, states.length)
    return states.push({ left, needed, after }) - 1
  }
  const written = withoutEmpty(rules).map(({ left, right }) => ({
    left: numberOf(`nonterminal ${left}`),
    right: right.map(({ kind, name }) => numberOf(`${kind} ${name}`)),
  }))
  const symbols = numbers.size
  /** By symbol: the rules that it begins, as a left-hand side and the state after it. */
  const begun: { readonly left: number; readonly after: number | null }[][] = Array.from({ length: symbols }, () => [])
  const children = Array.from({ length: symbols }, () => new Set<number>())
  for (const { left, right } of written) {
    const [first, ...rest] = right as [number, ...number[]]
    const after = stateOf(left, rest)
    if (!begun[first]!.some((rule) => rule.left === left && rule.after === after)) begun[first]!.push({ left, after })
    children[left]!.add(first)
  }
  /** Of every symbol, itself and all that can stand leftmost below it. */
  const corners = children.map((_, symbol) => {
    const found = new Set([symbol])
    for (const one of found) for (const child of children[one]!) found.add(child)
    return [...found]
  })
  const tokens = new Map(
    rules.flatMap(({ right }) =>
      right.flatMap(({ kind, name }) => (kind === 'terminal' ? [[name, numberOf(`terminal ${name}`)] as const] : [])),
    ),
  )
  const predict = (wanted: Iterable<number>): Uint8Array => {
    const row = new Uint8Array(symbols)
    for (const symbol of wanted) if (row[symbol] === 0) for (const corner of corners[symbol]!) row[corner] = 1
    return row
  }
  const begin: Reading = [{ member: false, items: 0, waiting: new Map(), predicted: predict([startSymbol]) }]

  function read(reading: Reading, token: string): Reading | null {
    const done = new Set<number>()
    const open = new Set<number>()
    const agenda: number[] = []
    const waiting = new Map<number, number[]>()
    const reach = (left: number, state: number | null, origin: number): void => {
      const key = origin * (symbols + states.length) + (state === null ? left : symbols + state)
      const seen = state === null ? done : open
      if (seen.has(key)) return
      seen.add(key)
      if (state === null) agenda.push(left, origin)
      else {
        const { needed } = states[state]!
        const list = waiting.get(needed)
        if (list === undefined) waiting.set(needed, [state, origin])
        else list.push(state, origin)
      }
    }
    const number = tokens.get(token)
    if (number !== undefined) agenda.push(number, reading.length - 1)
    while (agenda.length > 0) {
      const origin = agenda.pop() as number
      const symbol = agenda.pop() as number
      const column = reading[origin]!
      for (const { left, after } of begun[symbol]!) if (column.predicted[left] === 1) reach(left, after, origin)
      const parents = column.waiting.get(symbol) ?? []
      for (let p = 0; p < parents.length; p += 2) {
        const { left, after } = states[parents[p]!]!
        reach(left, after, parents[p + 1]!)
      }
    }
    const items = done.size + open.size
    const member = done.has(startSymbol)
    return items === 0 ? null : [...reading, { member, items, waiting, predicted: predict(waiting.keys()) }]
  }
  const readAll = (all: readonly string[]): Reading | null => {
    let reading: Reading | null = begin
    for (const token of all) reading = reading === null ? null : read(reading, token)
    return reading
  }
  return {
    begin,
    read,
    readAll,
    accepts: (all) => readAll(all)?.at(-1)?.member === true,
    next(reading) {
      const { predicted, waiting } = reading.at(-1)!
      const follows = (token: number): boolean => waiting.has(token) || predicted[token] === 1
      return [...tokens].flatMap(([name, token]) => (follows(token) ? name : []))
    },
  }
}

/** The rules with every choice of symbols omitted that derive the empty string, and no empty right-hand side. */
function withoutEmpty(rules: Cfg['rules']): readonly Pick<CfgRule, 'left' | 'right'>[] {
  const empty = new Set<string>()
  const isEmpty = ({ kind, name }: CfgSymbol): boolean => kind === 'nonterminal' && empty.has(name)
  for (let size = -1; size < empty.size; ) {
    size = empty.size
    for (const { left, right } of rules) if (right.every(isEmpty)) empty.add(left)
  }
  return rules.flatMap(({ left, right }) => {
    let choices: (readonly CfgSymbol[])[] = [[]]
    for (const symbol of right)
      choices = choices.flatMap((begun) => (isEmpty(symbol) ? [[...begun, symbol], begun] : [[...begun, symbol]]))
    return choices.filter((choice) => choice.length > 0).map((choice) => ({ left, right: choice }))
  })
}
