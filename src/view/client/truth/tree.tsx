import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Picture } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { DrawingOf, TreeNode } from './kinds.ts'

/** Pixels of a leaf at least, and of a level. */
const [LEAF, LEVEL] = [34, 32]
const HEAD = 14

interface Placed {
  readonly node: TreeNode
  readonly x: number
  readonly y: number
  readonly children: readonly Placed[]
}

/** A derivation: its tokens on one line, each inner node the symbol that was rewritten. Too wide for the page it is an outline. */
export function Tree({ drawing }: { drawing: DrawingOf<'tree'> }) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => setWidth(box.current?.clientWidth ?? 0)
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  const { leaves, depth } = useMemo(() => sizeOf(drawing.root), [drawing])
  return (
    <div ref={box} class="tree">
      {width === 0 ? null : leaves * LEAF <= width ? (
        <Picture
          class="drawing"
          width={width}
          height={HEAD + depth * LEVEL + 30}
          label={`a derivation of ${plural(leaves, 'token')} in ${plural(depth, 'level')}`}
        >
          <Branch placed={placed(drawing.root, width / leaves, HEAD + depth * LEVEL)} />
        </Picture>
      ) : (
        <ul class="outline">
          <Line node={drawing.root} />
        </ul>
      )}
    </div>
  )
}

function sizeOf({ children }: TreeNode): { readonly leaves: number; readonly depth: number } {
  const sizes = children.map(sizeOf)
  if (sizes.length === 0) return { leaves: 1, depth: 0 }
  return {
    leaves: sizes.reduce((sum, one) => sum + one.leaves, 0),
    depth: 1 + Math.max(...sizes.map(({ depth }) => depth)),
  }
}

/** Leaves stand on the base line, inner nodes over the middle of their children. */
function placed(root: TreeNode, wide: number, base: number): Placed {
  let leaves = 0
  const place = (node: TreeNode, level: number): Placed => {
    const children = node.children.map((child) => place(child, level + 1))
    const [first, last] = [children[0], children.at(-1)]
    if (first === undefined || last === undefined) return { node, x: (leaves++ + 0.5) * wide, y: base, children }
    return { node, x: (first.x + last.x) / 2, y: HEAD + level * LEVEL, children }
  }
  return place(root, 0)
}

/** How a node is named to who cannot see where it stands. */
const saysOf = ({ label, note }: TreeNode): string =>
  visible(note === undefined || note.startsWith(label) ? (note ?? label) : `${label}, ${note}`)

function Branch({ placed: { node, x, y, children } }: { placed: Placed }) {
  const linked = usePartLinks()(`note/${node.note ?? node.label}`, saysOf(node))
  const isLeaf = children.length === 0
  const label = visible(node.label).slice(0, 12)
  const wide = 7.6 * label.length + 12
  return (
    <>
      {children.map((child, i) => (
        <line
          key={`${i}`}
          class={`edge${child.children.length === 0 && children.length === 1 ? ' lexical' : ''}`}
          x1={x}
          y1={y + 7}
          x2={child.x}
          y2={child.y - 9}
        />
      ))}
      <g
        class={`${isLeaf ? 'leaf' : 'inner'}${linked.on ? ' linked' : ''}`}
        transform={`translate(${x},${y})`}
        {...asButton(linked)}
      >
        {isLeaf ? <rect x={-wide / 2} y={-9} width={wide} height={22} rx={4} /> : null}
        <text dy={isLeaf ? '0.5em' : '0.32em'} text-anchor="middle">
          {label}
        </text>
      </g>
      {children.map((child, i) => (
        <Branch key={`${i}`} placed={child} />
      ))}
    </>
  )
}

function Line({ node }: { node: TreeNode }) {
  const linked = usePartLinks()(`note/${node.note ?? node.label}`, saysOf(node))
  const [only] = node.children
  const lexical = node.children.length === 1 && only !== undefined && only.children.length === 0 ? only : null
  return (
    <li>
      <span class={linked.on ? 'place on' : ''} {...asButton(linked)}>
        {visible(node.label)}
        {lexical === null ? null : <b> {visible(lexical.label)}</b>}
      </span>
      {lexical !== null || node.children.length === 0 ? null : (
        <ul>
          {node.children.map((child, i) => (
            <Line key={`${i}`} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}
