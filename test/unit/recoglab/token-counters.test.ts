import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import pairs from '../../../examples/token-counter.ts'
import { type Task, type TokenCounter, withTokenCounters } from '../../../src/core/index.ts'
import { fillerOf } from '../../../src/libraries/language/filler.ts'
import { families } from '../../../src/tasks/index.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, promptOf, sourceOf } from './items.ts'

const tasksWith = (...counters: readonly TokenCounter[]): ReadonlyMap<string, Task> =>
  new Map(withTokenCounters(families, counters).flatMap(({ tasks }) => tasks.map((task) => [task.name, task])))
const names = ['recoglab/comparison', 'recoglab/social', 'recoglab/families']
const taskOf = (name: string, ...counters: readonly TokenCounter[]): Task => {
  const task = tasksWith(...counters).get(name)
  if (task === undefined) throw new Error(name)
  return task
}

/** The prompt without its last line, which is the question in these tasks. */
function contextOf(task: Task, config: { [key: string]: string | number }): string {
  const source = sourceOf(task, config)
  const [item] = itemsOf(source, 1)
  if (item === undefined) throw new Error('no item')
  return promptOf(source, item, 'bare').split('\n').slice(0, -1).join('\n')
}

/** Counters of every temper: sums of lines above, equal to and below the count of the whole. */
const counters: fc.Arbitrary<TokenCounter> = fc.oneof(
  fc.constant(pairs),
  fc.integer({ min: 1, max: 9 }).map((k) => ({
    name: `every-${k}`,
    version: '2.0_b',
    count: (text: string) => Math.ceil(text.length / k),
  })),
  fc.constant({ name: 'bytes', version: '1', count: (text: string) => new TextEncoder().encode(text).length }),
  fc.constant({ name: 'vowels', version: '1', count: (text: string) => text.replace(/[^aeiou]/g, '').length }),
  fc.constant({ name: 'sentences', version: '1', count: (text: string) => text.split('\n').length }),
)

describe('token counters of plugins', () => {
  it('pad a context to the length asked for and not by a sentence more', () => {
    fc.assert(
      fc.property(
        counters,
        fc.constantFrom(...names),
        fc.integer({ min: 1, max: 3000 }),
        fc.constantFrom('before', 'after', 'interspersed'),
        (counter, name, padTokens, fillerPosition) => {
          const task = taskOf(name, counter)
          const tokenCounter = `${counter.name}@${counter.version}`
          const knobs = name === 'recoglab/families' ? { families: 3, fillerPosition } : { fillerPosition }
          const bare = counter.count(contextOf(task, knobs))
          const padded = counter.count(contextOf(task, { ...knobs, filler: 'prose', padTokens, tokenCounter }))
          const longest = Math.max(
            ...fillerOf('prose').flatMap((list) => list.map((line) => counter.count(`${line}\n`))),
          )
          expect(padded).toBeGreaterThanOrEqual(Math.max(bare, padTokens))
          expect(padded).toBeLessThanOrEqual(Math.max(bare, padTokens + longest))
        },
      ),
      { numRuns: sample({ nightly: 60, otherwise: 25 }) },
    )
  })

  it('make the same prompts again, and items that know the counter by name and version', () => {
    const config = { filler: 'prose', padTokens: 700, tokenCounter: 'pairs@1' }
    const [a, b] = [1, 2].map(() => contextOf(taskOf('recoglab/social', pairs), config))
    expect(a).toBe(b)
    const [item] = itemsOf(sourceOf(taskOf('recoglab/social', pairs), config), 1)
    expect(item?.shared).toMatchObject({ tokenCounter: 'pairs@1' })
    const [plain] = itemsOf(sourceOf(taskOf('recoglab/social'), {}), 1)
    expect(item?.given).toEqual(plain?.given)
  })

  it('are refused where they are not loaded, or in another version', () => {
    const config = { tokenCounter: 'pairs@1' }
    for (const name of [...names, 'recoglab/syllogism']) {
      expect(() => taskOf(name).configure(config)).toThrow(
        /unknown token counter "pairs@1".*characters, words, pieces.*`plugins`/,
      )
      expect(() => taskOf(name, { ...pairs, version: '2' }).configure(config)).toThrow(/did you mean "pairs@2"/)
      expect(taskOf(name, pairs).configure(config)).toMatchObject(config)
    }
  })

  it('must have names that a config can hold, once each', () => {
    expect(() => withTokenCounters(families, [{ ...pairs, name: 'Two words' }])).toThrow(/lower-case/)
    expect(() => withTokenCounters(families, [{ ...pairs, version: '' }])).toThrow(/version/)
    expect(() => withTokenCounters(families, [pairs, pairs])).toThrow(/two token counters/)
    expect(withTokenCounters(families, [])).toBe(families)
  })

  it.each([
    ['nothing', () => 0, /finds fewer than 50 tokens/],
    ['NaN', () => Number.NaN, /gave NaN for \d+ characters/],
    ['a fraction', (text: string) => text.length / 4 + 0.1, /whole number/],
    ['less than nothing', () => -3, /gave -3/],
  ])('that count %s are told apart from long contexts', (_, count, message) => {
    const task = taskOf('recoglab/social', { name: 'odd', version: '1', count })
    expect(() => contextOf(task, { filler: 'prose', padTokens: 50, tokenCounter: 'odd@1' })).toThrow(message)
  })
})
