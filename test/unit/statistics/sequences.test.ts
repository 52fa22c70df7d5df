import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BackOff, ContextTreeWeighting, Markov } from '../../../src/libraries/statistics/sequence/context-models.ts'
import { type SequenceLearner, uniform } from '../../../src/libraries/statistics/sequence/learner.ts'
import { LongestMatch, Mixture } from '../../../src/libraries/statistics/sequence/mixture.ts'

const having = (learner: SequenceLearner, text: readonly number[]) => {
  for (const symbol of text) learner.read(symbol)
  return (symbol: number) => learner.probability(symbol)
}
const text = fc.array(fc.nat(2), { maxLength: 40 })
const symbols = [0, 1, 2]
/** How often `part` stands in `whole`, overlaps counted. */
const occurrences = (part: readonly number[], whole: readonly number[]) =>
  whole.filter((_, at) => at + part.length <= whole.length && part.every((x, i) => whole[at + i] === x)).length

describe('a Markov chain', () => {
  it.each([0, 1, 2, 3])('of order %i gives what counting the text gives', (order) => {
    fc.assert(
      fc.property(text, (read) => {
        fc.pre(read.length >= order)
        const probability = having(new Markov(3, order, 0.5), read)
        const context = order === 0 ? [] : read.slice(-order)
        // A context at the very end has no symbol after it.
        const contexts = order === 0 ? read.length : occurrences(context, read.slice(0, -1))
        for (const x of symbols)
          expect(probability(x)).toBeCloseTo((occurrences([...context, x], read) + 0.5) / (contexts + 1.5), 12)
      }),
    )
  })
})

describe('the longest match', () => {
  it.each([1, 2, 24])(
    'of at most %i symbols predicts what followed the longest suffix that stood before',
    (longest) => {
      fc.assert(
        fc.property(text, (read) => {
          const probability = having(new LongestMatch(3, longest), read)
          let length = Math.max(0, Math.min(longest, read.length - 1))
          while (length > 0 && occurrences(read.slice(-length), read.slice(0, -1)) === 0) length--
          const suffix = length === 0 ? [] : read.slice(-length)
          const total = length === 0 ? 0 : occurrences(suffix, read.slice(0, -1))
          for (const x of symbols) {
            const copied = total === 0 ? 1 / 3 : occurrences([...suffix, x], read) / total
            const doubt = 1 / (1 + length + total)
            expect(probability(x)).toBeCloseTo((1 - doubt) * copied + doubt / 3, 12)
          }
        }),
      )
    },
  )
})

/** The logarithm of the probability of a text, symbol by symbol. */
function logOf(learner: SequenceLearner, read: readonly number[]): number {
  let sum = 0
  for (const symbol of read) {
    sum += Math.log(learner.probability(symbol))
    learner.read(symbol)
  }
  return sum
}
/** ln of the mean of what these are logarithms of. */
const mixed = (...logs: readonly number[]): number => {
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length)
}
const sum = (logs: readonly number[]): number => logs.reduce((a, b) => a + b, 0)

describe('context-tree weighting', () => {
  /** Dirichlet estimates of symbols in a row, after some that only count. */
  const estimated = (size: number, pseudo: number, row: readonly number[], from = 0) =>
    sum(
      row.slice(from).map((symbol, i) => {
        const before = row.slice(0, from + i)
        return Math.log((before.filter((one) => one === symbol).length + pseudo) / (before.length + pseudo * size))
      }),
    )
  /** The places from the second on, by the symbol before. */
  const byContext = (read: readonly number[]) =>
    [...new Set(read.slice(0, -1))].map((c) => read.flatMap((_, i) => (i > 0 && read[i - 1] === c ? [i] : [])))
  /** Of depth one: half of it without a context, half with the symbol before, from the second symbol on. */
  const ofOne = (size: number, pseudo: number, read: readonly number[]) => {
    const inContext = byContext(read).map((at) => at.map((i) => read[i] as number))
    const apart = sum(inContext.map((row) => estimated(size, pseudo, row)))
    return read.length === 0 ? 0 : mixed(estimated(size, pseudo, read, 1), apart) - Math.log(size)
  }
  /** Of depth two: below each symbol, once two stand before, the same choice between it and the two. */
  const ofTwo = (size: number, pseudo: number, read: readonly number[]) => {
    const below = byContext(read).map((at) => {
      // The second symbol of the text has but one before it.
      const early = at[0] === 1 ? 1 : 0
      const rest = at.slice(early)
      const symbols = (places: readonly number[]) => places.map((i) => read[i] as number)
      const pairs = [...new Set(rest.map((i) => read[i - 2]))].map((d) => rest.filter((i) => read[i - 2] === d))
      const deeper = sum(pairs.map((places) => estimated(size, pseudo, symbols(places))))
      return mixed(estimated(size, pseudo, symbols(at), early), deeper) - early * Math.log(size)
    })
    return read.length === 0 ? 0 : mixed(estimated(size, pseudo, read, 1), sum(below)) - Math.log(size)
  }

  it.each([
    [1, ofOne],
    [2, ofTwo],
  ] as const)(
    'is the even mixture of all trees of depth %i, with few contexts and with many',
    (depth, byDefinition) => {
      fc.assert(
        fc.property(text, fc.constantFrom(0.1, 0.5, 1), (read, pseudo) => {
          const found = logOf(new ContextTreeWeighting(3, depth, pseudo), read)
          expect(found).toBeCloseTo(byDefinition(3, pseudo, read), 9)
        }),
      )
      // A round of sixty that is now and then broken: the symbols before tell what comes, and new ones come all along.
      const read = Array.from({ length: 300 }, (_, i) => (i * 7 + (i % 11 === 0 ? i : 0)) % 60)
      expect(logOf(new ContextTreeWeighting(60, depth, 0.3), read)).toBeCloseTo(byDefinition(60, 0.3, read), 6)
    },
  )

  it('looks six symbols back with a tenth of a count unless told otherwise', () => {
    const read = Array.from({ length: 60 }, (_, i) => ((i * i) >> 2) % 3)
    expect(logOf(new ContextTreeWeighting(3), read)).toBe(logOf(new ContextTreeWeighting(3, 6, 0.1), read))
    expect(logOf(new ContextTreeWeighting(3), read)).not.toBe(logOf(new ContextTreeWeighting(3, 5), read))
  })
})

describe('a mixture', () => {
  const members = () => [uniform(3), new Markov(3, 1, 0.5), new Markov(3, 0, 0.1)] as const
  it('whose weights stay is the mean of what its members say of the whole text', () => {
    fc.assert(
      fc.property(text, (read) => {
        const mean = mixed(...members().map((member) => logOf(member, read)))
        expect(logOf(new Mixture([...members()], 0), read)).toBeCloseTo(mean, 9)
      }),
    )
  })

  it('whose weights are shared out after every symbol is the mean at each', () => {
    fc.assert(
      fc.property(text, (read) => {
        const list = members()
        const logs = read.map((symbol) => {
          const mean = sum(list.map((member) => member.probability(symbol))) / 3
          for (const member of list) member.read(symbol)
          return Math.log(mean)
        })
        expect(logOf(new Mixture([...members()], 1), read)).toBeCloseTo(sum(logs), 9)
      }),
    )
  })

  it('shares out a hundredth unless told otherwise', () => {
    const read = [0, 0, 1, 0, 0, 2, 0, 0, 1]
    expect(logOf(new Mixture([...members()]), read)).toBe(logOf(new Mixture([...members()], 0.01), read))
    expect(logOf(new Mixture([...members()]), read)).not.toBe(logOf(new Mixture([...members()], 0.02), read))
  })
})

/** Worked out by hand: at each order (count + escapes x shorter order) / (total + distinct), from 1/size up. */
describe('prediction by partial matching, method C', () => {
  it('of order 0: two a and one b of four symbols', () => {
    const probability = having(new BackOff(4, 0, { kind: 'ppm-c' }), [0, 0, 1])
    expect([0, 1, 2, 3].map(probability)).toEqual([2.5 / 5, 1.5 / 5, 0.5 / 5, 0.5 / 5])
  })

  it('counts a symbol at the shorter contexts only where the longer did not know it', () => {
    // a b a b: the second b was known after a, so that a stands twice without context and b once.
    const probability = having(new BackOff(2, 1, { kind: 'ppm-c' }), [0, 1, 0, 1])
    const [a, b] = [(2 + 2 * 0.5) / (3 + 2), (1 + 2 * 0.5) / (3 + 2)]
    expect(probability(0)).toBeCloseTo((1 + a) / (1 + 1), 12)
    expect(probability(1)).toBeCloseTo((0 + b) / (1 + 1), 12)
  })
})

describe('absolute discounting', () => {
  it('takes the discount from every symbol seen and gives it to the shorter context', () => {
    const probability = having(new BackOff(4, 0, { kind: 'kneser-ney', discount: 0.75 }), [0, 0, 1])
    const left = (0.75 * 2) / 3 / 4
    for (const [x, count] of [2, 1, 0, 0].entries())
      expect(probability(x)).toBeCloseTo(Math.max(count - 0.75, 0) / 3 + left, 12)
  })
})
