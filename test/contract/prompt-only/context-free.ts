/** A grammar without empty right sides, as its rules are written: `A -> B 'x' C`, one a line. */
export interface Rules {
  readonly number: ReadonlyMap<string, number>
  /** By token: the symbols that are that token alone. */
  readonly token: ReadonlyMap<string, readonly number[]>
  /** By symbol: the symbols that are that symbol alone. */
  readonly alone: readonly (readonly number[])[]
  /** By symbol: [whole, rest] for each rule that starts with it. */
  readonly first: readonly (readonly (readonly [whole: number, rest: number])[])[]
}

/** Rules with more than two symbols are cut into pairs. Weights in brackets are skipped. */
export function readRules(text: string): Rules {
  const number = new Map<string, number>()
  const token = new Map<string, number[]>()
  const alone: number[][] = []
  const first: [number, number][][] = []
  const symbol = (name: string): number => {
    const known = number.get(name)
    if (known !== undefined) return known
    alone.push([])
    first.push([])
    return number.set(name, number.size).size - 1
  }
  const quoted = (name: string): number => {
    const whole = symbol(name)
    const value = name.slice(1, -1)
    if (!token.has(value)) token.set(value, [whole])
    return whole
  }
  const part = (name: string): number => (/^['"]/.test(name) ? quoted(name) : symbol(name))
  for (const line of text.split('\n')) {
    const match = /^(\S+) -> (.+?)(?: \[[^\]]+\])?$/.exec(line)
    if (match === null) continue
    const parts = (match[2] as string).split(' ').map(part)
    let whole = symbol(match[1] as string)
    while (parts.length > 2) {
      const rest = symbol(`the rest of ${whole} ${parts.join(' ')}`)
      first[parts.shift() as number]?.push([whole, rest])
      whole = rest
    }
    const [a, b] = parts as [number, number | undefined]
    if (b === undefined) alone[a]?.push(whole)
    else first[a]?.push([whole, b])
  }
  return { number, token, alone, first }
}

/** From the last token to the first: where each symbol that begins here can end. */
export function accepts(rules: Rules, start: string, tokens: readonly string[]): boolean {
  const goal = rules.number.get(start)
  if (goal === undefined) throw new Error(`no rule for ${start}`)
  const symbols = rules.alone.length
  const ends: (readonly number[])[][] = Array.from({ length: tokens.length + 1 }, () => [])
  for (let i = tokens.length - 1; i >= 0; i--) {
    const here: number[][] = []
    const seen = new Uint8Array(symbols * (tokens.length + 1))
    const agenda: number[] = []
    const add = (symbol: number, end: number) => {
      if (seen[end * symbols + symbol] === 1) return
      seen[end * symbols + symbol] = 1
      const known = here[symbol]
      if (known === undefined) here[symbol] = [end]
      else known.push(end)
      agenda.push(symbol, end)
    }
    for (const symbol of rules.token.get(tokens[i] as string) ?? []) add(symbol, i + 1)
    while (agenda.length > 0) {
      const end = agenda.pop() as number
      const symbol = agenda.pop() as number
      for (const whole of rules.alone[symbol] ?? []) add(whole, end)
      for (const [whole, rest] of rules.first[symbol] ?? []) for (const e of ends[end]?.[rest] ?? []) add(whole, e)
    }
    ends[i] = here
  }
  return ends[0]?.[goal]?.includes(tokens.length) ?? false
}

const kept = new Map<string, Rules>()

/** Rules of a text read before: items of a group share theirs. */
export function rulesOf(text: string): Rules {
  const known = kept.get(text)
  if (known !== undefined) return known
  if (kept.size > 100) kept.clear()
  const rules = readRules(text)
  kept.set(text, rules)
  return rules
}
