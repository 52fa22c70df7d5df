import { describe, expect, it } from 'vitest'
import { type Stream, sha256, streamFromKey, utf8 } from '../../../src/core/index.ts'
import { compileRecognizer, language } from '../../../src/libraries/grammars/index.ts'
import { matchedPairSampler } from '../../../src/libraries/grammars/negatives/matched-pairs.ts'
import { applySwap, swapFinder } from '../../../src/libraries/grammars/negatives/segment-swap.ts'
import { cykChart } from './cyk.ts'
import { cnf } from './random-cnf.ts'

const seeded = (seed: number): Stream => streamFromKey(sha256(utf8(String(seed))))

/** The n-grams of a string with marks beyond both ends, sorted. */
function grams(tokens: ArrayLike<number>, n: number): string[] {
  const beyond = Array<number>(n - 1).fill(-1)
  const marked = [...beyond, ...Array.from(tokens), ...beyond]
  return Array.from({ length: marked.length - n + 1 }, (_, at) => marked.slice(at, at + n).join()).sort()
}

describe('exchanges', () => {
  it.each([2, 3, 4])('of order %d keep the counts of all n-grams up to it', (k) => {
    const stream = seeded(k)
    const exchangesOf = swapFinder(3)
    let found = 0
    for (let run = 0; run < 400; run++) {
      const tokens = Int32Array.from({ length: 2 + (stream.u32() % 60) }, () => stream.u32() % 3)
      const draw = exchangesOf(tokens, k)
      const exchange = draw === null ? null : draw(stream)
      if (exchange === null) continue
      found++
      const twin = applySwap(tokens, exchange)
      const { p, x, q, y } = exchange
      expect(p < x && x <= q && q < y).toBe(true)
      expect(tokens.slice(p, x)).not.toEqual(tokens.slice(q, y))
      for (let n = 1; n <= k; n++) expect(grams(twin, n)).toEqual(grams(tokens, n))
    }
    expect(found).toBeGreaterThan(50)
  })

  it('are none where no context comes twice', () => {
    expect(swapFinder(4)(Int32Array.of(0, 1, 2, 3), 2)).toBeNull()
  })
})

describe('twins', () => {
  // a^n b^n, then any number of c: S -> A B, A -> a X | a b (as symbols), B -> c B | c.
  const grammar = cnf(
    7,
    3,
    [
      [0, 1, 2],
      [1, 3, 4],
      [1, 3, 5],
      [4, 1, 5],
      [2, 6, 2],
      [2, 2, 1],
    ],
    [
      [3, 0],
      [5, 1],
      [6, 2],
      [2, 2],
    ],
  )
  const own = language(grammar, 24)
  const recognizer = compileRecognizer(grammar)
  const lessons = { lengths: [16, 18, 20, 22], members: () => [], lessons: seeded(1) }
  const rules = {
    least: 2,
    most: 3,
    share: 0.1,
    lessons: 300,
    counted: { orders: [3, 5], apart: [2, 3], periods: [] } as const,
  }
  const paired = {
    terminals: 3,
    sample: (stream: Stream, length: number) => own.sampler.sample(stream, length),
    accepts: (tokens: Int32Array) => recognizer.accepts(tokens),
  }
  const twins = matchedPairSampler(paired, rules, lessons)

  it('are a member and a string outside by the textbook, with equal counts', () => {
    expect(twins.plentiful).toBe(true)
    const stream = seeded(2)
    let found = 0
    for (let run = 0; run < 300; run++) {
      const pair = twins.draw(stream, 20)
      if (pair === null) continue
      found++
      expect(cykChart(grammar, pair.member).has(0, 0, 20)).toBe(true)
      expect(cykChart(grammar, pair.twin).has(0, 0, 20)).toBe(false)
      for (let n = 1; n <= pair.k; n++) expect(grams(pair.twin, n)).toEqual(grams(pair.member, n))
    }
    expect(found).toBeGreaterThan(30)
  })

  it('are next to none where neighbours tell the language', () => {
    // All strings over two tokens.
    const all = cnf(
      2,
      2,
      [
        [0, 1, 1],
        [1, 1, 1],
      ],
      [
        [1, 0],
        [1, 1],
      ],
    )
    const every = compileRecognizer(all)
    const whole = language(all, 24)
    const none = matchedPairSampler(
      {
        terminals: 2,
        sample: (stream, length) => whole.sampler.sample(stream, length),
        accepts: (tokens) => every.accepts(tokens),
      },
      rules,
      { ...lessons, lessons: seeded(3) },
    )
    expect(none.plentiful).toBe(false)
    expect(none.draw(seeded(4), 20)).toBeNull()
  })
})
