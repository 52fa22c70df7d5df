import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enc, sha256, streamFromKey } from '../../../src/core/index.ts'
import { allDistances, closure, topologicalOrder } from '../../../src/libraries/graphs/closure.ts'
import {
  chain,
  communities,
  decodePruefer,
  erdosRenyi,
  grid,
  randomPolytree,
  randomTree,
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
const isTree = (graph: Graph): boolean =>
  graph.edges.length === graph.n - 1 && !distancesFrom(neighbours(graph), 0).includes(-1)

const graphs = fc.integer({ min: 1, max: 8 }).chain((n) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), {
      selector: ([u, v]) => `${Math.min(u, v)} ${Math.max(u, v)}`,
    })
    .map((pairs): Graph => ({ n, edges: pairs.filter(([u, v]) => u !== v) as Edge[] })),
)

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

describe('graphs from outside', () => {
  const triangle = {
    n: 3,
    names: ['a', 'b', 'c'],
    edges: [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
  }
  it.each([
    ['edges', '{"nodes":["a","b","c"],"edges":[["a","b"],["b","c"],["c","a"]]}'],
    [
      'node-link',
      '{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"links":[{"source":"a","target":"b"},{"source":"b","target":"c"},{"source":"c","target":"a"}]}',
    ],
    ['a bare list', '[["a","b"],["b","c"],["c","a"]]'],
    ['an edge list', '# comment\na b\nb c\n\nc a # end\n'],
    ['a table', 'a,b\nb,c\nc,a'],
    [
      'GraphML',
      '<?xml version="1.0"?><graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="a"/></graph></graphml>',
    ],
    [
      'GraphML with comments, prefixes and attributes in single quotes',
      `\ufeff<!-- <node id="z"/> --><g:graphml xmlns:g='x'><g:graph><g:node id='a'><g:data><![CDATA[<node id="y"/>]]></g:data></g:node><g:node id='b'/><g:node id='c'/><g:edge target='b' source='&#97;' id='e>1'/><g:edge source='b' target='c'/><g:edge source='c' target='a'/></g:graph></g:graphml>`,
    ],
    [
      'GEXF',
      '<gexf><graph><nodes><node id="a" label="A"/><node id="b"/><node id="c"/></nodes><edges><edge id="0" source="a" target="b" weight="2"/><edge source="b" target="c"/><edge source="c" target="a"/></edges></graph></gexf>',
    ],
    [
      'GML with labels',
      'Creator "me"\nGraph\n[\n  # edge [ source 9 target 9 ]\n  directed 0 node [ id 0 label "a" graphics [ x 1.5 ] ] node [ id 1 label "b" ] node [ id 7 label "c" ]\n edge [ source 0 target 1 value 3 ] edge [ source 1 target 7 ] edge [ source 7 target 0 ] edge [ source 0 target 7 ]\n]\n',
    ],
    [
      'GML without labels',
      'graph [ node [ id a ] node [ id b ] node [ id c ] edge [ source a target b ] edge [ source b target c ] edge [ source c target a ] ]',
    ],
    [
      'd3 by place',
      '{"nodes":[{"name":"a","group":1},{"name":"b"},{"name":"c"}],"links":[{"source":0,"target":1,"value":1},{"source":1,"target":2},{"source":2,"target":0}]}',
    ],
    [
      'd3 by node',
      '{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"links":[{"source":{"id":"a"},"target":{"id":"b"}},{"source":{"id":"b"},"target":{"id":"c"}},{"from":"c","to":"a"}]}',
    ],
    ['weights', 'a b 1\nb c 2.5 1082040961\nc a -1'],
    [
      'what NetworkX writes',
      '{"directed":false,"graph":{},"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"links":[{"source":"a","target":"b"},{"source":"b","target":"c"},{"source":"c","target":"a"}]}',
    ],
    [
      'Cytoscape',
      '{"elements":{"nodes":[{"data":{"id":"a"}},{"data":{"id":"b"}},{"data":{"id":"c"}}],"edges":[{"data":{"source":"a","target":"b"}},{"data":{"source":"b","target":"c"}},{"data":{"source":"c","target":"a"}}]}}',
    ],
    [
      'JSON Graph Format',
      '{"graph":{"nodes":{"a":{"label":"A"},"b":{},"c":{}},"edges":[{"source":"a","target":"b"},{"source":"b","target":"c"},{"source":"c","target":"a"}]}}',
    ],
    ['DIMACS', 'c drawn by hand\np edge 3 3\ne a b\ne b c\ne c a\n'],
    ['heads in pairs', 'user_a,user_b\na,b\nb,c\nc,a'],
    ['nodes that look like a head', 'a b\nb c\nc a'],
    ['a head that names columns', 'Weight;Target;Source\n1;b;a\n2;c;b\n3;a;c'],
    ['a head in front of weights', 'one,other,times\na,b,3\n"b",c,4\nc,a,5'],
    ['rows that R numbered', '"","V1","V2"\n"1","a","b"\n"2","b","c"\n"3","c","a"'],
    ['comments of KONECT', '% sym unweighted\n% 3 3\na b\nb c\nc a\nb a'],
  ])('reads %s', (_, text) => {
    expect(parseGraph(text)).toEqual({ kind: 'graph', graph: triangle })
  })
  it('reads a matrix: all rows are nodes, a stored zero is no edge', () => {
    const text = '%%MatrixMarket matrix coordinate integer symmetric\n%\n4 4 4\n2 1 5\n3 2 0\n2 2 1\n4 1 1\n'
    expect(parseGraph(text)).toEqual({
      kind: 'graph',
      graph: {
        n: 4,
        names: ['1', '2', '3', '4'],
        edges: [
          [1, 0],
          [3, 0],
        ],
      },
    })
  })
  it('of a list passes over a first line of sizes, and over no edge', () => {
    expect(parseGraph('4 3\n1 2\n2 3\n3 4')).toMatchObject({
      graph: {
        n: 4,
        edges: [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
      },
    })
    expect(parseGraph('1 3\n1 2\n2 3\n3 4')).toMatchObject({
      graph: {
        n: 4,
        edges: [
          [0, 1],
          [0, 2],
          [2, 1],
          [1, 3],
        ],
      },
    })
  })
  it('takes numbers for names where nodes are called by them', () => {
    const text = '{"nodes":[{"id":1},{"id":2},{"id":3}],"links":[{"source":1,"target":2}]}'
    expect(parseGraph(text)).toMatchObject({ graph: { names: ['1', '2', '3'], edges: [[0, 1]] } })
  })
  it.each([
    ['a b c', /line 1 of the edge list/],
    ['{"edges":', /not valid JSON/],
    ['{"vertices":[]}', /"edges" or "links"/],
    ['<graphml></graphml>', /no <graph>/],
    ['', /two nodes/],
  ])('refuses %s', (text, message) => {
    const read = parseGraph(text)
    expect(read.kind === 'error' ? read.message : '').toMatch(message)
  })
})
