import { describe, expect, it } from 'vitest'
import { enc, sha256, streamFromKey } from '../../../src/core/index.ts'
import {
  chain,
  communities,
  decodePruefer,
  erdosRenyi,
  grid,
  randomlyOriented,
  randomPolytree,
  randomTree,
  twoParents,
} from '../../../src/libraries/graphs/generate.ts'
import { distancesFrom, type Edge, type Graph, generations, neighbours } from '../../../src/libraries/graphs/graph.ts'

const stream = (name: string) => streamFromKey(sha256(enc(name)))
const drawn = ({ edges }: Graph): string => edges.map(([u, v]) => `${u}-${v}`).join(' ')
const isTree = (graph: Graph): boolean =>
  graph.edges.length === graph.n - 1 && !distancesFrom(neighbours(graph), 0).includes(-1)

describe('graphs as they are drawn on paper', () => {
  it('chains and grids', () => {
    expect([0, 1, 2, 4].map((n) => drawn(chain(n)))).toEqual(['', '', '0-1', '0-1 1-2 2-3'])
    expect(drawn(grid(2, 3))).toBe('0-1 0-3 1-2 1-4 2-5 3-4 4-5')
    expect([grid(1, 1), grid(3, 1), grid(1, 3)].map(drawn)).toEqual(['', '0-1 1-2', '0-1 1-2'])
    expect([grid(2, 3).n, grid(0, 3).n, chain(4).n]).toEqual([6, 0, 4])
  })

  it('trees of Pruefer sequences: each vertex stands in its sequence once less than it has neighbours', () => {
    // H. Pruefer's rule by hand: the least leaf goes first, to the first of the sequence.
    expect(drawn({ n: 6, edges: decodePruefer([3, 3, 3, 4], 6) })).toBe('0-3 1-3 2-3 3-4 4-5')
    expect(drawn({ n: 4, edges: decodePruefer([1, 1], 4) })).toBe('0-1 2-1 1-3')
    const source = stream('boundaries/trees')
    expect([0, 1, 2].map((n) => drawn(randomTree(source, n)))).toEqual(['', '', '0-1'])
    for (let i = 0; i < 50; i++) {
      const code = Array.from({ length: 7 }, () => source.u32() % 9)
      const degrees = neighbours({ n: 9, edges: decodePruefer(code, 9) }).map(({ length }) => length)
      expect(degrees).toEqual(degrees.map((_, v) => 1 + code.filter((one) => one === v).length))
    }
  })

  it('rings of communities', () => {
    expect(drawn(communities(6, 2))).toBe('0-1 0-2 1-2 3-4 3-5 4-5 2-3')
    expect(drawn(communities(4, 1))).toBe('0-1 0-2 1-2 1-3 2-3')
    expect(drawn(communities(3, 3))).toBe('0-1 1-2 2-0')
    // Sizes 3 and 4; borders of the one of four do not know one another.
    expect(drawn(communities(7, 2))).toBe('0-1 0-2 1-2 3-4 3-5 4-5 4-6 5-6 2-3')
  })

  it('random networks have the edges that chance gives them, and arrows either way', () => {
    const source = stream('boundaries/networks')
    expect(drawn(erdosRenyi(source, 4, 1_000_000) as Graph)).toBe('0-1 0-2 0-3 1-2 1-3 2-3')
    expect(drawn(erdosRenyi(source, 1, 0) as Graph)).toBe('')
    expect(erdosRenyi(source, 2, 0, 3)).toBeNull()
    const sizes = Array.from({ length: 60 }, () => (erdosRenyi(source, 14, 600_000) as Graph).edges.length)
    // 91 pairs at 0.6: 54.6 on average, with standard error 0.6.
    expect(Math.abs(sizes.reduce((a, b) => a + b, 0) / 60 - 54.6)).toBeLessThan(3)
    const turned = Array.from({ length: 60 }, () => randomlyOriented(source, chain(11)).edges)
    expect(turned.every((edges) => edges.every(([u, v], i) => Math.min(u, v) === i && Math.abs(u - v) === 1))).toBe(
      true,
    )
    const forward = turned.flat().filter(([u, v]) => u < v).length
    expect(Math.abs(forward - 300)).toBeLessThan(75)
  })

  it('polytrees keep the lines of their tree; nobody has three parents, and some have two', () => {
    const source = stream('boundaries/polytrees')
    const star: Graph = { n: 6, edges: [1, 2, 3, 4, 5].map((v): Edge => [0, v]) }
    const parents = Array.from({ length: 200 }, () => {
      const { edges } = twoParents(source, star)
      expect(edges.map(([u, v]) => Math.max(u, v)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
      return edges.filter(([, child]) => child === 0).length
    })
    expect([...new Set(parents)].sort((a, b) => a - b)).toEqual([0, 1, 2])
    expect(parents.filter((count) => count === 2).length).toBeGreaterThan(60)
    expect(twoParents(source, { n: 0, edges: [] })).toEqual({ n: 0, edges: [] })
    expect(twoParents(source, { n: 1, edges: [] })).toEqual({ n: 1, edges: [] })
  })
})

describe('generators', () => {
  it('decodes every Pruefer code of five vertices to another labelled tree', () => {
    const seen = new Set<string>()
    for (let code = 0; code < 125; code++) {
      const graph = { n: 5, edges: decodePruefer([code % 5, Math.floor(code / 5) % 5, Math.floor(code / 25)], 5) }
      expect(isTree(graph)).toBe(true)
      seen.add(
        graph.edges
          .map(([u, v]) => (u < v ? `${u}${v}` : `${v}${u}`))
          .sort()
          .join(' '),
      )
    }
    expect(seen.size).toBe(125)
  })

  it('draws trees uniformly: 16 labelled trees on four vertices', () => {
    const source = stream('trees')
    const counts = new Map<string, number>()
    for (let i = 0; i < 16000; i++) {
      const key = randomTree(source, 4)
        .edges.map(([u, v]) => (u < v ? `${u}${v}` : `${v}${u}`))
        .sort()
        .join(' ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(16)
    const chi2 = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0)
    expect(chi2).toBeLessThan(45)
  })

  it('makes polytrees with at most two parents each', () => {
    const source = stream('polytrees')
    for (let i = 0; i < 300; i++) {
      const graph = randomPolytree(source, 12)
      expect(isTree(graph)).toBe(true)
      const parents = graph.edges.reduce((all, [, v]) => all.set(v, (all.get(v) ?? 0) + 1), new Map<number, number>())
      expect(Math.max(...parents.values())).toBeLessThanOrEqual(2)
      const level = generations(graph)
      expect(level).not.toBeNull()
      for (const [u, v] of graph.edges) expect((level as Int32Array)[v]).toBe(((level as Int32Array)[u] as number) + 1)
    }
  })

  it('makes connected networks', () => {
    const source = stream('networks')
    for (const graph of [grid(3, 4), communities(15, 3), communities(7, 2), communities(4, 1), chain(5)])
      expect(distancesFrom(neighbours(graph), 0).includes(-1)).toBe(false)
    for (let i = 0; i < 20; i++) {
      const graph = erdosRenyi(source, 12, 300_000) as Graph
      expect(distancesFrom(neighbours(graph), 0).includes(-1)).toBe(false)
    }
    expect(erdosRenyi(source, 30, 1, 5)).toBeNull()
    // Schapiro et al. 2013: three communities of five, every vertex with four neighbours.
    expect(neighbours(communities(15, 3)).map((list) => list.length)).toEqual(Array.from({ length: 15 }, () => 4))
  })
})
