import { describe, expect, it } from 'vitest'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { parseCount, type Rule, rulesOf } from './by-name.ts'
import { itemsOf, open, type RelicItem } from './items.ts'

const counts = [2, 4, 8, 16, 32] as const
const styles = counts.flatMap((n) => [`few-shot-${n}`, `grammar-free-${n}`])

/** Text between the two fences that follow a heading. */
function fenced(prompt: string, heading: RegExp): string | null {
  const at = prompt.search(heading)
  if (at < 0) return null
  return /```\n([\s\S]*?)\n```/.exec(prompt.slice(at))?.[1] ?? null
}

function promptOf(source: ReturnType<typeof open>, item: RelicItem, style: string): string {
  const request = source.request(item as never, style)
  if (request.kind !== 'chat') throw new Error('a chat was expected')
  expect(request.messages.map(({ role }) => role)).toEqual(['user'])
  return request.messages[0]?.content ?? ''
}

const shotsOf = (prompt: string) =>
  (fenced(prompt, /verdicts/) ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [string, verdict] = line.split(' => ') as [string, string]
      return { string, verdict }
    })

/** Short strings by the test's own count of parses, long ones by the task's oracle. */
function isMember({ shared }: RelicItem, rules: readonly Rule[], string: string): boolean {
  const tokens = string.split(' ')
  return tokens.length <= 16 ? parseCount(rules, tokens) > 0n : recognize.oracle({ shared, given: { string } }, true)
}

const source = open('relic-demo', 'test')
const items = [...itemsOf(source, 8, 30)].filter((_, i) => i % 12 === 0)

describe('solved examples', () => {
  it('are balanced, never repeated, never the question, and labelled as a recogniser of the test says', () => {
    expect(items.length).toBeGreaterThan(16)
    const firsts = new Set<string>()
    for (const item of items) {
      const rules = rulesOf(item.shared.grammar)
      for (const style of styles) {
        const shots = shotsOf(promptOf(source, item, style))
        const n = Number(style.split('-').at(-1))
        expect(shots.length, `${item.id} ${style}`).toBe(n)
        expect(shots.filter(({ verdict }) => verdict === 'Yes')).toHaveLength(n / 2)
        expect(shots.filter(({ verdict }) => verdict === 'No')).toHaveLength(n / 2)
        expect(new Set(shots.map(({ string }) => string)).size).toBe(n)
        expect(shots.map(({ string }) => string)).not.toContain(item.given.string)
        for (const { string, verdict } of shots) expect(isMember(item, rules, string), string).toBe(verdict === 'Yes')
        firsts.add(shots[0]?.verdict ?? '')
      }
    }
    // Their order tells nothing: either verdict may come first.
    expect([...firsts].sort()).toEqual(['No', 'Yes'])
  })

  it('are the same for every order of asking, from another source, and in both styles of a number', () => {
    const some = items.slice(0, 8)
    const ask = (from: typeof source, order: readonly RelicItem[], asked: readonly string[]) =>
      new Map(order.flatMap((item) => asked.map((style) => [`${item.id} ${style}`, promptOf(from, item, style)])))
    const forwards = ask(source, some, styles)
    const backwards = ask(open('relic-demo', 'test'), some.toReversed(), styles.toReversed())
    for (const [key, prompt] of forwards) expect(backwards.get(key)).toBe(prompt)
    for (const item of some)
      for (const n of counts)
        expect(shotsOf(promptOf(source, item, `grammar-free-${n}`))).toEqual(
          shotsOf(promptOf(source, item, `few-shot-${n}`)),
        )
  })

  it('differ between items of one grammar', () => {
    const seen = new Set(items.map((item) => JSON.stringify(shotsOf(promptOf(source, item, 'few-shot-8')))))
    expect(seen.size).toBe(items.length)
  })

  it('stay balanced where the language holds too few strings', () => {
    const shared = { grammar: "S -> A B\nA -> 'a'\nA -> 'b'\nA -> 'c'\nB -> 'a'" }
    const question = { shared, given: { string: 'a a' } }
    const shots = shotsOf(
      (() => {
        const request = recognize.request(question, 'few-shot-32', source.viewDraws(0))
        return request.kind === 'chat' ? (request.messages[0]?.content ?? '') : ''
      })(),
    )
    // Two other strings are in the language: b a, c a.
    expect(
      shots
        .filter(({ verdict }) => verdict === 'Yes')
        .map(({ string }) => string)
        .sort(),
    ).toEqual(['b a', 'c a'])
    expect(shots.filter(({ verdict }) => verdict === 'No')).toHaveLength(2)
  })

  it('are left out where no string is short enough to be shown', () => {
    const pairs = ['S -> A A', 'A -> B B', 'B -> C C', 'C -> D D', 'D -> E E', 'E -> F F']
    for (const words of [["F -> 'a'", "F -> 'b'"], ["G -> 'a'"]]) {
      const problem = { shared: { grammar: [...pairs, ...words].join('\n') }, given: { string: 'a b' } }
      for (const style of styles) {
        const asked = recognize.request(problem, style, source.viewDraws(0))
        expect(asked.kind === 'chat' && asked.messages.map(({ content }) => content).join()).not.toContain(' => ')
      }
    }
  })
})

describe('the parts of a prompt', () => {
  it('are the grammar and the string as they stand, except that the grammar-free style has no grammar', () => {
    for (const item of items)
      for (const style of recognize.styles) {
        const prompt = promptOf(source, item, style)
        expect(fenced(prompt, /Does this string|generate this string/)).toBe(item.given.string)
        const grammar = fenced(prompt, /^Grammar:/m)
        expect(grammar).toBe(style.startsWith('grammar-free-') ? null : item.shared.grammar)
        if (style.startsWith('grammar-free-')) expect(prompt).not.toMatch(/->/)
        // Every fence is closed.
        expect(prompt.split('```').length % 2).toBe(1)
        expect(prompt.trimEnd()).toMatch(/only Yes or only No\.$/)
      }
  })

  it('do not tell the answer: the prompt is the same for either', () => {
    for (const item of items.slice(0, 5))
      for (const style of recognize.styles)
        expect(promptOf(source, { ...item, answer: !item.answer }, style)).toBe(promptOf(source, item, style))
  })
})
