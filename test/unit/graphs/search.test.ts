import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allDistances, closure, topologicalOrder } from '../../../src/libraries/graphs/closure.ts'
import { chain } from '../../../src/libraries/graphs/generate.ts'
import {
  distancesFrom,
  type Edge,
  type Graph,
  generations,
  isWalk,
  neighbours,
  nextHops,
  shortestPath,
} from '../../../src/libraries/graphs/graph.ts'
import { negative, positive, solveTwoSat } from '../../../src/libraries/graphs/two-sat.ts'

const graphs = fc.integer({ min: 1, max: 8 }).chain((n) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), {
      selector: ([u, v]) => `${Math.min(u, v)} ${Math.max(u, v)}`,
    })
    .map((pairs): Graph => ({ n, edges: pairs.filter(([u, v]) => u !== v) as Edge[] })),
)

describe('search', () => {
  const square: Graph = {
    n: 5,
    edges: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ],
  }
  const lists = neighbours(square)

  it('takes the least of two ways, and none where there is none', () => {
    expect(shortestPath(lists, 0, 2)).toEqual([0, 1, 2])
    expect(shortestPath(lists, 2, 2)).toEqual([2])
    expect(shortestPath(lists, 0, 4)).toBeNull()
    expect(nextHops(lists, 0, 2)).toEqual([1, 3])
    expect([nextHops(lists, 2, 2), nextHops(lists, 0, 4)]).toEqual([[], []])
    expect([...distancesFrom(lists, 1)]).toEqual([1, 0, 1, 2, -1])
    const arrows = neighbours(
      {
        n: 3,
        edges: [
          [0, 1],
          [1, 2],
        ],
      },
      true,
    )
    expect([shortestPath(arrows, 0, 2), shortestPath(arrows, 2, 0)]).toEqual([[0, 1, 2], null])
  })

  it('a walk goes along edges between vertices that there are', () => {
    for (const path of [[0], [4], [0, 1, 2, 3, 0], [1, 0, 1]]) expect(isWalk(lists, path)).toBe(true)
    for (const path of [[], [0, 2], [0, 0], [5], [-1], [0, 1, 5], [0.5], [4, 0], [Number.NaN]])
      expect(isWalk(lists, path)).toBe(false)
  })

  it('generations count from the eldest', () => {
    const levels = (n: number, ...edges: readonly Edge[]) => {
      const found = generations({ n, edges })
      return found === null ? null : [...found]
    }
    expect(levels(0)).toEqual([])
    expect(levels(1)).toEqual([0])
    expect(levels(4, [2, 0], [3, 2], [1, 0])).toEqual([2, 1, 1, 0])
    expect(levels(4, [0, 1], [0, 2], [1, 3], [2, 3])).toEqual([0, 1, 1, 2])
    expect(levels(3, [0, 1], [1, 2], [0, 2])).toBeNull()
    expect(levels(2, [0, 1], [1, 0])).toBeNull()
    expect(levels(3, [0, 1])).toBeNull()
  })
})

describe('closure', () => {
  it('reaches across words of bits', () => {
    for (const n of [31, 32, 33, 70]) {
      const known = closure(chain(n))
      for (const [u, v] of [
        [0, n - 1],
        [n - 2, n - 1],
        [n - 1, 0],
        [0, 0],
        [30, 31],
        [5, 4],
      ] as const)
        if (Math.max(u, v) < n) expect([n, u, v, known.reaches(u, v)]).toEqual([n, u, v, u < v])
    }
    const ring = closure({ n: 40, edges: Array.from({ length: 40 }, (_, i): Edge => [i, (i + 1) % 40]) })
    expect([ring.reaches(39, 38), ring.reaches(33, 33)]).toEqual([true, true])
  })

  it('orders by what has nothing before it, the least first', () => {
    expect(
      topologicalOrder({
        n: 4,
        edges: [
          [3, 1],
          [1, 0],
          [2, 0],
        ],
      }),
    ).toEqual([2, 3, 1, 0])
    expect(topologicalOrder({ n: 0, edges: [] })).toEqual([])
    expect(
      topologicalOrder({
        n: 3,
        edges: [
          [0, 1],
          [1, 2],
          [2, 1],
        ],
      }),
    ).toBeNull()
  })

  it('measures all ways at once; a loop is no way', () => {
    const far = Number.POSITIVE_INFINITY
    const edges: readonly Edge[] = [
      [0, 1],
      [1, 2],
      [1, 1],
    ]
    expect([...allDistances({ n: 3, edges })]).toEqual([0, 1, 2, 1, 0, 1, 2, 1, 0])
    expect([...allDistances({ n: 3, edges }, true)]).toEqual([0, 1, 2, far, 0, 1, far, far, 0])
  })
})

describe('search agrees with Floyd-Warshall', () => {
  for (const directed of [false, true])
    it(directed ? 'along arrows' : 'along lines', () => {
      fc.assert(
        fc.property(graphs, (graph) => {
          const all = allDistances(graph, directed)
          const lists = neighbours(graph, directed)
          for (let u = 0; u < graph.n; u++) {
            const from = distancesFrom(lists, u)
            for (let v = 0; v < graph.n; v++) {
              const d = all[u * graph.n + v] as number
              expect(from[v]).toBe(d === Number.POSITIVE_INFINITY ? -1 : d)
              const path = shortestPath(lists, u, v)
              expect(path === null ? -1 : path.length - 1).toBe(from[v])
              if (path !== null) expect(isWalk(lists, path)).toBe(true)
              const hops =
                d === 0 || d === Number.POSITIVE_INFINITY
                  ? []
                  : [...lists.keys()].filter(
                      (w) => (lists[u] as number[]).includes(w) && all[w * graph.n + v] === d - 1,
                    )
              expect(nextHops(lists, u, v)).toEqual(hops)
            }
          }
        }),
      )
    })

  it('closure is reachability, and an order exists exactly without a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const known = closure(graph)
        const all = allDistances(graph, true)
        let cyclic = false
        for (let u = 0; u < graph.n; u++) {
          for (let v = 0; v < graph.n; v++)
            if (u !== v) expect(known.reaches(u, v)).toBe(all[u * graph.n + v] !== Number.POSITIVE_INFINITY)
          cyclic ||= known.reaches(u, u)
        }
        const order = topologicalOrder(graph)
        expect(order === null).toBe(cyclic)
        if (order !== null) for (const [u, v] of graph.edges) expect(order.indexOf(u)).toBeLessThan(order.indexOf(v))
      }),
    )
  })
})

describe('2-SAT', () => {
  it('agrees with trying all assignments', () => {
    const literal = fc.tuple(fc.nat(4), fc.boolean()).map(([x, yes]) => (yes ? positive(x) : negative(x)))
    const clause = fc.oneof(fc.tuple(literal, literal), fc.tuple(literal))
    fc.assert(
      fc.property(fc.array(clause, { maxLength: 12 }), (clauses) => {
        const holds = (values: readonly boolean[]) =>
          clauses.every((c) => c.some((l) => values[l >> 1] === ((l & 1) === 0)))
        const exists = Array.from({ length: 32 }, (_, bits) =>
          [0, 1, 2, 3, 4].map((x) => ((bits >> x) & 1) === 1),
        ).some(holds)
        const found = solveTwoSat({ variables: 5, clauses })
        expect(found !== null).toBe(exists)
        if (found !== null) expect(holds(found)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

it('2-SAT of nothing, of one, and of what contradicts itself', () => {
  const [x, y, notX, notY] = [positive(0), positive(1), negative(0), negative(1)]
  const solve = (variables: number, ...clauses: Parameters<typeof solveTwoSat>[0]['clauses']) =>
    solveTwoSat({ variables, clauses })
  expect(solve(0)).toEqual([])
  expect(solve(3)).toHaveLength(3)
  expect([solve(1, [x]), solve(1, [notX]), solve(1, [x, x])]).toEqual([[true], [false], [true]])
  expect(solve(1, [x], [notX])).toBeNull()
  expect(solve(2, [notX, y], [x])).toEqual([true, true])
  expect(solve(2, [x, y], [x, notY], [notX, y], [notX, notY])).toBeNull()
  const long = Array.from({ length: 60 }, (_, i) => [negative(i), positive(i + 1)] as const)
  expect(solve(61, ...long, [x])).toEqual(Array.from({ length: 61 }, () => true))
  expect(solve(61, ...long, [x], [negative(60)])).toBeNull()
})
