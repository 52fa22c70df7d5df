import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Item, Sfc32 } from '../../../src/core/index.ts'
import { type Rule, runCascade } from '../../../src/libraries/rewriting/index.ts'
import {
  fitRulesOnly,
  orderByRules,
  type SolvedExample,
} from '../../../src/tasks/pbebench/reorder/baselines-rules-only.ts'
import { gradeOrder } from '../../../src/tasks/pbebench/reorder/grade.ts'
import { fairlyAsked, ordersTo, outcomes } from '../../../src/tasks/pbebench/reorder/orders.ts'
import { orderParsers, readWork } from '../../../src/tasks/pbebench/reorder/parsers.ts'
import { inverse, type Scramble, scramble } from '../../../src/tasks/pbebench/reorder/scramble.ts'
import { reorder } from '../../../src/tasks/pbebench/reorder/task.ts'
import { inOrder, type OrderAnswer, type Scrambled } from '../../../src/tasks/pbebench/reorder/types.ts'
import { sample } from '../../nightly.ts'

const permutations = (n: number): number[][] =>
  n === 0
    ? [[]]
    : permutations(n - 1).flatMap((rest) =>
        rest.map((_, at) => rest.toSpliced(at, 0, n - 1)).concat([[...rest, n - 1]]),
      )

describe('the outputs that rules can give', () => {
  const stream = new Sfc32(4, 3, 2, 1)
  const of = (letters: string, min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: min, maxLength: max })
  /** Tries every order. */
  function counted(inputs: readonly string[], rules: readonly Rule[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    const walk = (words: readonly string[], left: readonly Rule[]): void => {
      if (left.length === 0) counts.set(words.join(), (counts.get(words.join()) ?? 0) + 1)
      for (const [k, next] of left.entries()) walk(runCascade(words, [next]), left.toSpliced(k, 1))
    }
    walk(inputs, rules)
    return counts
  }

  it.each([
    ['of few letters', fc.tuple(of('ab', 1, 3), of('ab', 0, 3)), of('ab', 1, 3), [1, 4], [1, 5], [300, 100]],
    [
      'that share no letter, which are walked apart',
      fc.oneof(fc.tuple(of('ab', 1, 2), of('ab', 1, 2)), fc.tuple(of('xy', 1, 2), of('xy', 1, 2))),
      of('abxy', 1, 6),
      [1, 4],
      [1, 5],
      [300, 100],
    ],
    [
      'of which there are eight',
      fc.oneof(fc.tuple(of('abc', 1, 2), of('abc', 0, 2)), fc.tuple(of('xy', 1, 2), of('axy', 0, 2))),
      of('abcxy', 1, 2),
      [3, 6],
      [8, 8],
      [60, 5],
    ],
  ] as const)(
    'are those of trying every order of rules %s, each with its number of orders and one of them',
    (...of) => {
      const [, rule, word, words, rules, [nightly, otherwise]] = of
      fc.assert(
        fc.property(
          fc.array(word, { minLength: words[0], maxLength: words[1] }),
          fc.array(rule, { minLength: rules[0], maxLength: rules[1] }),
          (inputs, cascade) => {
            const all = outcomes(inputs, cascade) ?? []
            expect(new Map(all.map(({ outputs, orders }) => [outputs.join(), orders]))).toEqual(
              new Map(counted(inputs, cascade)),
            )
            for (const one of all) {
              expect(runCascade(inputs, inOrder(cascade, one.drawOrder(stream)))).toEqual([...one.outputs])
              expect(ordersTo(one.outputs, all)).toBe(one.orders)
            }
          },
        ),
        { numRuns: sample({ nightly, otherwise }) },
      )
    },
  )

  it('each order of an output is drawn equally often', () => {
    const rules: readonly Rule[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['x', 'y'],
      ['y', 'z'],
    ]
    const stream = new Sfc32(9, 9, 9, 9)
    const [one] = outcomes(['axb'], rules) ?? []
    if (one === undefined) throw new Error('orders matter here')
    const counts = new Map<string, number>()
    for (let time = 0; time < 600 * one.orders; time++) {
      const order = one.drawOrder(stream).join()
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(one.orders)
    for (const count of counts.values()) expect(Math.abs(count - 600)).toBeLessThan(110)
  })

  it('are many and none is the input, and either all or none have one order', () => {
    const few = outcomes(['a'], [['x', 'y']]) ?? []
    expect(fairlyAsked(['a'], few)).toBe(false)
    // a -> b, b -> c, c -> d on words that tell: abc, and chains of which some have one order, others two.
    const chain: readonly Rule[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ]
    const all = outcomes(['a', 'b', 'c'], chain) ?? []
    expect(all.map(({ orders }) => orders).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2])
    expect(fairlyAsked(['a', 'b', 'c'], all)).toBe(false)
  })
})

describe('a learner that sees the rules only', () => {
  /** Share right minus chance, fitted on one half and asked about the other, both ways. */
  function gain(config: object, count: number, only: (item: Item) => boolean = () => true): number {
    const { config: preset } = reorder.preset('perm')
    const source = reorder.source(reorder.configure({ ...preset, size: count, ...config }), { split: 'test', seed: 21 })
    const items = Array.from({ length: count }, (_, index) => source.item(index))
      .filter((item) => item.kind === 'item')
      .filter(only)
    const solved = items.map((item): SolvedExample => {
      const { rules } = item.given as unknown as Scrambled
      return { rules, order: (item.answer as unknown as OrderAnswer).order }
    })
    const fits = [0, 1].map((half) => fitRulesOnly(solved.filter((_, i) => i % 2 !== half)))
    const total = items.reduce((sum, item, i) => {
      const question = item.given as unknown as Scrambled
      const order = orderByRules(question.rules, fits[i % 2] ?? [])
      const right = runCascade(question.inputs, inOrder(question.rules, order)).join() === question.outputs.join()
      return sum + Number(right) - (item.features['chance'] as number)
    }, 0)
    return total / items.length
  }

  it('scores chance, and much more where the planted order is asked for', () => {
    // Four standard errors; docs/families/pbebench.md has the gain over more items.
    const count = sample({ nightly: 1500, otherwise: 200 })
    expect(Math.abs(gain({}, count))).toBeLessThan(1.75 / Math.sqrt(count))
    expect(gain({ target: 'planted' }, sample({ nightly: 800, otherwise: 200 }))).toBeGreaterThan(0.1)
  })

  it('scores chance where only one order works', () => {
    const size = sample({ nightly: 200, otherwise: 40 })
    const rules = { ...reorder.preset('perm-unique').config, size }
    // Four standard errors.
    expect(Math.abs(gain(rules, size, (item) => item.features['unique'] === true))).toBeLessThan(1.56 / Math.sqrt(size))
  })
})

describe('scrambling', () => {
  const rules: readonly Rule[] = [
    ['a', 'b'],
    ['b', 'c'],
    ['x', 'y'],
  ]
  const inputs = ['ab', 'xa']
  const outputs = runCascade(inputs, rules)
  const stream = new Sfc32(1, 2, 3, 4)
  const scrambled = (how: Scramble): readonly number[] => {
    const permutation = scramble(stream, inputs, outputs, rules, how, 'paper')
    if (permutation === null) throw new Error('an order matters here')
    return permutation
  }

  it('is undone by the answer; as published it changes the outputs', () => {
    for (const how of ['uniform', 'published'] as const)
      for (let time = 0; time < 20; time++) {
        const permutation = scrambled(how)
        const mixed = inOrder(rules, permutation)
        expect(inOrder(mixed, inverse(permutation))).toEqual(rules)
        if (how === 'published') expect(runCascade(inputs, mixed)).not.toEqual(outputs)
      }
  })

  it('shows each order equally often, whether it works or not', () => {
    const counts = new Map<string, number>()
    for (let time = 0; time < 6000; time++) {
      const order = scrambled('uniform').join()
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
    // The 99.9 % point with 5 degrees of freedom.
    expect(chiSquared).toBeLessThan(20.5)
  })

  it('finds nothing where no order matters', () => {
    const apart: readonly Rule[] = [
      ['a', 'x'],
      ['b', 'y'],
    ]
    for (const how of ['uniform', 'published'] as const)
      expect(scramble(new Sfc32(1, 2, 3, 4), ['ab'], ['xy'], apart, how, 'paper')).toBeNull()
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
    ['```json\n[1, 0, 2]\n```\nnot [0, 1, 2]', [1, 0, 2], [1, 0, 2], [1, 0, 2]],
    ['```json\n["1", "0", "2"]\n```', 'unparsed', [1, 0, 2], 'unparsed'],
    ['The order is 1 -> 0 -> 2.', 'unparsed', [1, 0, 2], 'unparsed'],
    ['First 1 -> 0, then 2', 'unparsed', 'unparsed', 'unparsed'],
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

  const itemsOf = (preset: string, count: number): Item[] => {
    const source = reorder.source(reorder.preset(preset).config, { split: 'test', seed: 5 })
    return Array.from({ length: count }, (_, index) => source.item(index)).filter((item) => item.kind === 'item')
  }
  const scrambledOf = (item: Item) => item.given as unknown as Scrambled
  const works = ({ inputs, outputs, rules }: Scrambled, order: readonly number[]): boolean =>
    runCascade(inputs, inOrder(rules, order)).join() === outputs.join()

  it('has an order that matters, and three rules or more by default', () => {
    const answers = new Set<string>()
    for (const item of itemsOf('perm', 60)) {
      const given = scrambledOf(item)
      expect(given.rules.length).toBeGreaterThan(2)
      const orders = permutations(given.rules.length)
      const valid = orders.filter((order) => works(given, order)).length
      expect(item.features).toMatchObject({
        validOrders: valid,
        unique: valid === 1,
        shownRight: works(given, [...given.rules.keys()]),
      })
      const outputs = new Set(orders.map((order) => runCascade(given.inputs, inOrder(given.rules, order)).join()))
      expect(item.features['classes']).toBe(outputs.size)
      expect(item.features['chance']).toBeCloseTo(1 / outputs.size, 5)
      expect(valid).toBeLessThan(orders.length)
      answers.add((item.answer as unknown as OrderAnswer).order.join())
    }
    expect(answers.size).toBeGreaterThan(20)
  })

  it('lets no answer made from positions score more than chance; the published scramble does', () => {
    const blind: readonly ((n: number) => number[])[] = [
      (n) => [...Array(n).keys()],
      (n) => [...Array(n).keys()].reverse(),
      (n) => [1, 0, ...[...Array(n).keys()].slice(2)],
      (n) => [...Array(n).keys()].map((k) => (k + 1) % n),
    ]
    const excess = (preset: string) => {
      const items = itemsOf(preset, sample({ nightly: 600, otherwise: 150 }))
      return blind.map((order) => {
        let [right, chance, variance] = [0, 0, 0]
        for (const item of items) {
          const given = scrambledOf(item)
          const share = item.features['chance'] as number
          right += works(given, order(given.rules.length)) ? 1 : 0
          chance += share
          variance += share * (1 - share)
        }
        return (right - chance) / Math.sqrt(variance)
      })
    }
    for (const z of excess('perm')) expect(Math.abs(z)).toBeLessThan(3.5)
    const [shown, backwards] = excess('perm-published')
    expect(shown).toBeLessThan(-6)
    expect(backwards).toBeGreaterThan(6)
  })

  it('lists every order of up to five rules once, whatever order is shown', () => {
    const choices = (rules: readonly Rule[]): readonly string[] =>
      reorder.choices?.({ shared: null, given: { ...given, rules } }) ?? []
    expect(choices(given.rules).map((choice) => read('strict', choice))).toHaveLength(6)
    expect(new Set(choices(given.rules)).size).toBe(6)
    const texts = (rules: readonly Rule[]) =>
      choices(rules).map((choice) => inOrder(rules, JSON.parse(choice.split('\n')[1] as string) as number[]))
    expect(texts(given.rules)).toEqual(texts(given.rules.toReversed()))
    expect(choices(Array.from('abcdef', (letter): Rule => [letter, 'x']))).toEqual([])
  })
})
