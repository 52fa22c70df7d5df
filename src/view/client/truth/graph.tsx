import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Drawn } from '../drawing/drawn.tsx'
import type { Drawing } from '../drawing/library.ts'
import { Picture } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'
import { type Layout, type Placed, rings, widthOf } from './rings.ts'

/** Statements as arrows, laid out in layers so that they point down; a network without direction as rings around who is asked about. */
export const GraphDrawing = ({ drawing }: { drawing: DrawingOf<'graph'> }) =>
  drawing.directed ? (
    <Drawn>{(library) => <Layers drawing={drawing} library={library} />}</Drawn>
  ) : (
    <Rings drawing={drawing} />
  )

function Layers({ drawing, library }: { drawing: DrawingOf<'graph'>; library: Drawing }) {
  const placed = useMemo(() => layered(drawing, library), [drawing])
  return <Network drawing={drawing} placed={placed} />
}

function Rings({ drawing }: { drawing: DrawingOf<'graph'> }) {
  const placed = useMemo(() => rings(drawing), [drawing])
  return <Network drawing={drawing} placed={placed} />
}

/** Brings what is marked into sight where the drawing is higher than its frame. */
function seeMarked(picture: SVGSVGElement | null): void {
  const frame = picture?.closest('.scroll')
  const marked = picture?.querySelector('.node.on')
  if (frame == null || marked == null || frame.scrollHeight <= frame.clientHeight) return
  frame.scrollTop += marked.getBoundingClientRect().top - frame.getBoundingClientRect().top - 40
}

function Network({ drawing, placed }: { drawing: DrawingOf<'graph'>; placed: Layout }) {
  const [near, setNear] = useState<number | null>(null)
  const link = usePartLinks()
  const at = new Map(placed.nodes.map((node) => [node.id, node]))
  const names = new Map(drawing.nodes.map(({ id, label }) => [id, visible(label)]))
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => seeMarked(box.current?.querySelector('svg') ?? null), [placed])
  const touches = (edge: { readonly from: number; readonly to: number }): boolean =>
    edge.from === near || edge.to === near
  return (
    <div ref={box}>
      <Picture
        class={`drawing graph${near === null ? '' : ' pointing'}`}
        width={placed.width}
        height={placed.height}
        viewBox={`0 0 ${placed.width} ${placed.height}`}
        label={`${plural(drawing.nodes.length, 'name')}, ${plural(drawing.edges.length, 'statement')}`}
      >
        <defs>
          <marker
            id="head"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0,0L8,4L0,8z" />
          </marker>
        </defs>
        {drawing.edges.map((edge, number) => {
          const [from, to] = [at.get(edge.from), at.get(edge.to)]
          if (from === undefined || to === undefined) return null
          const end = shortened(from, to)
          const says = `${names.get(edge.from)} ${drawing.directed ? '→' : '–'} ${names.get(edge.to)}`
          const linked = link(`edge/${number}`, says)
          return (
            <line
              key={`${number} ${edge.from} ${edge.to}`}
              class={`edge${edge.marked === true ? ' on' : ''}${touches(edge) ? ' near' : ''}${linked.on ? ' linked' : ''}`}
              {...asButton(linked)}
              x1={from.x}
              y1={from.y}
              x2={end.x}
              y2={end.y}
              {...(drawing.directed ? { 'marker-end': 'url(#head)' } : {})}
            />
          )
        })}
        {drawing.nodes.map(({ id, label, marked }) => {
          const node = at.get(id)
          if (node === undefined) return null
          const around = drawing.edges.filter(({ from, to }) => from === id || to === id).length
          const says = `${visible(label)}${marked ? ', marked' : ''}: ${plural(around, 'statement')}`
          const linked = link(`node/${id}`, says)
          const button = asButton(linked)
          const show = (which: number | null, then: () => void) => (): void => {
            setNear(which)
            then()
          }
          const props = {
            ...button,
            onMouseEnter: show(id, button.onMouseEnter),
            onMouseLeave: show(null, button.onMouseLeave),
            onFocus: show(id, button.onFocus),
            onBlur: show(null, button.onBlur),
          }
          return (
            <g
              key={id}
              class={`node${marked ? ' on' : ''}${linked.on ? ' linked' : ''}`}
              transform={`translate(${node.x},${node.y})`}
              {...props}
            >
              <rect x={-node.width / 2} y={-12} width={node.width} height={24} rx={marked ? 3 : 12} />
              <text dy="0.35em" text-anchor="middle">
                {visible(label)}
              </text>
            </g>
          )
        })}
      </Picture>
    </div>
  )
}

function layered({ nodes, edges }: DrawingOf<'graph'>, { Graph, layout }: Drawing): Layout {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 14, ranksep: 34, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, label } of nodes) graph.setNode(String(id), { width: widthOf(label), height: 24 })
  for (const [number, { from, to }] of edges.entries()) graph.setEdge(String(from), String(to), {}, String(number))
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  return {
    width: Math.max(60, width),
    height: Math.max(40, height),
    nodes: nodes.map(({ id, label }) => {
      const { x = 0, y = 0 } = graph.node(String(id))
      return { id, x, y, width: widthOf(label) }
    }),
  }
}

/** Where an arrow ends: at the border of the box it points to. */
function shortened(from: Placed, to: Placed): { readonly x: number; readonly y: number } {
  const [dx, dy] = [from.x - to.x, from.y - to.y]
  if (dx === 0 && dy === 0) return to
  const scale = Math.min(to.width / 2 / Math.max(1e-9, Math.abs(dx)), 12 / Math.max(1e-9, Math.abs(dy)), 1)
  return { x: to.x + dx * scale, y: to.y + dy * scale }
}
