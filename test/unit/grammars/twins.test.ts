import { describe, expect, it } from 'vitest'
import { sha256, utf8 } from '../../../src/core/hash.ts'
import { type Stream, streamFromKey } from '../../../src/core/streams.ts'
import { matchedPairSampler, ngramBalance } from '../../../src/libraries/grammars/negatives/matched-pairs.ts'
import { applySwap, type SegmentSwap, swapFinder } from '../../../src/libraries/grammars/negatives/segment-swap.ts'
import { compileRecognizer } from '../../../src/libraries/grammars/recognise/recognizer.ts'
import { language } from '../../../src/libraries/grammars/sample/language.ts'
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

describe('the balance of twins', () => {
  /** By its definition, n-grams by name: one weight each, and one shared by those about as frequent in members. */
  function plainBalance(members: readonly Int32Array[], terminals: number) {
    const own = new Map<string, number>()
    const shared = new Map<string, number>()
    const named = (tokens: Int32Array, at: number, order: number) =>
      Array.from({ length: order }, (_, i) => tokens[at + i] ?? terminals).join()
    const every = members.flatMap((tokens) =>
      [3, 4].flatMap((order) =>
        Array.from({ length: tokens.length + order - 1 }, (_, i) => named(tokens, 1 - order + i, order)),
      ),
    )
    const counts = new Map<string, number>()
    for (const name of every) counts.set(name, (counts.get(name) ?? 0) + 1)
    const binOf = (name: string) => {
      const count = counts.get(name) ?? 0
      return `${name.split(',').length} ${count === 0 ? 0 : Math.min(11, 1 + Math.floor(Math.log2(count)))}`
    }
    /** Those of more than `k` tokens that begin before a seam, by `k` tokens or more, and end behind it. */
    const over = (tokens: Int32Array, seams: readonly number[], k: number) =>
      [3, 4]
        .filter((order) => order > k)
        .flatMap((order) =>
          Array.from({ length: tokens.length + order }, (_, i) => i - order)
            .filter((at) => seams.some((seam) => at <= seam - k && at + order > seam))
            .map((at) => named(tokens, at, order)),
        )
    const product = (names: readonly string[]) =>
      names.reduce((all, name) => all * (own.get(name) ?? 1) * (shared.get(binOf(name)) ?? 1), 1)
    const scale = (names: readonly string[], by: number, alike: number) => {
      for (const name of names) {
        own.set(name, (own.get(name) ?? 1) * by)
        shared.set(binOf(name), (shared.get(binOf(name)) ?? 1) * alike)
      }
    }
    const parts = (member: Int32Array, twin: Int32Array, { p, x, q, y }: SegmentSwap, k: number) => ({
      brought: over(twin, [p, p + y - q, p + y - x, y], k),
      lost: over(member, [p, x, q, y], k),
    })
    return {
      chance(member: Int32Array, twin: Int32Array, exchange: SegmentSwap, k: number) {
        const { brought, lost } = parts(member, twin, exchange, k)
        return product(brought) / (product(brought) + product(lost))
      },
      learn(member: Int32Array, twin: Int32Array, exchange: SegmentSwap, k: number, step: number) {
        const { brought, lost } = parts(member, twin, exchange, k)
        scale(brought, 1 - step, 1 - step / 4)
        scale(lost, 1 / (1 - step), 1 / (1 - step / 4))
      },
    }
  }

  it('takes a twin by what it brings and loses, and lowers what was brought too often', () => {
    const stream = seeded(5)
    const string = () => Int32Array.from({ length: 6 + (stream.u32() % 14) }, () => stream.u32() % 2)
    // Thousands of one n-gram are about as frequent as any that are more.
    const members = [...Array.from({ length: 30 }, string), new Int32Array(5000)]
    // With 3 for what is beyond the ends no two of these n-grams share a hash.
    const [ours, plain] = [ngramBalance(members, 3), plainBalance(members, 3)]
    const exchangesOf = swapFinder(2)
    let [asked, moved] = [0, 0]
    for (let run = 0; run < 150; run++) {
      const k = 2 + (run % 3)
      const member = string()
      const exchange = exchangesOf(member, k)?.(stream) ?? null
      if (exchange === null) continue
      const twin = applySwap(member, exchange)
      const chance = ours.chance(member, twin, exchange, k)
      expect(chance).toBeCloseTo(plain.chance(member, twin, exchange, k), 9)
      asked++
      if (Math.abs(chance - 0.5) > 0.01) moved++
      for (const balance of [ours, plain]) balance.learn(member, twin, exchange, k, 0.1)
    }
    expect(asked).toBeGreaterThan(40)
    expect(moved).toBeGreaterThan(20)
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
  const lessons = { lengths: [16, 18, 20, 22], members: [], lessons: seeded(1) }
  const rules = { least: 2, most: 3, share: 0.1 }
  const twins = matchedPairSampler(own, (tokens) => recognizer.accepts(tokens), rules, lessons)

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
    const none = matchedPairSampler(language(all, 24), (tokens) => every.accepts(tokens), rules, {
      ...lessons,
      lessons: seeded(3),
    })
    expect(none.plentiful).toBe(false)
    expect(none.draw(seeded(4), 20)).toBeNull()
  })
})
