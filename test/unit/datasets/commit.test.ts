import { describe, expect, it } from 'vitest'
import { enc, hex, sha256 } from '../../../src/core/index.ts'
import {
  announce,
  checkAnnounced,
  checkProof,
  checkReveal,
  commitTo,
  examSeed,
  parseAnnouncement,
  parseCommitment,
  parseProof,
  proveItem,
} from '../../../src/datasets/index.ts'
import necklace from '../../toys/necklace.ts'

const secret = '5f'.repeat(32)
const madeWith = { engine: { package: 'toy', version: '0.0.0' } }
const exam = { task: necklace, config: necklace.configure({}), split: 'exam-2027', indices: 50, beacon: null, secret }
const commitment = commitTo(exam, madeWith)

describe('a sealed exam', () => {
  it('is bound as the specification says: vectors', () => {
    const zeros = '0'.repeat(64)
    expect(hex(sha256(enc('touchstone/commit/1', 'relic/recognize', 1, 'exam-2027', zeros, 1000, secret)))).toBe(
      '07265ad5dc77ad9d50e9614bee65800fd1f5ebc8976300223ac987e1041c271f',
    )
    expect(examSeed(secret, null)).toBe(`secret:${secret}`)
    expect(examSeed(secret, `drand:1000000:${zeros}`)).toBe(
      'secret:62bd4b5074b19df9597e02042d6a1ede93e3080db00c87ec5c51f2c263c14f7a',
    )
  })

  it('is opened by its secret, and by no other', () => {
    expect(checkReveal(commitment, necklace, secret)).toEqual([])
    expect(checkReveal(commitment, necklace, '6f'.repeat(32))).toHaveLength(2)
    expect(JSON.stringify(commitment)).not.toContain(secret)
  })

  it.each([
    ['another config', { config: necklace.configure({ beads: 6 }) }],
    ['fewer items', { indices: 49 }],
    ['another split', { split: 'exam-2028' }],
    ['a beacon afterwards', { beacon: 'drand:1:00' }],
    ['another root', { root: '0'.repeat(64) }],
  ])('does not open with %s', (_what, change) => {
    expect(checkReveal({ ...commitment, ...change }, necklace, secret).length).toBeGreaterThan(0)
  })

  it('moves with the beacon while the commitment stands, so that no seed can be tried', () => {
    const later = commitTo({ ...exam, beacon: 'drand:7:ab' }, madeWith)
    expect(later.commitment).toBe(commitment.commitment)
    expect(later.root).not.toBe(commitment.root)
    expect(checkReveal(later, necklace, secret)).toEqual([])
  })

  it('opens one item at a time, holes too, and nothing else passes', () => {
    const kinds = new Set<string>()
    for (let index = 0; index < 50; index++) {
      const proof = parseProof(JSON.stringify(proveItem(exam, index)), 'proof')
      kinds.add(proof.item.kind)
      expect(checkProof(commitment, proof)).toEqual([])
      expect(checkProof(commitment, { ...proof, index: (index + 1) % 50 }).length).toBeGreaterThan(0)
      expect(checkProof(commitment, { ...proof, salt: '0'.repeat(64) }).length).toBeGreaterThan(0)
      if (proof.item.kind === 'item')
        expect(checkProof(commitment, { ...proof, item: { ...proof.item, answer: 'other' } })).toEqual([
          expect.stringMatching(/differs from the hash/u),
        ])
    }
    expect([...kinds].sort()).toEqual(['hole', 'item'])
  })

  it('refuses words as secrets, and files that are something else', () => {
    expect(() => commitTo({ ...exam, secret: 'hunter2' }, madeWith)).toThrow(/64 hex digits/u)
    expect(() => commitTo({ ...exam, indices: 1000 }, madeWith)).toThrow(/96 indices, the exam has 1000/u)
    expect(() => parseCommitment('{"schema":"touchstone/commitment/1"}', 'x.json')).toThrow(/x\.json does not fit/u)
  })
})

describe('an announcement', () => {
  const round = 'drand:5000000'
  const announced = announce({ ...exam, beacon: round }, madeWith)

  it('binds the exam before the value of its round is known, and names no item', () => {
    const later = commitTo({ ...exam, beacon: `${round}:ab` }, madeWith)
    expect(checkAnnounced(parseAnnouncement(JSON.stringify(announced), 'announcement'), later)).toEqual([])
    expect(announced).not.toHaveProperty('root')
    expect(JSON.stringify(announced)).not.toContain(secret)
  })

  it.each([
    ['another secret', { secret: '6f'.repeat(32), beacon: `${round}:ab` }, /^commitment: announced/u],
    ['another round', { beacon: 'drand:5000001:ab' }, /announced the round drand:5000000/u],
    ['a longer number of a round', { beacon: 'drand:50000001:ab' }, /announced the round/u],
    ['no beacon', { beacon: null }, /got none/u],
    ['another split', { split: 'exam-2028', beacon: `${round}:ab` }, /^split: announced/u],
    ['fewer items', { indices: 49, beacon: `${round}:ab` }, /^indices: announced 50, got 49/u],
  ])('is not kept by %s', (_what, change, told) => {
    const problems = checkAnnounced(announced, commitTo({ ...exam, ...change }, madeWith))
    expect(problems).toContainEqual(expect.stringMatching(told))
  })

  it('is not kept with another plugin than was announced', () => {
    const plugins = (digit: string) => [{ name: 'necklace.ts', version: null, sha256: digit.repeat(64) }]
    const first = announce({ ...exam, beacon: round }, { ...madeWith, plugins: plugins('a') })
    const made = (digit: string) =>
      commitTo({ ...exam, beacon: `${round}:ab` }, { ...madeWith, plugins: plugins(digit) })
    expect(checkAnnounced(first, made('a'))).toEqual([])
    expect(checkAnnounced(first, made('b'))).toEqual([
      expect.stringMatching(/plugins: announced necklace\.ts \(sha256 a+\), got necklace\.ts \(sha256 b+\)/u),
    ])
    expect(checkAnnounced(announced, made('a'))).toEqual([expect.stringMatching(/announced none/u)])
  })

  it('takes no value for a round', () => {
    expect(() => announce({ ...exam, beacon: 'round 7' }, madeWith)).toThrow(/e\.g\. drand:5000000/u)
  })
})
