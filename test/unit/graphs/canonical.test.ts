import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grammarStructure } from '../../../src/libraries/grammars/grammar/statistics.ts'
import { parseRelicGrammar } from '../../../src/libraries/grammars/index.ts'
import { type ColouredStructure, canonical, canonicalInvariant } from '../../../src/libraries/graphs/canonical.ts'

describe('canonical forms', () => {
  it('hash as the recorded vectors', () => {
    const grammar = parseRelicGrammar("S -> A B\nA -> 'a'\nB -> 'b'")
    const found = canonical('relic/grammar', grammarStructure(grammar))
    expect(found.invariant).toBe('194cdc0afe1034bdfaf0a11df32ca9c6')
    expect(found.form).toBe(found.invariant)
    // {ab -> bb, b -> b}: letters a, b (colour 0), pairs (colour 1); in_p = p, out_p = 100 + p with p from 1, len = 1000 + 32 in + out.
    const pbe: ColouredStructure = {
      n: 4,
      colours: [0, 0, 1, 1],
      tuples: [
        [1, 2, 0],
        [2, 2, 1],
        [101, 2, 1],
        [102, 2, 1],
        [1000 + 32 * 2 + 2, 2],
        [1, 3, 1],
        [101, 3, 1],
        [1000 + 32 + 1, 3],
      ],
    }
    expect(canonical('pbe/instance', pbe).invariant).toBe('34113a7e213e98118f72a325833edf22')
  })

  const structures = fc
    .record({
      n: fc.integer({ min: 1, max: 5 }),
      tuples: fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.nat(4), fc.nat(4)), { maxLength: 8 }),
      colours: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 5, maxLength: 5 }),
    })
    .map(
      ({ n, tuples, colours }): ColouredStructure => ({
        n,
        colours: colours.slice(0, n),
        tuples: tuples.map(([r, u, v]) => [r, u % n, v % n]),
      }),
    )

  it('are equal for structures that differ by a renaming, and the labelling leads there', () => {
    fc.assert(
      fc.property(structures, fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 }), (structure, noise) => {
        const order = structure.colours.map((_, v) => v).sort((a, b) => (noise[a] as number) - (noise[b] as number))
        const renamed = rename(structure, order)
        const a = canonical('x', structure)
        const b = canonical('x', renamed)
        expect(b.form).toBe(a.form)
        expect(b.invariant).toBe(a.invariant)
        const place = (s: ColouredStructure, labels: readonly number[] | null) => encode(rename(s, labels as number[]))
        expect(place(renamed, b.labelling)).toBe(place(structure, a.labelling))
      }),
    )
  })

  it('tell colours by their order and numbers only: tuples must tell the rest', () => {
    const form = (colours: readonly number[], tuples: readonly (readonly number[])[]) =>
      canonical('x', { n: 2, colours, tuples }).form
    expect(form([0, 1], [])).toBe(form([0, 0], []))
    expect(
      form(
        [0, 1],
        [
          [0, 0],
          [1, 1],
        ],
      ),
    ).not.toBe(
      form(
        [0, 0],
        [
          [0, 0],
          [0, 1],
        ],
      ),
    )
    fc.assert(
      fc.property(structures, structures, (one, two) => {
        const [a, b] = [ranked(one), ranked(two)]
        const reds = ({ colours }: ColouredStructure) => colours.filter((colour) => colour === 1).length
        if (a.n !== b.n || reds(a) !== reds(b)) return
        const same = permutations(a.n).some((order) => encode(rename(a, order)) === encode(b))
        expect(canonical('x', a).form === canonical('x', b).form).toBe(same)
      }),
      { numRuns: 2000 },
    )
  })

  it('come with the leaves of the search: twins are tried once, other equals of a cell one by one', () => {
    const leaves = (n: number, ...pairs: readonly (readonly [number, number])[]) => {
      const tuples = pairs.flatMap(([u, v]) => [
        [0, u, v],
        [0, v, u],
      ])
      return canonical('x', { n, colours: Array.from({ length: n }, () => 0), tuples }).leaves
    }
    // A path has two ends that no swap of the two exchanges; the rays of a star are twins.
    expect([leaves(1), leaves(3), leaves(2, [0, 1]), leaves(4, [0, 1], [0, 2], [0, 3])]).toEqual([1, 1, 1, 1])
    expect(leaves(4, [0, 1], [1, 2], [2, 3])).toBe(2)
    // A ring of five: five to begin with, then two sides.
    expect(leaves(5, [0, 1], [1, 2], [2, 3], [3, 4], [4, 0])).toBe(10)
  })

  it('are given up beyond 2,000 leaves, and the invariant stays', () => {
    // Rings of five: each has its ten turns and reflections, and any may come first.
    const rings = (count: number) => ({
      n: 5 * count,
      colours: Array.from({ length: 5 * count }, () => 0),
      tuples: Array.from({ length: 5 * count }, (_, v) => {
        const next = 5 * Math.floor(v / 5) + ((v + 1) % 5)
        return [
          [0, v, next],
          [0, next, v],
        ]
      }).flat(),
    })
    const [two, four] = [canonical('x', rings(2)), canonical('x', rings(4))]
    expect([two.leaves, two.form === null, two.labelling?.length]).toEqual([200, false, 10])
    expect([four.leaves, four.form, four.labelling]).toEqual([2001, null, null])
    expect(four.invariant).toBe(canonicalInvariant('x', rings(4)))
  })

  it('tell apart exactly what no renaming makes equal', () => {
    fc.assert(
      fc.property(structures, structures, (a, b) => {
        const same = a.n === b.n && permutations(a.n).some((order) => encode(rename(a, order)) === encode(b))
        const equalForms = canonical('x', a).form === canonical('x', b).form
        // The form tells colours only by their order, so structures are compared with their colours as ranks.
        if (
          encode(ranked(a)) === encode(a) &&
          encode(ranked(b)) === encode(b) &&
          a.tuples.length + b.tuples.length > 0 &&
          same
        )
          expect(equalForms).toBe(true)
        if (equalForms && a.n === b.n)
          expect(permutations(a.n).some((order) => edges(rename(a, order)) === edges(b))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

const rename = ({ n, colours, tuples }: ColouredStructure, to: readonly number[]): ColouredStructure => ({
  n,
  colours: colours.reduce<number[]>((out, colour, v) => {
    out[to[v] as number] = colour
    return out
  }, []),
  tuples: tuples.map((tuple) => tuple.map((value, i) => (i === 0 ? value : (to[value] as number)))),
})
const edges = ({ tuples }: ColouredStructure): string =>
  [...new Set(tuples.map((tuple) => tuple.join()))].sort().join(' ')
const encode = (s: ColouredStructure): string => `${s.colours.join()} | ${edges(s)}`
const ranked = (s: ColouredStructure): ColouredStructure => {
  const levels = [...new Set(s.colours)].sort((x, y) => x - y)
  return { ...s, colours: s.colours.map((colour) => levels.indexOf(colour)) }
}
function permutations(n: number): number[][] {
  if (n === 0) return [[]]
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  )
}
