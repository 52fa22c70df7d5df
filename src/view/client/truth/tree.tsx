import { hierarchy, tree as tidy } from 'd3-hierarchy'
import { usePartLinks } from '../parts/links.tsx'
import { visible } from '../parts/words.ts'
import type { DrawingOf, TreeNode } from './kinds.ts'

const ACROSS = 34
const DOWN = 46
/** As much smaller a wide tree becomes before it scrolls. */
const SMALLEST = 0.6

/** A derivation: the string read along the leaves, each inner node the symbol that was rewritten. */
export function Tree({ drawing }: { readonly drawing: DrawingOf<'tree'> }) {
  const link = usePartLinks()
  const root = tidy<TreeNode>().nodeSize([ACROSS, DOWN])(hierarchy(drawing.root, ({ children }) => [...children]))
  const all = root.descendants()
  const xs = all.map(({ x }) => x)
  const left = Math.min(...xs) - 30
  const width = Math.max(...xs) + 30 - left
  const depth = Math.max(...all.map((one) => one.depth))
  const height = depth * DOWN + 44
  const leaves = root.leaves().length
  return (
    <svg
      class="drawing tree"
      width={width}
      height={height}
      style={{ maxWidth: '100%', minWidth: width * SMALLEST, height: 'auto' }}
      viewBox={`${left} -20 ${width} ${height}`}
      role="img"
      aria-label={`a derivation of ${leaves} tokens in ${depth} levels`}
    >
      {root.links().map(({ source, target }) => (
        <path
          key={`${target.x} ${target.y}`}
          class="edge"
          d={`M${source.x},${source.y + 7}C${source.x},${(source.y + target.y) / 2} ${target.x},${(source.y + target.y) / 2} ${target.x},${target.y - 9}`}
        />
      ))}
      {all.map((one) => {
        const linked = link(`note/${one.data.note ?? one.data.label}`)
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: pointing only sets off what is written and drawn anyway
          <g
            key={`${one.x} ${one.y}`}
            transform={`translate(${one.x},${one.y})`}
            class={`${one.children === undefined ? 'leaf' : 'inner'}${linked.on ? ' linked' : ''}`}
            onMouseEnter={linked.enter}
            onMouseLeave={linked.leave}
          >
            <title>{visible(one.data.note ?? one.data.label)}</title>
            <text dy="0.32em" text-anchor="middle">
              {visible(one.data.label).slice(0, 12)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
