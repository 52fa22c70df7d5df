import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Item, Sfc32 } from '../../../src/core/index.ts'
import { type Rule, runCascade } from '../../../src/rewriting/index.ts'
import { orderParsers } from '../../../src/tasks/pbebench/reorder/answers.ts'
import { gradeOrder } from '../../../src/tasks/pbebench/reorder/grade.ts'
import { countOrders } from '../../../src/tasks/pbebench/reorder/orders.ts'
import { inverse, scramble } from '../../../src/tasks/pbebench/reorder/scramble.ts'
import { reorder } from '../../../src/tasks/pbebench/reorder/task.ts'
import { inOrder, type OrderAnswer, type Scrambled } from '../../../src/tasks/pbebench/reorder/types.ts'
import { readWork } from '../../../src/tasks/pbebench/reorder/work.ts'

const permutations = (n: number): number[][] =>
  n === 0
    ? [[]]
    : permutations(n - 1).flatMap((rest) =>
        rest.map((_, at) => rest.toSpliced(at, 0, n - 1)).concat([[...rest, n - 1]]),
      )

describe('counting valid orders', () => {
  const word = (min: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: min, maxLength: 3 })
  it('equals trying every order', () => {
    fc.assert(
      fc.property(
        fc.array(word(1), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(word(1), word(0)), { minLength: 1, maxLength: 5 }),
        (inputs, rules) => {
          const outputs = runCascade(inputs, rules)
          const brute = permutations(rules.length).filter(
            (order) => runCascade(inputs, inOrder(rules, order)).join() === outputs.join(),
          ).length
          expect(countOrders(inputs, outputs, rules)).toBe(brute)
          expect(countOrders(inputs, outputs, rules, 2)).toBe(Math.min(brute, 2))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('scrambling', () => {
  it('changes the outputs, and the answer undoes it', () => {
    const rules: Rule[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['x', 'y'],
    ]
    const inputs = ['ab', 'xa']
    const outputs = runCascade(inputs, rules)
    for (const how of ['uniform', 'fb-swap'] as const) {
      const permutation = scramble(new Sfc32(1, 2, 3, 4), inputs, outputs, rules, how, 'paper')
      if (permutation === null) throw new Error('an order matters here')
      const mixed = inOrder(rules, permutation)
      expect(runCascade(inputs, mixed)).not.toEqual(outputs)
      expect(inOrder(mixed, inverse(permutation))).toEqual(rules)
    }
  })

  it('finds nothing where no order matters', () => {
    expect(
      scramble(
        new Sfc32(1, 2, 3, 4),
        ['ab'],
        ['xy'],
        [
          ['a', 'x'],
          ['b', 'y'],
        ],
        'uniform',
        'paper',
      ),
    ).toBeNull()
  })
})

const given: Scrambled = {
  inputs: ['ab'],
  outputs: ['cc'],
  rules: [
    ['b', 'c'],
    ['a', 'b'],
    ['x', 'y'],
  ],
}
const read = (parser: keyof typeof orderParsers, text: string) => {
  const found = orderParsers[parser](text, { shared: null, given })
  return found.kind === 'extracted' ? found.answer.order : 'unparsed'
}

describe('extraction of orders', () => {
  it.each([
    ['```json\n[1, 0, 2]\n```', [1, 0, 2], [1, 0, 2], [1, 0, 2]],
    ['```\n[1,0,2]\n```', [1, 0, 2], [1, 0, 2], [1, 0, 2]],
    ['First [0, 1, 2], then **Answer:** [1, 0, 2].', 'unparsed', [1, 0, 2], [1, 0, 2]],
    ['So [1, 0, 2]', 'unparsed', [1, 0, 2], [1, 0, 2]],
    ['```json\n[1, 2, 3]\n```', 'unparsed', 'unparsed', 'unparsed'],
    ['```json\n[0, 0, 1]\n```', 'unparsed', 'unparsed', 'unparsed'],
    ['Try [0, 1, 2]. No: [1, 0, 2] works', 'unparsed', [1, 0, 2], [0, 1, 2]],
    ['<think>[0, 1, 2]</think>\n```json\n[1, 0, 2]\n```', [1, 0, 2], [1, 0, 2], [1, 0, 2]],
  ])('%j', (text, strict, lenient, published) => {
    expect([read('strict', text), read('lenient', text), read('published', text)]).toEqual([strict, lenient, published])
  })

  it('follows the released stripping of reasoning', () => {
    expect(read('published-stripped', '[1, 0, 2]')).toBe('unparsed')
    expect(read('published-stripped', '<think>[0, 1, 2]</think>[1, 0, 2]')).toEqual([1, 0, 2])
  })

  it('takes hostile texts in linear time', () => {
    for (const text of [
      `\`\`\`json${' '.repeat(500_000)}`,
      '['.repeat(300_000),
      '[1,'.repeat(200_000),
      `**Answer${':'.repeat(300_000)}`,
      'rule 1 feeds '.repeat(50_000),
    ])
      for (const parser of Object.keys(orderParsers) as (keyof typeof orderParsers)[])
        expect(read(parser, text)).toBe('unparsed')
  })
})

describe('what a response says on its way', () => {
  const text =
    'Rule [1] feeds rule [0], and rule 2 bleeds rule 0. So rule 1 must come before rule 0. ' +
    'Trying [0, 1, 2], [1, 0, 2] and (2, 0, 1). No counterfeeding here.\n```json\n[1, 0, 2]\n```'

  it('is read without a judge', () => {
    expect(readWork(text, 3)).toMatchObject({
      relations: [
        [1, 1, 0],
        [2, 2, 0],
      ],
      precedences: [[1, 0]],
      tried: 3,
      counter: true,
    })
  })

  it('is checked against both classifiers and the final order', () => {
    const found = orderParsers.strict(text, { shared: null, given })
    if (found.kind !== 'extracted') throw new Error(found.reason)
    expect(gradeOrder(given, { order: [1, 0, 2] }, found.answer)).toMatchObject({
      value: 1,
      parts: {
        relationsSaid: 2,
        relationsTruePaper: 1,
        relationsTrueExact: 1,
        precedencesKept: 1,
        enumeration: 1,
        ordersShare: 0.5,
      },
    })
  })
})

describe('the task', () => {
  it('scores by execution: any order with the right outputs is right', () => {
    expect(gradeOrder(given, { order: [1, 0, 2] }, { order: [1, 2, 0] })).toMatchObject({
      value: 1,
      parts: { planted: 0 },
    })
    expect(gradeOrder(given, { order: [1, 0, 2] }, { order: [0, 1, 2] }).value).toBe(0)
    expect(gradeOrder(given, { order: [1, 0, 2] }, { order: [1, 0] }).value).toBe(0)
  })

  it('never shows an order that works, and leaves out two rules by default', () => {
    const source = reorder.source(reorder.preset('perm').config, { split: 'test', seed: 5 })
    const answers = new Set<string>()
    for (let index = 0; index < 60; index++) {
      const item = source.item(index) as Item
      const { inputs, outputs, rules } = item.given as unknown as Scrambled
      expect(runCascade(inputs, rules)).not.toEqual(outputs)
      expect(rules.length).toBeGreaterThan(2)
      expect(item.features['validOrders']).toBeGreaterThan(0)
      answers.add((item.answer as unknown as OrderAnswer).order.join())
    }
    expect(answers.size).toBeGreaterThan(20)
  })
})
