import { describe, expect, it } from 'vitest'
import { canonicalJson, type Item, type Task } from '../../../src/core/index.ts'
import { sample } from '../../nightly.ts'
import { distinctKinds, itemsAsked, readable, twoAnswers } from './asked.ts'
import { conflicts, denials, deniedBlocks, honest, negations } from './denials.ts'
import { hostile } from './hostile.ts'

/** What is answered in a few words; a fenced block is none. */
const choicesOf = (task: Task, item: Item): readonly string[] =>
  (task.choices?.(item) ?? []).filter((choice) => !choice.includes('\n'))

it('covers every task but one of losses', () => {
  expect(readable).toHaveLength(18)
})

describe.each(readable.map((task) => [task.name, task] as const))('%s', (_, task) => {
  const parsers = task.parsers as NonNullable<Task['parsers']>
  const items = itemsAsked(task)
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

  it('reads long hostile texts to their end, by every parser', () => {
    const asked = distinctKinds(task, items)
    for (const k of hostile('', '').keys()) {
      const item = asked[k % asked.length] as Item
      const [x, y] = twoAnswers(task, item)
      const [name, make] = hostile(x, y)[k] as ReturnType<typeof hostile>[number]
      const text = make(sample({ nightly: 100_000, otherwise: 6000 }))
      for (const [parser, parse] of Object.entries(parsers)) {
        const found = parse(text, item)
        const told = `${parser} of ${name}: ${JSON.stringify(found).slice(0, 200)}`
        if (found.kind === 'unparsed') expect(found.reason, told).not.toBe('')
        else {
          const [from, to] = found.span
          expect(found.kind, told).toBe('extracted')
          expect(found.rule, told).not.toBe('')
          expect(0 <= from && from <= to && to <= text.length, told).toBe(true)
          expect(task.grade?.(item, found.answer).value, told).toBeGreaterThanOrEqual(0)
        }
      }
      const steps = task.checkSteps?.(item, text)?.steps ?? []
      expect(steps.every(({ span: [from, to] }) => 0 <= from && from <= to && to <= text.length)).toBe(true)
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
