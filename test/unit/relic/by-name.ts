/**
 * Grammars and strings by the names that a reader of the prompt sees, with nothing of src: the independent side of the
 * comparisons.
 */
export interface Rule {
  readonly left: string
  /** Two nonterminals, or one token. */
  readonly right: readonly string[]
  readonly lexical: boolean
}

export function rulesOf(text: string): Rule[] {
  return text.split('\n').map((line) => {
    const [left, right] = line.split(' -> ') as [string, string]
    return right.startsWith("'")
      ? { left, right: [right.slice(1, -1)], lexical: true }
      : { left, right: right.split(' '), lexical: false }
  })
}

/** Start rules, binary rules, lexical rules, each block in the order given. */
export function textOf(rules: readonly Rule[]): string {
  const line = ({ left, right, lexical }: Rule) => `${left} -> ${lexical ? `'${right[0]}'` : right.join(' ')}`
  const block = (rule: Rule) => (rule.lexical ? 2 : rule.left === 'S' ? 0 : 1)
  return [0, 1, 2].flatMap((number) => rules.filter((rule) => block(rule) === number).map(line)).join('\n')
}

/** Number of parse trees of every symbol over every span, bottom-up; S over the whole string counts. */
export function parseCount(rules: readonly Rule[], tokens: readonly string[]): bigint {
  const n = tokens.length
  const above = Map.groupBy(rules, ({ right }) => right.join(' '))
  const cells = new Map<string, Map<string, bigint>>()
  for (let width = 1; width <= n; width++)
    for (let from = 0; from + width <= n; from++) {
      const cell = new Map<string, bigint>()
      const add = (right: string, lexical: boolean, count: bigint) => {
        for (const rule of above.get(right) ?? [])
          if (rule.lexical === lexical) cell.set(rule.left, (cell.get(rule.left) ?? 0n) + count)
      }
      if (width === 1) add(tokens[from] as string, true, 1n)
      for (let split = from + 1; split < from + width; split++)
        for (const [b, left] of cells.get(`${from} ${split}`) ?? [])
          for (const [c, right] of cells.get(`${split} ${from + width}`) ?? []) add(`${b} ${c}`, false, left * right)
      cells.set(`${from} ${from + width}`, cell)
    }
  return cells.get(`0 ${n}`)?.get('S') ?? 0n
}
