import { type HierarchyPointNode, hierarchy, tree as tidy } from 'd3-hierarchy'
import { useMemo, useState } from 'preact/hooks'
import { plural, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import { Picture } from '../parts/picture.tsx'
import type { DrawingOf, TreeNode } from './kinds.ts'

const ACROSS = 34
const DOWN = 46
/** As much smaller a wide tree becomes before it scrolls. */
const SMALLEST = 0.6

type Node = HierarchyPointNode<TreeNode>

/** A derivation: the string read along the leaves, each inner node the symbol that was rewritten. Stepped from left to right. */
export function Tree({ drawing }: { readonly drawing: DrawingOf<'tree'> }) {
  const link = usePartLinks()
  const { root, order } = useMemo(() => laidOut(drawing.root), [drawing])
  const [until, setUntil] = useState(order.length)
  const all = root.descendants()
  const step = new Map(order.map((node, i) => [node, i]))
  // A node is there once its parent was rewritten.
  const isThere = (node: Node): boolean => node.parent === null || (step.get(node.parent) ?? 0) < until
  const xs = all.map(({ x }) => x)
  const left = Math.min(...xs) - 30
  const width = Math.max(...xs) + 30 - left
  const depth = Math.max(...all.map((one) => one.depth))
  const height = depth * DOWN + 44
  const leaves = root.leaves().length
  return (
    <>
      <Picture
        class="drawing tree"
        width={width}
        height={height}
        style={{ maxWidth: '100%', minWidth: width * SMALLEST, height: 'auto' }}
        viewBox={`${left} -20 ${width} ${height}`}
        label={`a derivation of ${plural(leaves, 'token')} in ${plural(depth, 'level')}`}
      >
        {root.links().map(({ source, target }) => (
          <path
            key={`${target.x} ${target.y}`}
            class={isThere(target) ? 'edge' : 'edge later'}
            d={`M${source.x},${source.y + 7}C${source.x},${(source.y + target.y) / 2} ${target.x},${(source.y + target.y) / 2} ${target.x},${target.y - 9}`}
          />
        ))}
        {all.filter(isThere).map((one) => {
          const { label, note } = one.data
          const says = note === undefined || note.startsWith(label) ? (note ?? label) : `${label}, ${note}`
          const linked = link(`note/${note ?? label}`, visible(says))
          return (
            <g
              key={`${one.x} ${one.y}`}
              transform={`translate(${one.x},${one.y})`}
              class={`${one.children === undefined ? 'leaf' : 'inner'}${linked.on ? ' linked' : ''}`}
              {...asButton(linked)}
            >
              <text dy="0.32em" text-anchor="middle">
                {visible(label).slice(0, 12)}
              </text>
            </g>
          )
        })}
      </Picture>
      <p class="controls">
        <label>
          rules applied: {until} of {order.length}{' '}
          <input
            type="range"
            min={0}
            max={order.length}
            value={until}
            onInput={(event) => setUntil(Number(event.currentTarget.value))}
          />
        </label>
      </p>
      {until === order.length ? null : (
        <p class="note form" role="status">
          {all
            .filter((node) => isThere(node) && !(node.children ?? []).some(isThere))
            .sort(byPlace)
            .map(({ data }) => visible(data.label))
            .join(' ')}
        </p>
      )}
    </>
  )
}

/** The tree with a place for every node, and its inner nodes in the order of the leftmost derivation. */
function laidOut(tree: TreeNode): { readonly root: Node; readonly order: readonly Node[] } {
  const root = tidy<TreeNode>().nodeSize([ACROSS, DOWN])(hierarchy(tree, ({ children }) => [...children]))
  const order: Node[] = []
  root.eachBefore((node) => {
    if (node.children !== undefined) order.push(node)
  })
  return { root, order }
}

const byPlace = (a: Node, b: Node): number => a.x - b.x
