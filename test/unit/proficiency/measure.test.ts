import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/core/index.ts'
import { constituents, paperGrammar, sampleDerivation } from '../../../src/libraries/grammars/pcfg/index.ts'
import { segmentStarts } from '../../../src/libraries/language/segments.ts'
import { classesOf, positionClasses } from '../../../src/tasks/proficiency/positions.ts'
import { testStream } from '../pcfg/support.ts'
import { discriminate, itemsOf, natsOf, scored } from './run.ts'

const measure = (item: Item, tokens: ReturnType<typeof scored>) => discriminate.metrics?.(item, tokens) ?? {}
const items = itemsOf(discriminate, { languages: ['g3'], repetitions: 1, examples: [4], tests: 6 })
const insides = items.filter((item) => item.features['kind'] === 'inside')

describe('measures of a scored string', () => {
  it('are its nats by token, by terminal and by place, which sum to the whole', () => {
    for (const item of insides) {
      const tokens = scored(item, 'ppm')
      const found = measure(item, tokens)
      const nats = natsOf(tokens)
      expect(found['nats']).toBeCloseTo(nats, 9)
      expect(found['terminals']).toBe((item.features['length'] as number) + 1)
      expect(found['natsPerTerminal']).toBeCloseTo(nats / tokens.length, 9)
      const sum = (kind: string) => positionClasses.reduce((total, c) => total + (found[`${c}${kind}`] ?? 0), 0)
      expect(sum('Nats')).toBeCloseTo(nats, 9)
      expect(sum('Floor')).toBeCloseTo(found['floor'] as number, 9)
      expect(sum('Count')).toBe(found['terminals'])
      expect(found['agreementCount']).toBe(1)
    }
  })

  it('of the oracle have no excess anywhere', () => {
    for (const item of insides) {
      const found = measure(item, scored(item, 'oracle'))
      expect(found['excess']).toBeCloseTo(0, 9)
      for (const c of positionClasses)
        if (found[`${c}Count`] !== undefined) expect(found[`${c}Nats`]).toBeCloseTo(found[`${c}Floor`] as number, 9)
    }
  })

  it('are the same in the spaced style, where a separator belongs to the token after it', () => {
    for (const item of insides)
      expect(measure(item, scored(item, 'ppm', 'spaced'))).toEqual(measure(item, scored(item, 'ppm')))
  })

  it('count tokens that span two terminals, and leave out places then', () => {
    const item = insides[0] as Item
    const tokens = scored(item, 'ppm')
    const [a, b, ...rest] = tokens as [(typeof tokens)[0], (typeof tokens)[0], ...typeof tokens]
    const merged = [{ text: a.text + b.text, logprob: a.logprob + b.logprob }, ...rest]
    const found = measure(item, merged)
    expect(found).toMatchObject({ misaligned: 1, tokens: tokens.length - 1 })
    expect(found['nats']).toBeCloseTo(natsOf(tokens), 9)
    expect(found['wordNats']).toBeUndefined()
    const [strict] = itemsOf(discriminate, {
      languages: ['g3'],
      repetitions: 1,
      examples: [4],
      tests: 6,
      format: { alignment: 'require' },
    })
    const own = scored(strict as Item, 'ppm')
    const joined = [{ text: `${own[0]?.text}${own[1]?.text}`, logprob: -1 }, ...own.slice(2)]
    expect(() => measure(strict as Item, joined)).toThrow(/span two terminals; set format\.separator/u)
  })

  it('of another string than the one asked for are refused', () => {
    expect(() => measure(insides[0] as Item, [{ text: 'xyz\n', logprob: -1 }])).toThrow(/not the string asked for/u)
  })
})

describe('places in a derivation', () => {
  it('follow the hierarchy: a word of g1 every 3 tokens, a phrase every 9', () => {
    const g = paperGrammar('g1')
    const classes = classesOf(g, sampleDerivation(g, testStream(3)))
    expect(classes).toHaveLength(73)
    for (const [i, c] of classes.slice(0, 72).entries()) expect(c === 'within').toBe(i % 3 !== 0)
    expect(classes.filter((c) => c === 'word' || c === 'phrase' || c === 'clause')).toHaveLength(24)
    expect(classes[0]).toBe('clause')
    expect(classes.at(-1)).toBe('end')
  })

  it('constituents nest and cover the string', () => {
    const g = paperGrammar('g9')
    const all = constituents(g, sampleDerivation(g, testStream(8)))
    for (const [i, c] of all.entries()) {
      expect(c.end).toBeGreaterThan(c.start)
      const inner = all.slice(i + 1).filter((d) => d.depth === c.depth + 1 && d.start >= c.start && d.end <= c.end)
      for (const d of inner) expect(d.start).toBeGreaterThanOrEqual(c.start)
    }
  })
})

it.each([
  ['1 2 3', '123\n', [0, 1, 2, 3]],
  ['1 2 3', '1 2 3\n', [0, 1, 3, 5]],
  ['1 2 3', '123', [0, 1, 2]],
  ['1 2 3 4', '123 4\n', [0, 1, 2, 3, 5]],
  ['1 2 3 4', '12 34\n', null],
  ['a', 'a\n', [0, 1]],
  ['1 2 3', '124\n', null],
  ['1 2 3', '1  23\n', null],
  ['1 2 3', '', null],
])('stretches of %j in %j are %j', (string, text, expected) => {
  expect(segmentStarts(text, string.split(' '), '\n', 3)).toEqual(expected)
})
