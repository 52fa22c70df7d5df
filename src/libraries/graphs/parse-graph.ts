import { isArray, isObject, type Json } from '../../core/json.ts'
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
 * Parses a simple graph from text in one of three formats: JSON (`{"nodes": [...], "edges": [[u, v], ...]}` or
 * node-link `{"nodes": [{"id"}], "links": [{"source", "target"}]}`), GraphML, or an edge list (two names per line, `#`
 * comments). Loops and repeated edges are errors. Linear in the text.
 */
export function parseGraph(text: string): ParsedGraph {
  if (text.length > MAX_CHARACTERS) return fail(`expected at most ${MAX_CHARACTERS} characters, got ${text.length}`)
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return parseJsonGraph(text)
  return start.startsWith('<') ? parseGraphml(text) : parseEdgeList(text)
}

const fail = (message: string): ParsedGraph => ({ kind: 'error', message })

class Builder {
  private readonly ids = new Map<string, number>()
  private readonly names: string[] = []
  private readonly edges: Edge[] = []
  private readonly seen = new Set<string>()
  private problem: string | null = null

  node(name: string): number {
    let id = this.ids.get(name)
    if (id === undefined) {
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
    if (u === v) this.problem ??= `an edge joins two different nodes, got "${from}" twice`
    else if (this.seen.has(key)) this.problem ??= `the edge "${from}" - "${to}" is given twice`
    this.seen.add(key)
    this.edges.push([u, v])
  }

  done(): ParsedGraph {
    if (this.problem !== null) return fail(this.problem)
    if (this.names.length < 2) return fail(`a graph needs at least two nodes, got ${this.names.length}`)
    return { kind: 'graph', graph: { n: this.names.length, names: this.names, edges: this.edges } }
  }
}

const nameOf = (value: Json | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

function parseJsonGraph(text: string): ParsedGraph {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return fail(`the graph is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const builder = new Builder()
  const edges = isArray(value) ? value : isObject(value) ? (value['edges'] ?? value['links']) : undefined
  if (edges === undefined || !isArray(edges))
    return fail('expected a list of edges, or an object with "edges" or "links"')
  const nodes = isObject(value) ? value['nodes'] : undefined
  if (nodes !== undefined && isArray(nodes)) {
    for (const node of nodes) {
      const name = isObject(node) ? nameOf(node['id'] ?? node['name']) : nameOf(node)
      if (name === null) return fail(`a node is a name or an object with "id", got ${JSON.stringify(node)}`)
      builder.node(name)
    }
  }
  for (const edge of edges) {
    const from = isArray(edge) ? nameOf(edge[0]) : isObject(edge) ? nameOf(edge['source']) : null
    const to = isArray(edge) ? nameOf(edge[1]) : isObject(edge) ? nameOf(edge['target']) : null
    if (from === null || to === null)
      return fail(`an edge is [u, v] or {"source", "target"}, got ${JSON.stringify(edge).slice(0, 80)}`)
    builder.edge(from, to)
  }
  return builder.done()
}

const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] as string)

function parseGraphml(text: string): ParsedGraph {
  const builder = new Builder()
  let graphs = 0
  for (const tag of text.matchAll(/<(graphml|graph|node|edge)\b([^<>]*)>/g)) {
    const attributes = new Map<string, string>()
    for (const pair of (tag[2] as string).matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
      attributes.set(pair[1] as string, unescaped((pair[2] ?? pair[3]) as string))
    if (tag[1] === 'graph' && ++graphs > 1) return fail('expected one <graph> in the GraphML file, got several')
    if (tag[1] === 'node') {
      const id = attributes.get('id')
      if (id === undefined) return fail('a GraphML node needs an id')
      builder.node(id)
    }
    if (tag[1] === 'edge') {
      const source = attributes.get('source')
      const target = attributes.get('target')
      if (source === undefined || target === undefined) return fail('a GraphML edge needs source and target')
      builder.edge(source, target)
    }
  }
  return graphs === 0 ? fail('the GraphML file has no <graph>') : builder.done()
}

function parseEdgeList(text: string): ParsedGraph {
  const builder = new Builder()
  let number = 0
  for (const raw of text.split('\n')) {
    number++
    const hash = raw.indexOf('#')
    const line = (hash === -1 ? raw : raw.slice(0, hash)).trim()
    if (line === '') continue
    const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : ' '
    const parts = line
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== '')
    if (parts.length !== 2)
      return fail(`line ${number} of the edge list: expected two names, got ${JSON.stringify(line.slice(0, 80))}`)
    builder.edge(parts[0] as string, parts[1] as string)
  }
  return builder.done()
}
