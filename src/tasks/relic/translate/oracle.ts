import type { Question } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'
import type { Answer } from './draw.ts'

/** A symbol over tokens from..to of the string and words start..end of the answer. */
interface Item {
  readonly symbol: string
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/**
 * Does S derive the pair of string and answer? From the text of the grammar and from the bottom: pairs of a token and a word, then
 * whatever a rule makes of two neighbours in the string whose words are neighbours too. It lists no translations.
 */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Answer): boolean {
  const targets = (shared.targets ?? '').split('\n')
  const lines = shared.grammar.split('\n').map((line, at) => {
    const [left = '', , ...source] = line.split(' ')
    return { left, source: source.join(' '), target: (targets[at] ?? '').split(' ') }
  })
  const rules = Map.groupBy(lines, ({ source }) => source)
  const string = given.string.split(' ').map((token) => `'${token}'`)
  const words = answer.map((word) => `'${word}'`)

  const seen = new Set<string>()
  const agenda: Item[] = []
  const beginning: Item[][] = Array.from({ length: string.length + 1 }, () => [])
  const ending: Item[][] = Array.from({ length: string.length + 1 }, () => [])
  const reach = (symbol: string, from: number, to: number, start: number, end: number): void => {
    const key = `${symbol} ${from} ${to} ${start} ${end}`
    if (seen.has(key)) return
    seen.add(key)
    agenda.push({ symbol, from, to, start, end })
  }
  const join = (first: Item, second: Item): void => {
    for (const { left, target } of rules.get(`${first.symbol} ${second.symbol}`) ?? []) {
      const parts = target.filter((name) => !name.startsWith("'"))
      const [one, two] = parts[0] === first.symbol ? [first, second] : [second, first]
      const own = target.findIndex((name) => name.startsWith("'"))
      if (one.end + (own === 1 ? 1 : 0) !== two.start) continue
      const [start, end] = [own === 0 ? one.start - 1 : one.start, own === 2 ? two.end + 1 : two.end]
      const place = own === 0 ? start : own === 1 ? one.end : two.end
      if (own === -1 || words[place] === target[own]) reach(left, first.from, second.to, start, end)
    }
  }
  for (const [from, token] of string.entries())
    for (const { left, target } of rules.get(token) ?? [])
      for (const [start, word] of words.entries()) if (word === target[0]) reach(left, from, from + 1, start, start + 1)
  for (let item = agenda.pop(); item !== undefined; item = agenda.pop()) {
    beginning[item.from]!.push(item)
    ending[item.to]!.push(item)
    for (const other of beginning[item.to]!) join(item, other)
    for (const other of ending[item.from]!) join(other, item)
  }
  return seen.has(`S 0 ${string.length} 0 ${words.length}`)
}
