import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Drawn } from '../drawing/drawn.tsx'
import type { Drawing } from '../drawing/library.ts'
import { Picture } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'
import { layered } from './layered.ts'

/** Statements as arrows or lines between names in layers; those that pass others bend around their boxes. */
export const GraphDrawing = ({ drawing }: { drawing: DrawingOf<'graph'> }) => (
  <Drawn>{(library) => <Network drawing={drawing} library={library} />}</Drawn>
)

/** Brings what is marked into sight where the drawing is higher than its frame. */
function seeMarked(picture: SVGSVGElement | null): void {
  const frame = picture?.closest('.scroll')
  const marked = picture?.querySelector('.node.on')
  if (frame == null || marked == null || frame.scrollHeight <= frame.clientHeight) return
  frame.scrollTop += marked.getBoundingClientRect().top - frame.getBoundingClientRect().top - 40
}

function Network({ drawing, library }: { drawing: DrawingOf<'graph'>; library: Drawing }) {
  const placed = useMemo(() => layered(drawing, library), [drawing])
  const [near, setNear] = useState<number | null>(null)
  const link = usePartLinks()
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
          const says = `${names.get(edge.from)} ${drawing.directed ? '→' : '–'} ${names.get(edge.to)}`
          const linked = link(`edge/${number}`, says)
          return (
            <path
              key={`${number} ${edge.from} ${edge.to}`}
              class={`edge${edge.marked === true ? ' on' : ''}${touches(edge) ? ' near' : ''}${linked.on ? ' linked' : ''}`}
              {...asButton(linked)}
              d={placed.lines[number]}
              {...(drawing.directed ? { 'marker-end': 'url(#head)' } : {})}
            />
          )
        })}
        {drawing.nodes.map(({ id, label, marked }) => {
          const { x, y, width } = placed.at(id)
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
              transform={`translate(${x},${y})`}
              {...props}
            >
              <rect x={-width / 2} y={-12} width={width} height={24} rx={marked ? 3 : 12} />
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
