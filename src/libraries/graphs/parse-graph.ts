import { SaxesParser } from 'saxes'
import { isArray, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Edge, Graph } from './graph.ts'

/** A parsed graph with its vertex names, in order of first mention or of the node list. */
export interface NamedGraph extends Graph {
  readonly names: readonly string[]
}
export type ParsedGraph =
  | { readonly kind: 'graph'; readonly graph: NamedGraph }
  | { readonly kind: 'error'; readonly message: string }

const MAX_CHARACTERS = 4_000_000

/**
 * Parses a graph of who knows whom from the text of a file:
 * - JSON: a list of edges, or `nodes` with `edges` or `links`, whose ends are names, places in the node list (d3), or nodes;
 *   what NetworkX, Cytoscape and graphology write, and JSON Graph Format;
 * - GraphML and GEXF;
 * - GML, where labels name the nodes if no two are equal;
 * - Matrix Market and DIMACS, whose nodes are called by their numbers;
 * - a list of edges, one a line, in columns `source` and `target` or the first two; a third one without a name is a weight.
 *
 * The graph is simple: directions, weights and other attributes are not read, repeated edges count once, and loops do not
 * count. Linear in the text.
 */
export function parseGraph(text: string): ParsedGraph {
  if (text.length > MAX_CHARACTERS)
    return { kind: 'error', message: `expected at most ${MAX_CHARACTERS} characters, got ${text.length}` }
  const start = text.replace(/^\ufeff/u, '').trimStart()
  try {
    const builder = new Builder()
    if (/^[{[]/u.test(start)) readJson(start, builder)
    else if (start.startsWith('<')) readXml(start, builder)
    else if (/^%%MatrixMarket\b/iu.test(start)) readMatrix(start, builder)
    else if (/(?:^|\s)graph\s*\[/iu.test(start)) readGml(start, builder)
    else if (/^p[ \t]+(?:edge|col|sp|aux)\b/mu.test(start))
      for (const [, from = '', to = ''] of start.matchAll(/^[ea][ \t]+(\S+)[ \t]+(\S+)/gmu)) builder.edge(from, to)
    else readEdgeList(text.replace(/^\ufeff/u, ''), builder)
    return builder.done()
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return { kind: 'error', message: error.message }
  }
}

class GraphError extends Error {}

function fail(message: string): never {
  throw new GraphError(message)
}

class Builder {
  private readonly ids = new Map<string, number>()
  private readonly names: string[] = []
  private readonly edges: Edge[] = []
  private readonly seen = new Set<string>()
  private isComplete = false

  /** The nodes that the file lists: its edges join no others. */
  list(names: readonly string[]): void {
    for (const name of names) this.node(name)
    this.isComplete = names.length > 0
  }

  node(name: string): number {
    let id = this.ids.get(name)
    if (id === undefined) {
      if (this.isComplete) fail(`an edge names ${JSON.stringify(name)}, which is none of the nodes of the file`)
      id = this.names.length
      this.ids.set(name, id)
      this.names.push(name)
    }
    return id
  }

  edge(from: string, to: string): void {
    const u = this.node(from)
    const v = this.node(to)
    const key = u < v ? `${u} ${v}` : `${v} ${u}`
    if (u === v || this.seen.has(key)) return
    this.seen.add(key)
    this.edges.push([u, v])
  }

  done(): ParsedGraph {
    if (this.names.length < 2) fail(`a graph needs at least two nodes, got ${this.names.length}`)
    return { kind: 'graph', graph: { n: this.names.length, names: this.names, edges: this.edges } }
  }
}

const nameOf = (value: Json | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** The name of a node, or of one end of an edge that may be a whole node. */
function nodeName(node: Json | undefined): string | null {
  if (node === undefined || !isObject(node)) return nameOf(node)
  const { id, name, key, label } = dataOf(node)
  return nameOf(id ?? name ?? key ?? label)
}

/** Cytoscape keeps what a node or an edge has in `data`. */
const dataOf = (value: JsonObject): JsonObject =>
  isObject(value['data'] ?? null) ? (value['data'] as JsonObject) : value

function endsOf(edge: Json): readonly [string, string] {
  const { from, to, source = from, target = to } = isObject(edge) ? dataOf(edge) : {}
  const names = (isArray(edge) ? [edge[0], edge[1]] : [source, target]).map(nodeName)
  if (names[0] == null || names[1] == null)
    fail(`an edge is [u, v] or {"source", "target"}, got ${JSON.stringify(edge).slice(0, 80)}`)
  return names as [string, string]
}

function readJson(text: string, builder: Builder): void {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    fail(`the graph is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const top: JsonObject = isObject(value) ? value : { edges: value }
  const whole = [top, top['graph'], top['elements']].find(
    (own): own is JsonObject => own !== undefined && isObject(own) && ('edges' in own || 'links' in own),
  )
  const { nodes: named = [], edges = whole?.['links'] } = whole ?? {}
  const listed = isObject(named) ? Object.keys(named) : named
  if (edges === undefined || !isArray(edges)) fail('expected a list of edges, or an object with "edges" or "links"')
  if (!isArray(listed)) fail('expected "nodes" to be a list')
  const nodes = listed.map(
    (node) => nodeName(node) ?? fail(`a node is a name or an object with "id", got ${JSON.stringify(node)}`),
  )
  const ends = edges.map(endsOf)
  const known = new Set(nodes)
  const isListed = ends.every((pair) => pair.every((name) => known.has(name)))
  // Without ids, d3 numbers nodes by their place in the list.
  const isPlaces = !isListed && ends.every((pair) => pair.every((name) => nodes[Number(name)] !== undefined))
  if (isPlaces && known.size < nodes.length) fail('two nodes have the same name, and edges name nodes by place')
  builder.list(nodes)
  for (const [from, to] of ends)
    if (isPlaces) builder.edge(nodes[Number(from)]!, nodes[Number(to)]!)
    else builder.edge(from, to)
}

/** Elements `node` with an `id` and `edge` with `source` and `target`, as GraphML and GEXF have them. */
function readXml(text: string, builder: Builder): void {
  const parser = new SaxesParser()
  let graphs = 0
  const [nodes, edges]: [string[], [from: string, to: string][]] = [[], []]
  parser.on('error', (error) => fail(`the graph is not valid XML: ${error.message}`))
  parser.on('opentag', ({ name, attributes }) => {
    const { id, source, target } = attributes
    switch (name.slice(name.indexOf(':') + 1)) {
      case 'graph':
        if (++graphs > 1) fail('expected one <graph> in the file, got several')
        break
      case 'node':
        nodes.push(id ?? fail('a <node> needs an id'))
        break
      case 'edge':
        if (source === undefined || target === undefined) fail('an <edge> needs source and target')
        edges.push([source, target])
        break
      case 'hyperedge':
        fail('expected edges between two nodes, got a <hyperedge>')
    }
  })
  parser.write(text).close()
  if (graphs === 0) fail('the XML file has no <graph>')
  builder.list(nodes)
  for (const [from, to] of edges) builder.edge(from, to)
}

interface GmlList {
  readonly [key: string]: readonly (string | GmlList)[]
}

function readGml(text: string, builder: Builder): void {
  const tokens = text.replaceAll(/^[ \t]*#.*$/gmu, '').matchAll(/"[^"]*"|[[\]]|[^\s[\]"]+/gu)
  const list = (depth: number): GmlList => {
    const found: { [key: string]: (string | GmlList)[] } = Object.create(null)
    for (const { 0: key } of tokens) {
      if (key === ']') return found
      const value = tokens.next().value?.[0] ?? fail(`the GML file ends behind ${key}`)
      if (depth > 100) fail('the GML file has more than 100 lists in one another')
      found[key.toLowerCase()] ??= []
      const read = value === '[' ? list(depth + 1) : value.replace(/^"(.*)"$/su, (_, inner: string) => unescaped(inner))
      found[key.toLowerCase()]?.push(read)
    }
    return found
  }
  const graphs = list(0)['graph'] ?? []
  const [graph] = graphs
  if (graphs.length !== 1 || typeof graph !== 'object') fail(`expected one graph in the GML file, got ${graphs.length}`)
  const { node: nodes = [], edge: edges = [] } = graph
  const textOf = (of: string | GmlList, key: string): string | null => {
    const [value] = typeof of === 'string' ? [] : (of[key] ?? [])
    return typeof value === 'string' ? value : null
  }
  const ids = nodes.map((node) => textOf(node, 'id') ?? fail('a node of a GML file needs an id'))
  const labels = nodes.map((node) => textOf(node, 'label') ?? '')
  const isLabelled = new Set(labels).size === nodes.length && !labels.includes('')
  const names = new Map(ids.map((id, k) => [id, isLabelled ? labels[k]! : id]))
  for (const id of ids) builder.node(names.get(id)!)
  for (const edge of edges) {
    const [from, to] = ['source', 'target'].map((key) => names.get(textOf(edge, key) ?? ''))
    if (from === undefined || to === undefined)
      fail(`an edge of a GML file joins the ids of two nodes, got ${JSON.stringify(edge).slice(0, 80)}`)
    builder.edge(from, to)
  }
}

const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d{1,6});/gu, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(lt|gt|amp|quot|apos);/gu, (_, name: string) => ENTITIES[name] as string)

function readMatrix(text: string, builder: Builder): void {
  const [header = '', ...lines] = text.split('\n')
  if (!/^%%MatrixMarket\s+matrix\s+coordinate\b/iu.test(header))
    fail(`expected a matrix in coordinate format, got ${JSON.stringify(header.trim().slice(0, 80))}`)
  const rows = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%'))
    .map((line) => line.split(/\s+/u))
  const [[height = '', width = '', count = ''] = [], ...entries] = rows
  const n = Number(height)
  if (height !== width || !(Number.isInteger(n) && n >= 1 && n <= MAX_CHARACTERS))
    fail(`expected a square matrix, got ${height} rows and ${width} columns`)
  if (Number(count) !== entries.length) fail(`expected ${count} entries in the matrix, got ${entries.length}`)
  for (let node = 1; node <= n; node++) builder.node(String(node))
  for (const [row = '', column = '', ...value] of entries) {
    if (![row, column].every((one) => /^[1-9]\d*$/u.test(one) && Number(one) <= n))
      fail(`an entry of the matrix names a row and a column of 1 to ${n}, got ${row} ${column}`)
    if (value.length === 0 || value.some((part) => Number(part) !== 0)) builder.edge(row, column)
  }
}

/** Heads of columns that hold the ends of edges. */
const ENDS = [
  /^(?:(?:source|from|src|start)(?:[ _-]?(?:id|name|node))?|\p{L}{2,}[ _-]?(?:1|a)|follower|sender|parent|u|i)$/iu,
  /^(?:(?:target|to|dst|dest|end)(?:[ _-]?(?:id|name|node))?|\p{L}{2,}[ _-]?(?:2|b)|followee|receiver|child|v|j)$/iu,
]
const isNumber = (cell: string | undefined): boolean => cell !== undefined && cell !== '' && !Number.isNaN(Number(cell))

/** Ends, a weight and a time; more cells without names are a matrix or a table of something else. */
const MAX_CELLS = 4

function readEdgeList(text: string, builder: Builder): void {
  const lines = text
    .split('\n')
    .map((line, k) => ({ number: k + 1, line: line.replace(/(?:^\s*[%#]|\s#).*/u, '').trim() }))
    .filter(({ line }) => line !== '')
  const table = lines.map(({ number, line }) => ({ number, line, cells: cellsOf(line) }))
  // R numbers rows, and leaves the head of the numbers empty.
  const isNumbered = table[0]?.cells[0] === '' && table.slice(1).every(({ cells }) => isNumber(cells[0]))
  if (table[0]?.cells[0] === '' && !isNumbered)
    fail('expected a list of edges, got an adjacency matrix or another table')
  const plain = isNumbered ? table.map((row) => ({ ...row, cells: row.cells.slice(1) })) : table
  const rows = isSize(plain[0]?.cells ?? [], plain.slice(1)) ? plain.slice(1) : plain
  const [head, ...others] = rows
  const columns = ENDS.map((pattern) => head?.cells.findIndex((cell) => pattern.test(cell)) ?? -1)
  const isNode = (name: string | undefined) => others.some(({ cells }) => columns.some((k) => cells[k] === name))
  const isNamed = !columns.includes(-1) && !columns.some((k) => isNode(head?.cells[k]))
  const isHead =
    isNamed ||
    isNumbered ||
    (head?.cells.some((_, k) => others.length > 0 && others.every(({ cells }) => isNumber(cells[k]))) &&
      !head.cells.some(isNumber))
  const [from = 0, to = 1] = isNamed ? columns : []
  for (const { number, line, cells } of isHead ? others : rows) {
    const [u = '', v = ''] = [cells[from], cells[to]]
    const isEdge = isNamed || (cells.length <= MAX_CELLS && cells.slice(2).every(isNumber))
    if (u === '' || v === '' || !isEdge)
      fail(
        `line ${number} of the edge list: expected two names, and maybe a weight and a time, or columns "source" and "target"; got ${JSON.stringify(line.slice(0, 80))}`,
      )
    builder.edge(u, v)
  }
}

/** "39 85" above 85 edges between nodes of 1 to 39. */
const isSize = (
  [nodes, edges, ...more]: readonly string[],
  rows: readonly { readonly cells: readonly string[] }[],
): boolean =>
  more.length === 0 &&
  Number(edges) === rows.length &&
  rows.every(({ cells }) => cells.slice(0, 2).every((cell) => Number(cell) <= Number(nodes)))

/** Cells between tabs, semicolons, commas or else blanks; a cell in quotes may hold them. */
function cellsOf(line: string): readonly string[] {
  const sign = ['\t', ';', ','].find((one) => line.includes(one))
  const cell =
    sign === undefined ? /"([^"]*)"|(\S+)/gu : new RegExp(`(?<=^|${sign})\\s*(?:"([^"]*)"|([^${sign}]*))`, 'gu')
  return [...line.matchAll(cell)].map(([, quoted, plain = '']) => quoted ?? plain.trim())
}
