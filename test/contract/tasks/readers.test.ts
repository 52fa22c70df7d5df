import { describe, expect, it } from 'vitest'
import { canonicalJson, type Item, type Source, type Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { conflicts, denials, deniedBlocks, honest, negations } from './denials.ts'

/** Some items of a source, at most as many as it has. */
function itemsOf(source: Source): Item[] {
  const size = source.layout.size ?? Number.POSITIVE_INFINITY
  return Array.from({ length: 12 }, (_, k) => k * 3)
    .filter((index) => index < size)
    .map((index) => source.item(index))
    .filter((item) => item.kind === 'item')
}

/** What is answered in a few words; a fenced block is none. */
const choicesOf = (task: Task, item: Item): readonly string[] =>
  (task.choices?.(item) ?? []).filter((choice) => !choice.includes('\n'))

/** Presets that differ in what they ask. */
const presetsOf = (task: Task): string[] => {
  const names = Object.keys(task.presets)
  const step = Math.max(1, Math.floor(names.length / 8))
  return names.filter((_, k) => k % step === 0)
}

const readable = families.flatMap(({ tasks }) => tasks).filter((task) => task.parsers !== undefined)

it('covers ten tasks', () => {
  expect(readable).toHaveLength(10)
})

describe.each(readable.map((task) => [task.name, task] as const))('%s', (_, task) => {
  const parsers = task.parsers as NonNullable<Task['parsers']>
  const items = presetsOf(task)
    .flatMap((preset) => {
      return itemsOf(task.source(task.preset(preset).config, { split: 'test', seed: 'readers' }))
    })
    .slice(0, 60)
  const read = (parser: 'strict' | 'lenient', text: string, { shared, given }: Item): string | null => {
    const found = parsers[parser](text, { shared, given })
    return found.kind === 'unparsed' ? null : canonicalJson(found.answer)
  }

  it('never reads an answer that is denied, nor one of two', () => {
    const bad = new Set<string>()
    for (const item of items) {
      const choices = choicesOf(task, item)
      const gold = task.gold?.(item)
      for (const [k, x] of choices.slice(0, 3).entries()) {
        const said = read('strict', x, item)
        const y = choices[(k + 1) % choices.length] as string
        for (const text of denials(x, y))
          if (read('lenient', text, item) === said || read('strict', text, item) === said) bad.add(text)
        for (const text of conflicts(x, y))
          if (read('lenient', text, item) !== null || read('strict', text, item) !== null) bad.add(text)
      }
      if (choices.length === 0 && gold !== undefined)
        for (const text of deniedBlocks(gold))
          for (const parser of ['strict', 'lenient'] as const) if (read(parser, text, item) !== null) bad.add(text)
    }
    expect([...bad]).toEqual([])
  })

  it('reads honest forms, all of them', () => {
    const lost = new Set<string>()
    for (const item of items) {
      const choices = choicesOf(task, item)
      const gold = task.gold?.(item)
      for (const x of choices.slice(0, 4)) {
        const said = read('strict', x, item)
        for (const text of [...honest(x), ...(negations[x] ?? [])])
          if (read('lenient', text, item) !== said) lost.add(`${x}: ${text} -> ${read('lenient', text, item)}`)
      }
      if (choices.length === 0 && gold !== undefined) {
        for (const text of framed(gold)) {
          const found = parsers.lenient(text, item)
          if (found.kind === 'unparsed' || task.grade?.(item, found.answer).value !== 1) lost.add(text)
        }
      }
    }
    expect([...lost]).toEqual([])
  })

  it('reads a hundred thousand hostile characters in linear time', () => {
    const item = items[0] as Item
    for (const piece of hostile) {
      const time = (count: number): number => {
        const text = piece.repeat(Math.ceil(count / piece.length))
        const begun = process.cpuUsage()
        read('lenient', text, item)
        const { user } = process.cpuUsage(begun)
        return user / 1000
      }
      time(10_000)
      const [one, four] = [time(100_000), time(400_000)]
      expect(four, JSON.stringify(piece)).toBeLessThan(8 * Math.max(one, 40))
    }
  })
})

/** Honest frames of a block. */
const framed = (block: string): readonly string[] => [
  block,
  `Here is what I found:\n\n${block}`,
  `This was not easy, but here it is.\n\n${block}`,
  `My first attempt was wrong. The answer:\n\n${block}`,
  `**Answer:**\n${block}`,
  `The answer is:\n\n${block}`,
  `<think>No, that is wrong.</think>\n${block}`,
  `${block}\n\n`,
]

const hostile = [
  'No ',
  'not Yes, ',
  'Answer: No\n',
  'wait. ',
  'No.',
  'first thought ',
  'is wrong ',
  'n’t ',
  'older than ',
  '[ ] Yes',
  ' - ',
  ': ',
  '1 or 2 ',
  'replace("a", "b") is wrong\n',
  '[0, 1]',
  'A -> B\n',
  'wrong wrong: ',
  '\u200b',
  '```\n[1]\n```\nThat is wrong.\n',
  'chess, ',
]
