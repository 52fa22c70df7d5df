import { describe, expect, it } from 'vitest'
import { bucketsOfSplit, partitionBucket } from '../../../src/core/index.ts'
import type { Context, ScoredString } from '../../../src/tasks/proficiency/analyses/contexts.ts'
import {
  centreOf,
  drawnLoss,
  languageExcess,
  languageLoss,
  type Mean,
} from '../../../src/tasks/proficiency/analyses/losses.ts'
import { weightingOf } from '../../../src/tasks/proficiency/discriminate/measure-weights.ts'
import type { Shared } from '../../../src/tasks/proficiency/discriminate/types.ts'
import { languageOf } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { stringKey } from '../../../src/tasks/proficiency/languages/make.ts'
import { enumerate } from '../pcfg/support.ts'
import { discriminate, itemsOf } from './run.ts'

/** Two or three letters, six of them twice as likely as the six others: seven levels of probability over 1,872 strings. */
const [likely, rare] = ['abcdef', 'ghijkl']
const letters = [...likely].map((c) => `'${c}' [1/9]`).concat([...rare].map((c) => `'${c}' [1/18]`))
const grammar = `S -> A A [1/2] | A A A [1/2]\nA -> ${letters.join(' | ')}`

/** Two rules in three places, one nearly certain: the likeliest string alone is .73 of the language. */
const skewed = "S -> A A A [1]\nA -> 'a' [0.9] | B [0.1]\nB -> 'b' [1/4] | 'c' [1/4] | 'd' [1/4] | 'e' [1/4]"

interface Exact {
  readonly text: string
  readonly p: number
}

function languageNamed(text: string): { readonly shared: Shared; readonly strings: readonly Exact[] } {
  const config = { languages: [{ name: 'x', grammar: text }], repetitions: 1, examples: [0], tests: 1, distances: [0] }
  const shared = (itemsOf(discriminate, config)[0] as unknown as { shared: Shared }).shared
  const own = languageOf(shared.grammar).grammar
  const strings = [...enumerate(own)].map(([codes, p]) => ({
    text: codes
      .split(' ')
      .map((code) => own.terminals[Number(code)])
      .join(' '),
    p,
  }))
  return { shared, strings }
}

const admitted = (strings: readonly Exact[], split: 'train' | 'validation' | 'test') =>
  strings.filter(({ text }) => bucketsOfSplit(split).includes(partitionBucket('proficiency/string', stringKey(text))))

/** -ln Q of a string and its end. */
type Model = (text: string) => number

/** Models that are wrong about the language, each in its own way. */
const models: { readonly [name: string]: Model } = {
  'all letters alike': (text) => (text.split(' ').length + 1) * Math.log(13),
  'rare letters likely': (text) =>
    text.split(' ').reduce((sum, c) => sum - Math.log((likely.includes(c) ? 0.4 : 0.6) / 6), Math.log(2)),
  'three letters only, nearly': (text) => text.split(' ').length * Math.log(12) + (text.length > 4 ? 0.01 : 4.6),
}

/** Strings as often as the fence draws them: `p` is a whole number of `unit`. */
function drawnOf(shared: Shared, strings: readonly Exact[], model: Model, unit: number): Context[] {
  const rows = strings.flatMap(({ text, p }) => {
    const length = text.split(' ').length
    const weighting = weightingOf(shared, text)
    const floor = -Math.log(p)
    const row: ScoredString = {
      test: 0,
      distance: '0',
      copy: 0,
      seen: null,
      edit: 'none',
      length,
      lengthProbability: 1,
      nats: model(text),
      tokens: length + 1,
      terminals: length + 1,
      floor,
      weighting: { ...weighting, weight: weighting.weightOf(floor) },
      row: 0,
    }
    return Array.from({ length: Math.round(p / unit) }, () => row)
  })
  return [{ repetition: '0', strings: rows }]
}

const mean = (strings: readonly Exact[], value: (text: string) => number): number =>
  strings.reduce((sum, { text, p }) => sum + p * value(text), 0)
const centre = (found: Mean | null): number => centreOf(found as Mean)

describe('the weighted loss of a wrong model is that of the whole language, enumerated', () => {
  const { shared, strings } = languageNamed(grammar)
  const unit = 1 / 11_664

  it('on a language of 1,872 strings whose probabilities sum to 1', () => {
    expect(strings).toHaveLength(1872)
    expect(mean(strings, () => 1)).toBeCloseTo(1, 12)
  })

  describe.each(['train', 'validation', 'test'] as const)('from the strings of the %s region', (split) => {
    const own = admitted(strings, split)

    it.each(Object.keys(models))('%s', (name) => {
      const model = models[name] as Model
      const contexts = drawnOf(shared, own, model, unit)
      expect(centre(languageLoss(contexts, 'string'))).toBeCloseTo(mean(strings, model), 9)
      const perTerminal = (text: string) => model(text) / (text.split(' ').length + 1)
      expect(centre(languageLoss(contexts, 'terminal'))).toBeCloseTo(mean(strings, perTerminal), 9)
      const entropy = -strings.reduce((sum, { p }) => sum + p * Math.log(p), 0)
      expect(centre(languageExcess(contexts, 'string'))).toBeCloseTo(mean(strings, model) - entropy, 9)
      // Not for nothing: what was drawn has another mean.
      expect(Math.abs(centre(drawnLoss(contexts, 'string')) - mean(strings, model))).toBeGreaterThan(1e-6)
    })

    it('has the entropy given the fence', () => {
      const share = mean(own, () => 1)
      const conditional = -own.reduce((sum, { p }) => sum + (p / share) * Math.log(p / share), 0)
      expect(weightingOf(shared, own[0]?.text ?? '').conditional).toBeCloseTo(conditional, 9)
    })
  })

  it('from the test side of a published split, which is a finite sample', () => {
    const held = strings.filter((_, i) => i % 3 === 0)
    const texts = held.flatMap(({ text, p }) => Array.from({ length: Math.round(p / unit) }, () => text))
    for (const model of Object.values(models)) {
      const contexts = drawnOf({ ...shared, held: texts }, held, model, unit)
      expect(centre(languageLoss(contexts, 'string'))).toBeCloseTo(mean(strings, model), 9)
    }
    expect(weightingOf({ ...shared, held: texts }, texts[0] as string).conditional).toBeNull()
  })

  it('whatever the model, where nothing is fenced', () => {
    const letter = (c: string) => (1 + c.charCodeAt(0) - 97) / 78
    const model: Model = (text) => text.split(' ').reduce((sum, c) => sum - Math.log(letter(c)), Math.log(2))
    const contexts = drawnOf({ ...shared, fenced: 'grammar' }, strings, model, unit)
    expect(centre(languageLoss(contexts, 'string'))).toBeCloseTo(mean(strings, model), 9)
  })
})

describe('where the likeliest string may not be tested', () => {
  const { shared, strings } = languageNamed(skewed)
  const own = strings.filter(({ text }) => text !== 'a a a')
  const shown: Shared = { ...shared, fenced: 'grammar', examples: ['a a a'] }

  it('its share is not reached, and the oracle’s loss is still H(L)', () => {
    const contexts = drawnOf(shown, own, (text) => -Math.log(strings.find((s) => s.text === text)?.p ?? 0), 1 / 64_000)
    const entropy = -strings.reduce((sum, { p }) => sum + p * Math.log(p), 0)
    expect(weightingOf(shown, 'a a b').reached).toBeCloseTo(1 - 0.9 ** 3, 9)
    expect(centre(languageLoss(contexts, 'string'))).toBeCloseTo(entropy, 9)
    expect(centre(drawnLoss(contexts, 'string'))).toBeGreaterThan(2 * entropy)
  })

  it('a loss that is everywhere ln(1/p) above the oracle’s is so of the language', () => {
    const model: Model = (text) => -Math.log(0.25 * (strings.find((s) => s.text === text)?.p ?? 0))
    const contexts = drawnOf(shown, own, model, 1 / 64_000)
    expect(centre(languageExcess(contexts, 'string'))).toBeCloseTo(Math.log(4), 9)
  })
})
