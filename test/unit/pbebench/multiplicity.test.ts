import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Rule, runCascade } from '../../../src/libraries/rewriting/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { solutions } from '../../../src/tasks/pbebench/analyses/audits.ts'
import { countReplacements, countShort, countSpare } from '../../../src/tasks/pbebench/multiplicity.ts'
import type { Examples } from '../../../src/tasks/pbebench/types.ts'

const texts = ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']
const rules: readonly Rule[] = texts
  .slice(1)
  .flatMap((left) => texts.filter((right) => right !== left).map((right): Rule => [left, right]))

/** Every cascade of these rules in which each changes a word when it runs, and that gives the outputs. */
const works = ({ inputs, outputs }: Examples, cascade: readonly Rule[]): boolean => {
  let now: readonly string[] = inputs
  for (const rule of cascade) {
    const next = runCascade(now, [rule])
    if (next.join() === now.join()) return false
    now = next
  }
  return now.join() === outputs.join()
}

const question = (inputs: readonly string[], cascade: readonly Rule[]): Examples => ({
  inputs,
  outputs: runCascade(inputs, cascade),
  limits: { rules: 5, side: 2, letters: 'ab', count: 'code-points' },
})

const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
const inputs = fc.array(word, { minLength: 1, maxLength: 3 })
const cascades = fc.array(fc.constantFrom(...rules), { minLength: 1, maxLength: 3 })

describe('counting cascades', () => {
  it('of one and of two rules equals trying them all', () => {
    fc.assert(
      fc.property(inputs, cascades, (words, cascade) => {
        const asked = question(words, cascade)
        const one = rules.filter((rule) => works(asked, [rule])).length
        const two = rules.flatMap((a) => rules.filter((b) => works(asked, [a, b]))).length
        expect(countShort(asked)).toEqual({ one, two })
      }),
      { numRuns: 150, seed: 1 },
    )
  })

  it('with one rule replaced equals trying all others in its place', () => {
    fc.assert(
      fc.property(inputs, cascades, (words, cascade) => {
        const asked = question(words, cascade)
        fc.pre(works(asked, cascade))
        for (const place of cascade.keys()) {
          const others = rules.filter((rule) => rule.join('>') !== cascade[place]?.join('>'))
          const brute = others.filter((rule) => works(asked, cascade.with(place, rule))).length
          expect(countReplacements(asked, cascade, place)).toBe(brute)
        }
      }),
      { numRuns: 200, seed: 2 },
    )
  })

  it('knows rules that can be left out', () => {
    const cascade: readonly Rule[] = [
      ['a', 'b'],
      ['b', 'a'],
      ['aa', 'ab'],
    ]
    expect(countSpare(question(['ab', 'b'], cascade), cascade)).toBe(1)
    expect(countSpare(question(['ab', 'b'], cascade.slice(0, 1)), cascade.slice(0, 1))).toBe(0)
  })

  it('becomes a table by the number of planted rules', () => {
    const planted: readonly Rule[] = [
      ['a', 'b'],
      ['b', 'ab'],
    ]
    const asked = question(['ab', 'ba'], planted)
    const frame = memoryFrame({
      feature_length: [2, 2],
      given: [JSON.stringify(asked), JSON.stringify(asked)],
      answer: [JSON.stringify(planted), JSON.stringify(planted)],
    })
    const [table] = solutions.run(frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables
    const { one, two } = countShort(asked)
    expect(table?.rows).toMatchObject([{ length: 2, items: 2, searched: 2, oneRule: one, twoRules: two, orders: 1 }])
  })
})
