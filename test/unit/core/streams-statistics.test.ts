import { describe, expect, it } from 'vitest'
import {
  enc,
  labelKey,
  rootKey,
  Sfc32,
  type Stream,
  sha256,
  streamFromKey,
  streamKey,
} from '../../../src/core/index.ts'
import { sample } from '../../nightly.ts'
import { acrossStreams, betweenNamespaces, insideSequence, type Verdict } from './randomness.ts'

/**
 * Streams are used in an unusual way, millions of them with a few draws each, so they are tested across streams first.
 * Keys are fixed: a pass stays a pass, and the threshold matters only when the algorithm changes.
 * 35 tests at 1e-6 each. The sequences inside one stream are 2^18 draws a test, a quarter of the number across streams.
 */

const threshold = 1e-6
const streams = sample({ nightly: 2 ** 20, otherwise: 2 ** 16 })
const paired = sample({ nightly: 200_000, otherwise: 20_000 })
const sequence = sample({ nightly: 2 ** 18, otherwise: 2 ** 16 })

type Open = (index: number) => Stream

const namespace = (split: string, seed: string, label: string, version: number): Open => {
  const key = labelKey(rootKey('relic/recognize', version, split, seed), label)
  return (index) => streamFromKey(streamKey(key, [index]))
}

const firstDraws = (open: Open, count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, index) => open(index).u32())

/** Four draws of each stream, one stream after another. */
function fourDraws(open: Open, from: number): Uint32Array {
  const out = new Uint32Array(4 * paired)
  for (let i = 0; i < paired; i++) {
    const stream = open(from + i)
    for (let j = 0; j < 4; j++) out[4 * i + j] = stream.u32()
  }
  return out
}

/** Eight draws of stream 0, eight of stream 1, and so on. */
function concatenated(open: Open): Stream {
  let index = 0
  let used = 0
  let stream = open(index)
  return {
    u32() {
      if (used === 8) {
        stream = open(++index)
        used = 0
      }
      used++
      return stream.u32()
    },
  }
}

const failures = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ p }) => !(p >= threshold)).map(({ test, p }) => `${test} (p = ${p})`)

describe('streams look random', () => {
  const here = namespace('test', '42', 'string', 1)

  it('across many streams', () => {
    const verdicts = acrossStreams(firstDraws(here, streams))
    expect(verdicts).toHaveLength(7)
    expect(failures(verdicts)).toEqual([])
  })

  it('between namespaces that differ in seed, split, label or version', () => {
    const base = fourDraws(here, 0)
    const next = namespace('test', '43', 'string', 1)
    const verdicts = [
      ...betweenNamespaces('next seed', base, fourDraws(next, 0)),
      ...betweenNamespaces('next seed, shifted by one', base, fourDraws(next, 1)),
      ...betweenNamespaces('train', base, fourDraws(namespace('train', '42', 'string', 1), 0)),
      ...betweenNamespaces('other label', base, fourDraws(namespace('test', '42', 'grammar', 1), 0)),
      ...betweenNamespaces('other version', base, fourDraws(namespace('test', '42', 'string', 2), 0)),
    ]
    expect(verdicts).toHaveLength(10)
    expect(failures(verdicts)).toEqual([])
  })

  it('inside one stream, and in many short ones laid end to end', () => {
    const verdicts = [
      ...insideSequence('one stream', here(0), sequence),
      ...insideSequence('short streams', concatenated(here), sequence),
    ]
    expect(verdicts).toHaveLength(18)
    expect(failures(verdicts)).toEqual([])
  })
})

describe('what other generators do fails the same tests', () => {
  it('a generator seeded with seed + index, neither hashed nor warmed up', () => {
    const plain: Open = (index) => new Sfc32(42 + index, 0, 0, 1)
    expect(failures(acrossStreams(firstDraws(plain, streams))).length).toBeGreaterThan(5)
    expect(failures(insideSequence('short streams', concatenated(plain), sequence)).length).toBeGreaterThan(5)
  })

  it('a validation seed one above the training seed, when items are seeded with seed + index', () => {
    const seeded =
      (seed: number): Open =>
      (index) =>
        streamFromKey(sha256(enc(seed + index)))
    const validation = fourDraws(seeded(42), 0)
    expect(failures(betweenNamespaces('unshifted', validation, fourDraws(seeded(41), 0)))).toEqual([])
    expect(failures(betweenNamespaces('shifted by one', validation, fourDraws(seeded(41), 1)))).toHaveLength(2)
  })
})
