import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cnf, language } from '../../../src/libraries/grammars/index.ts'
import { pack, unpack } from '../../../src/libraries/grammars/sample/distinct.ts'
import { positiveRoster } from '../../../src/libraries/grammars/sample/distinct-sequence.ts'
import { members, stream } from './generation-oracles.ts'
import { anyCnf, cnf } from './random-cnf.ts'

const small = anyCnf({ nonterminals: 4, terminals: 3, rules: 9 })
const texts = (list: readonly ArrayLike<number>[]) => list.map((tokens) => Array.from(tokens).join(' ')).sort()

/** What a roster holds before it ends; it must end. */
function all(grammar: Cnf, length: number, key: number): { strings: Int32Array[]; proved: boolean } {
  const roster = positiveRoster(language(grammar, length), length, stream(key))
  const strings: Int32Array[] = []
  for (;;) {
    const listed = roster.at(strings.length)
    if (listed.kind === 'exhausted') {
      expect(listed.count).toBe(strings.length)
      return { strings, proved: listed.proved }
    }
    strings.push(listed.entry)
  }
}

describe('distinct strings per cell', () => {
  it('are exactly the language below the cap, and exactly the cap above', () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 12 }), (grammar, cap) => {
        const table = language(grammar, 5).distinct(cap)
        for (let n = 1; n <= 5; n++) {
          const truth = texts(members(grammar, n))
          const { complete, strings } = table.cell(n)
          const found = texts(strings.map(unpack))
          expect(new Set(found).size).toBe(found.length)
          expect(complete).toBe(truth.length < cap)
          if (complete) expect(found).toEqual(truth)
          else {
            expect(found.length).toBe(cap)
            for (const text of found) expect(truth).toContain(text)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('see through ambiguity: one string of each length, whatever the number of trees', () => {
    const catalan = cnf(1, 1, [[0, 0, 0]], [[0, 0]])
    const cell = language(catalan, 50).distinct(2).cell(50)
    expect(cell.complete).toBe(true)
    expect(cell.strings.length).toBe(1)
  })

  it('are packed without loss', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(65535)), (tokens) => {
        expect([...unpack(pack(tokens))]).toEqual(tokens)
      }),
    )
  })
})

describe('rosters of positives', () => {
  it('list a small cell completely, without repeats, and prove its end', () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.integer({ min: 1, max: 4 }), (grammar, key, n) => {
        const { strings, proved } = all(grammar, n, key)
        expect(texts(strings)).toEqual(texts(members(grammar, n)))
        expect(proved).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('reach strings that drawing would never meet', () => {
    // The weight of a string of n tokens halves with every b or c: the rarest of 3^4 has weight about 1e-8 of the first.
    const lopsided = cnf(
      3,
      2,
      [...Array.from({ length: 60 }, () => [0, 1, 1]), [0, 1, 2], [1, 1, 1], [2, 2, 2]],
      [...Array.from({ length: 99 }, () => [1, 0]), [2, 1]],
    )
    expect(texts(all(lopsided, 6, 1).strings)).toEqual(texts(members(lopsided, 6)))
  })

  it('do not depend on what is asked for first', () => {
    fc.assert(
      fc.property(small, fc.nat(), (grammar, key) => {
        const forward = positiveRoster(language(grammar, 4), 4, stream(key))
        const backward = positiveRoster(language(grammar, 4), 4, stream(key))
        const last = backward.at(9)
        const seen = Array.from({ length: 10 }, (_, o) => forward.at(o))
        expect(seen[9]).toEqual(last)
        for (let o = 9; o >= 0; o--) expect(backward.at(o)).toEqual(seen[o])
      }),
      { numRuns: 100 },
    )
  })
})
