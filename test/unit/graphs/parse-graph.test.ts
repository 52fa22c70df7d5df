import { describe, expect, it } from 'vitest'
import { parseGraph } from '../../../src/libraries/graphs/parse-graph.ts'

const NAMES = 'expected two names, and maybe a weight and a time, or columns "source" and "target"'

describe('graphs from outside', () => {
  const read = (text: string) => {
    const found = parseGraph(text)
    return found.kind === 'graph'
      ? `${found.graph.names.join()}: ${found.graph.edges.map(([u, v]) => `${u}-${v}`).join(' ')}`
      : found.message
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
    ['{"vertices": []}', 'expected a list of edges, or an object with "edges" or "links"'],
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
    ['', 'a graph needs at least two nodes, got 0'],
    ['<graphml></graphml>', /no <graph>/u],
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
})
