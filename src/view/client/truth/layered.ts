import type { Drawing } from '../drawing/library.ts'
import type { DrawingOf } from './kinds.ts'

/** Places of the boxes by the name they are of, and the lines between them, each to the borders of its boxes. */
export function layered({ nodes, edges }: DrawingOf<'graph'>, { Graph, layout }: Pick<Drawing, 'Graph' | 'layout'>) {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, label } of nodes) graph.setNode(String(id), { width: 18 + 7.2 * label.length, height: 24 })
  for (const [number, { from, to }] of edges.entries()) graph.setEdge(String(from), String(to), {}, String(number))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const at = (id: number): { readonly x: number; readonly y: number; readonly width: number } => {
    const { x = 0, y = 0, width: wide = 0 } = graph.node(String(id))
    return { x, y, width: wide }
  }
  const lines = edges.map(({ from, to }, number) => {
    const { points = [] } = graph.edge(String(from), String(to), String(number)) as {
      points?: { x: number; y: number }[]
    }
    return `M${points.map(({ x, y }) => `${x},${y}`).join('L')}`
  })
  return { width: Math.max(60, width), height: Math.max(40, height), at, lines }
}
