import { describe, expect, test } from 'vitest'
import type { Shared } from '../../../src/tasks/relic/grammars/grammar.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import { drawn, scored, stepsOf } from './drawn.ts'

const all = drawn<Shared, Given, number>('relic/count', ['count-easy', 24], ['count', 24])

test('the answer is the only number that the oracle accepts', () => {
  for (const { task, problem } of all)
    expect([0, 1, 2, 3, 4, 5, 6].filter((answer) => task.oracle(problem, answer))).toEqual([problem.answer])
})

test('each answer occurs as often as any other, and strings of a set are alike in length', () => {
  const counts = new Map<number, number>()
  for (const { problem } of all) counts.set(problem.answer, (counts.get(problem.answer) ?? 0) + 1)
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2)
})

describe('readers', () => {
  test('numbers in digits and words, with and without a unit', () => {
    const words = ['zero', 'one', 'two', 'three', 'four', 'five']
    for (const one of all.slice(0, 12)) {
      const { answer } = one.problem
      for (const text of [
        `S[1-4]: 7\nAnswer: ${answer}`,
        `**${answer}**`,
        `Answer: ${words[answer]} derivations`,
        `\\boxed{${answer}}`,
      ])
        for (const parser of ['strict', 'lenient']) expect(scored(one, text, parser), text).toBe(1)
    }
  })

  test('none, and not in the language, are 0', () => {
    const one = all.find(({ problem }) => problem.answer === 0)!
    for (const text of ['Answer: none', 'There are no derivations.', 'The string is not in the language.'])
      for (const parser of ['strict', 'lenient']) expect(scored(one, text, parser), text).toBe(1)
    for (const text of ['Is it not in the language?', 'It is false that there are\nnone of them'])
      expect(scored(one, text, 'lenient'), text).toBe(null)
  })
})

test('a witness with a wrong, missing or extra item is refused', () => {
  for (const { task, problem } of all.slice(0, 20)) {
    const { items } = task.witness(problem as never) as { readonly items: readonly (readonly number[])[] }
    expect(task.check(problem as never, { items } as never)).toBe(true)
    const [symbol = 0, from = 0, to = 0, ways = 0] = items.at(-1)!
    for (const wrong of [
      items.slice(1),
      [...items.slice(0, -1), [symbol, from, to, ways + 1]],
      [...items, [symbol, from, to + 1, 1]],
    ])
      expect(task.check(problem as never, { items: wrong } as never)).toBe(false)
    expect(task.check({ ...problem, answer: problem.answer + 1 } as never, { items } as never)).toBe(false)
  }
})

test('steps of a solution hold, changed numbers do not', () => {
  for (const one of all.slice(0, 20)) {
    const { steps } = stepsOf(one)
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.every(({ holds }) => holds)).toBe(true)
    expect(steps.at(-1)!.decides).toBe(String(one.problem.answer))
    const wrong = stepsOf(one, (text) => text.replaceAll(/: (\d+)$/gmu, ': 1$1'))
    expect(wrong.steps.some(({ holds }) => holds)).toBe(false)
  }
})
