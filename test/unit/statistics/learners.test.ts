import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Mixture, makeLearner, scoreSequence, uniform } from '../../../src/libraries/statistics/sequence/index.ts'

const names = [
  'uniform',
  'unigram',
  'markov:1',
  'markov:3',
  'kneser-ney:3',
  'kneser-ney:6',
  'ppm',
  'ctw',
  'match',
  'mixture',
]
const learner = (name: string, size: number) => {
  const make = makeLearner(name)
  if (make === null) throw new Error(`no learner ${name}`)
  return make(size)
}
const text = fc.array(fc.nat(3), { maxLength: 80 })
const total = (model: ReturnType<typeof learner>) => {
  let sum = 0
  for (let s = 0; s < model.size; s++) sum += model.probability(s)
  return sum
}

describe.each(names)('%s', (name) => {
  it('is a proper distribution after any context', () => {
    fc.assert(
      fc.property(text, (symbols) => {
        const model = learner(name, 4)
        for (const symbol of symbols) {
          expect(total(model)).toBeCloseTo(1, 12)
          model.read(symbol)
        }
        expect(total(model)).toBeCloseTo(1, 12)
      }),
      { numRuns: 40 },
    )
  })

  it('unreads a string exactly: predictions are those of a model that never saw it', () => {
    fc.assert(
      fc.property(text, text, text, (context, read, more) => {
        const model = learner(name, 4)
        for (const symbol of context) model.read(symbol)
        scoreSequence(model, read)
        const fresh = learner(name, 4)
        for (const symbol of context) fresh.read(symbol)
        expect([...scoreSequence(model, more)]).toEqual([...scoreSequence(fresh, more)])
      }),
      { numRuns: 40 },
    )
  })

  it('learns a periodic sequence better than chance, unless it learns nothing or counts only symbols', () => {
    const model = learner(name, 4)
    for (let i = 0; i < 60; i++) model.read(i % 4)
    const p = model.probability(0)
    if (name === 'uniform' || name === 'unigram') expect(p).toBeCloseTo(0.25, 2)
    else expect(p).toBeGreaterThan(0.8)
  })
})

describe('names', () => {
  it.each(['markov', 'markov:0', 'markov:13', 'markov:3:1', 'ppm:2', 'constructor', 'kneser-ney:x'])(
    '%s is unknown',
    (name) => {
      expect(makeLearner(name)).toBeNull()
    },
  )
})

it('a mixture is never worse than its best member by more than the logarithm of their number', () => {
  const symbols = Array.from({ length: 200 }, (_, i) => (i * i) % 3)
  const nats = (model: ReturnType<typeof learner>) => scoreSequence(model, symbols).reduce((s, p) => s - Math.log(p), 0)
  const best = Math.min(nats(learner('ppm', 3)), nats(uniform(3)))
  const mixed = nats(new Mixture([learner('ppm', 3), uniform(3)], 0))
  expect(mixed).toBeLessThanOrEqual(best + Math.log(2) + 1e-9)
})
