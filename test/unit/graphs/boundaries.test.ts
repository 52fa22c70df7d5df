import { describe, expect, it } from 'vitest'
import { enc, sha256, streamFromKey } from '../../../src/core/index.ts'
import { allDistances, closure, topologicalOrder } from '../../../src/libraries/graphs/closure.ts'
import {
  chain,
  communities,
  decodePruefer,
  erdosRenyi,
  grid,
  randomlyOriented,
  randomTree,
  twoParents,
} from '../../../src/libraries/graphs/generate.ts'
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
import { parseGraph } from '../../../src/libraries/graphs/parse-graph.ts'
import { negative, positive, solveTwoSat } from '../../../src/libraries/graphs/two-sat.ts'

const stream = (name: string) => streamFromKey(sha256(enc(name)))
const drawn = ({ edges }: Graph): string => edges.map(([u, v]) => `${u}-${v}`).join(' ')

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

const NAMES = 'expected two names, and maybe a weight and a time, or columns "source" and "target"'

describe('graphs from outside', () => {
  const read = (text: string) => {
    const found = parseGraph(text)
    return found.kind === 'graph' ? `${found.graph.names.join()}: ${drawn(found.graph)}` : found.message
  }
  it('keep names in order of first mention, and numbers as names', () => {
    expect(read('b a\nc\tb')).toBe('b,a,c: 0-1 2-0')
    expect(read('x,y # twice\n # none\n\n y , z')).toBe('x,y,z: 0-1 1-2')
    expect(read('  [[1, 2], [2, "3"]]')).toBe('1,2,3: 0-1 1-2')
    expect(read('{"nodes": [{"name": "q"}, {"id": 7, "name": "r"}, "s"], "edges": [[7, "q"]]}')).toBe('q,7,s: 1-0')
    expect(read('{"nodes": ["a", "b"], "edges": []}')).toBe('a,b: ')
    expect(read('a b\n\n# c\nb a\na b\nc c')).toBe('a,b,c: 0-1')
    expect(read("<graphml><graph><edge source='a&lt;b' target='&quot;&amp;'/></graph></graphml>")).toBe('a<b,"&: 0-1')
  })

  it.each([
    ['{"nodes": [{}], "edges": []}', 'a node is a name or an object with "id", got {}'],
    ['{"nodes": [null], "edges": []}', 'a node is a name or an object with "id", got null'],
    ['[["a"]]', 'an edge is [u, v] or {"source", "target"}, got ["a"]'],
    ['[{"source": "a"}]', 'an edge is [u, v] or {"source", "target"}, got {"source":"a"}'],
    ['[7]', 'an edge is [u, v] or {"source", "target"}, got 7'],
    ['{"edges": 7}', 'expected a list of edges, or an object with "edges" or "links"'],
    ['a b\nc', `line 2 of the edge list: ${NAMES}; got "c"`],
    ['x'.repeat(90), `line 1 of the edge list: ${NAMES}; got "${'x'.repeat(80)}"`],
    ['0,1,0,0,1\n1,0,0,0,0', `line 1 of the edge list: ${NAMES}; got "0,1,0,0,1"`],
    ['a b friends', `line 1 of the edge list: ${NAMES}; got "a b friends"`],
    [
      '%%MatrixMarket matrix array real general\n1 1\n1',
      /^expected a matrix in coordinate format, got "%%MatrixMarket matrix array/u,
    ],
    ['%%MatrixMarket matrix coordinate pattern general\n3 2 0', 'expected a square matrix, got 3 rows and 2 columns'],
    [
      '%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 1',
      'an entry of the matrix names a row and a column of 1 to 3, got 0 1',
    ],
    [
      'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 3 ] ]',
      /^an edge of a GML file joins the ids of two nodes, got /u,
    ],
    ['graph [ node [ label "a" ] ]', 'a node of a GML file needs an id'],
    ['graph [ ] graph [ ]', 'expected one graph in the GML file, got 2'],
    [`graph ${'[ a '.repeat(200)}`, 'the GML file has more than 100 lists in one another'],
    [
      '{"nodes": [{"name": "a"}, {"name": "a"}], "links": [{"source": 0, "target": 1}]}',
      'two nodes have the same name, and edges name nodes by place',
    ],
    ['<graphml><graph><hyperedge/></graph></graphml>', 'expected edges between two nodes, got a <hyperedge>'],
    ['<graphml><graph><edge source="a" target="&other;"/></graph></graphml>', /^the graph is not valid XML: /u],
    [`["${'x'.repeat(90)}"]`, `an edge is [u, v] or {"source", "target"}, got "${'x'.repeat(79)}`],
    ['["a"', /^the graph is not valid JSON: ./u],
    ['[]', 'a graph needs at least two nodes, got 0'],
    ['{"nodes": ["a"], "edges": []}', 'a graph needs at least two nodes, got 1'],
    ['<graphml><graph/><graph/></graphml>', 'expected one <graph> in the file, got several'],
    ['<graphml><graph><node/></graph></graphml>', 'a <node> needs an id'],
    ['<graphml><graph><edge source="a"/></graph></graphml>', 'an <edge> needs source and target'],
    ['<graphml><graph><edge target="a"/></graph></graphml>', 'an <edge> needs source and target'],
  ])('say what is wrong with %j', (text, message) => {
    expect(read(text)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  it('are read up to four million characters', () => {
    const padded = (length: number) => 'a b\n'.padEnd(length)
    expect(read(padded(4_000_000))).toBe('a,b: 0-1')
    expect(read(padded(4_000_001))).toBe('expected at most 4000000 characters, got 4000001')
  })
})
