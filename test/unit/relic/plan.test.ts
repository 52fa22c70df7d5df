import { describe, expect, it } from 'vitest'
import {
  below,
  bucketsOfSplit,
  partitionBucket,
  type StratumLevels,
  sampleIndices,
  streamFromKey,
} from '../../../src/core/index.ts'
import { grammarStatistics, parseRelicGrammar } from '../../../src/libraries/grammars/index.ts'
import { leastCorrelated, type Point } from '../../../src/tasks/relic/recognize/grammars/plan.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { nightly, sample } from '../../nightly.ts'
import { configOf, open } from './items.ts'

const seeded = (n: number) =>
  streamFromKey(Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? n : n >> (8 * (i % 4)))))

/** sum |off-diagonal Pearson correlation| - mean pairwise distance, from the definition of the published search. */
function objective(points: readonly Point[], all: readonly Point[]): number {
  const low = [0, 1, 2, 3].map((c) => Math.min(...all.map((p) => p[c] as number)))
  const high = [0, 1, 2, 3].map((c) => Math.max(...all.map((p) => p[c] as number)))
  const scaled = points.map((p) =>
    p.map((x, c) => (x - (low[c] as number)) / ((high[c] as number) - (low[c] as number))),
  )
  const column = (c: number) => scaled.map((p) => p[c] as number)
  const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length
  const covariance = (xs: readonly number[], ys: readonly number[]) =>
    mean(xs.map((x, i) => (x - mean(xs)) * ((ys[i] as number) - mean(ys))))
  let correlations = 0
  for (let a = 0; a < 4; a++)
    for (let b = 0; b < 4; b++)
      if (a !== b)
        correlations += Math.abs(
          covariance(column(a), column(b)) /
            Math.sqrt(covariance(column(a), column(a)) * covariance(column(b), column(b))),
        )
  const distances = scaled.flatMap((p, i) =>
    scaled.slice(i + 1).map((q) => Math.hypot(...p.map((x, c) => x - (q[c] as number)))),
  )
  return correlations - mean(distances)
}

describe('the choice of grammars from a pool', () => {
  it('has a lower objective than every one of 200 random choices', () => {
    const stream = seeded(7)
    // Correlated columns: what the choice has to work against.
    const pool = Array.from({ length: 120 }, (): Point => {
      const base = stream.u32() % 90
      return [base, base + (stream.u32() % 30), 2 * base + (stream.u32() % 60), stream.u32() % 100]
    })
    const chosen = leastCorrelated(pool, 20, seeded(1))
    expect(new Set(chosen).size).toBe(20)
    const value = objective(
      chosen.map((i) => pool[i] as Point),
      pool,
    )
    const random = Array.from({ length: 200 }, () =>
      objective(
        sampleIndices(stream, 120, 20).map((i) => pool[i] as Point),
        pool,
      ),
    )
    expect(value).toBeLessThan(Math.min(...random))
    expect(leastCorrelated(pool, 20, seeded(1))).toEqual(chosen)
  })

  it('is what the published search chooses that computes the objective anew for every proposal', () => {
    for (let seed = 0; seed < 2; seed++) {
      const stream = seeded(seed)
      // Few values a column: many points are alike, and swaps of such change nothing.
      const pool = Array.from({ length: 40 }, (): Point => [0, 1, 2, 3].map(() => stream.u32() % 3))
      const draws = seeded(100 + seed)
      const members = sampleIndices(draws, 40, 12)
      const value = (chosen: readonly number[]) =>
        objective(
          chosen.map((i) => pool[i] as Point),
          pool,
        )
      for (let step = 0; step < 1000; step++) {
        const slot = below(draws, 12)
        const candidate = below(draws, 40)
        const swapped = members.with(slot, candidate)
        if (!members.includes(candidate) && value(swapped) < value(members) - 1e-12) members[slot] = candidate
      }
      expect(leastCorrelated(pool, 12, seeded(100 + seed))).toEqual(members.sort((a, b) => a - b))
    }
  })

  it('takes the whole pool or nothing where that is asked for', () => {
    expect(leastCorrelated([[1, 2, 3, 4]], 3, seeded(1))).toEqual([0])
    expect(leastCorrelated([[1, 2, 3, 4]], 0, seeded(1))).toEqual([])
  })
})

describe.each(nightly ? ['train', 'validation', 'test', 'mine'] : ['mine'])('the plan of split %s', (split) => {
  const changes = { grammars: 10, pool: 60, maxLength: 20 }
  const source = open('relic-500', split, changes)
  const grammars = Array.from({ length: 10 }, (_, g) => {
    const group = source.group(g)
    if (group.kind !== 'group') throw new Error('unreachable')
    return group.shared as { readonly grammar: string }
  })

  it('holds no grammar twice up to renaming, and only grammars of its fence', () => {
    const keys = grammars.map((shared) => recognize.partition?.key({ shared, given: null }) ?? '')
    expect(new Set(keys).size).toBe(10)
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{32}$/)
      expect(bucketsOfSplit(split)).toContain(partitionBucket('relic/grammar', key))
    }
  })

  it('can be made again from its keys, and from the seed', () => {
    const keys = (source.plan as { grammars: string[] }).grammars
    expect(keys).toHaveLength(10)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(open('relic-500', split, changes).plan).toEqual(source.plan)
    expect(open('relic-500', split, changes, '2').plan).not.toEqual(source.plan)
    const stored = recognize.source(configOf('relic-500', changes), { split, seed: '1' }, source.plan)
    expect([3, 9].map((g) => stored.group(g))).toEqual([3, 9].map((g) => source.group(g)))
  })

  it('is half of small and half of large grammars, as the published choice was', () => {
    const small = grammars.filter(({ grammar }) => {
      const { terminals, nonterminals, lexical, nonlexical } = grammarStatistics(parseRelicGrammar(grammar))
      return [terminals, nonterminals, lexical, nonlexical].every((value) => value < 100)
    })
    expect(small.length).toBeGreaterThanOrEqual(5)
    expect(small.length).toBeLessThan(10)
  })
})

it('gives a group up, in words, rather than keep a grammar that is told by what is local', () => {
  const exactly = (n: number) => ({ kind: 'uniform', low: n, high: n })
  const tiny = { terminals: exactly(2), nonterminals: exactly(2), binary: exactly(2), lexical: exactly(2) }
  const sizes = { ...tiny, coverage: 0, minLength: 1, maxLength: 12 }
  const group = (twins: string) => open('relic-endless', 'test', { ...sizes, twins }).group(0)
  expect(group('apart')).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('none has twins') })
  expect(group('none')).toMatchObject({ kind: 'group' })
})

describe('layouts', () => {
  const counts = (preset: string, changes = {}) => {
    const { layout } = open(preset, 'test', { grammars: 3, pool: 6, ...changes })
    const found = new Map<string, number>()
    const size = layout.size as number
    for (let index = 0; index < size; index++) {
      const place = layout.at(index)
      if ('stratum' in place) {
        const { length, label } = layout.strata[place.stratum] as StratumLevels
        const key = `${place.group} ${length} ${label}`
        found.set(key, (found.get(key) ?? 0) + 1)
      }
    }
    return { found, size, strata: layout.strata.length, label: layout.label }
  }

  it('matched: every length as often with either label, which are one unit', () => {
    const { found, size, strata, label } = counts('relic-500')
    expect(size).toBe(3 * 49 * 2 * 10)
    expect(strata).toBe(49 * 2)
    expect(label).toBe('label')
    expect([...found.values()].every((count) => count === 10)).toBe(true)
  })

  it('published: classes are cells of their own, from length 1 on', () => {
    const { found, size, label } = counts('relic-500-published')
    expect(size).toBe(3 * 50 * 2 * 10)
    expect(label).toBeUndefined()
    expect(found.get('0 1 true')).toBe(10)
    // Length 1 can hold negatives only: S has no lexical rule. Indices of the positives are proved empty.
    const source = open('relic-500-published', 'test', { grammars: 3, pool: 6, maxLength: 2 })
    const one = Array.from({ length: 3 * 40 }, (_, index) => source.item(index)).filter(
      ({ stratum }) => source.layout.strata[stratum]?.['length'] === 1,
    )
    expect(one.some(({ kind }) => kind === 'item')).toBe(true)
    for (const entry of one)
      if (entry.kind === 'item') expect(entry.answer).toBe(false)
      else if (source.layout.strata[entry.stratum]?.['label'] === true) expect(entry.proved).toBe(true)
  })

  it('never let the place of an index tell its label: by its parity', () => {
    for (const preset of ['relic-500', 'relic-500-published'])
      for (let seed = 0; seed < sample({ nightly: 20, otherwise: 5 }); seed++) {
        const { layout } = open(preset, 'test', { grammars: 3, pool: 6 }, String(seed))
        const labels = Array.from({ length: 2000 }, (_, index) => {
          const place = layout.at(index)
          return 'stratum' in place && layout.strata[place.stratum]?.['label'] === true ? 1 : 0
        })
        const odd = labels.filter((label, index) => label === index % 2).length
        expect(Math.abs(odd / 2000 - 0.5), `${preset} ${seed}`).toBeLessThan(0.06)
      }
  })

  it('matched in fact: a length enters with as many positives as negatives, holes and all', () => {
    const source = open('relic-demo', 'test')
    const found = new Map<string, [number, number]>()
    for (let index = 0; index < (source.layout.size as number); index++) {
      const entry = source.item(index)
      if (entry.kind !== 'item') continue
      const key = `${entry.group} ${entry.features['length']}`
      const counts = found.get(key) ?? [0, 0]
      counts[entry.answer === true ? 1 : 0]++
      found.set(key, counts)
    }
    for (const [key, [negatives, positives]] of found) expect(positives, key).toBe(negatives)
  })
})

describe('grammars without end', () => {
  it('come by number alone, all different, each in the fence, without a plan', () => {
    const source = open('relic-endless', 'test', { maxLength: 12 })
    expect(source.plan).toBeNull()
    expect(source.layout.size).toBeNull()
    const numbers = nightly ? [0, 1, 2, 3, 1_000_000] : [0, 1_000_000]
    const texts = numbers.map((g) => {
      const group = source.group(g)
      if (group.kind !== 'group') throw new Error(group.reason)
      const key = recognize.partition?.key({ shared: group.shared, given: null }) ?? ''
      expect(bucketsOfSplit('test')).toContain(partitionBucket('relic/grammar', key))
      return (group.shared as { grammar: string }).grammar
    })
    expect(new Set(texts).size).toBe(numbers.length)
    const again = open('relic-endless', 'test', { maxLength: 12 })
    const far = again.group(1_000_000)
    expect(far.kind === 'group' && far.shared).toEqual({ grammar: texts.at(-1) })
  })
})
