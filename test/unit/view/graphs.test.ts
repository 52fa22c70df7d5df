import { Graph, layout } from '@dagrejs/dagre'
import { expect, test } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { drawingOf } from '../../../src/view/client/truth/kinds.ts'
import { layered } from '../../../src/view/client/truth/layered.ts'

const HALF = 12

/** Does a straight line run through a box? Its points, a hundred of them, are tried. */
function crosses(
  from: readonly number[],
  to: readonly number[],
  box: { x: number; y: number; width: number },
): boolean {
  return Array.from({ length: 101 }, (_, k) => k / 100).some((part) => {
    const [x = 0, y = 0] = [0, 1].map((i) => (from[i] as number) + part * ((to[i] as number) - (from[i] as number)))
    return Math.abs(x - box.x) < box.width / 2 && Math.abs(y - box.y) < HALF
  })
}

test('no line of a network runs behind a name that it does not touch, and no name covers another', () => {
  const task = families.flatMap((family) => family.tasks).find(({ name }) => name === 'recoglab/social')
  if (task === undefined) throw new Error('no recoglab/social')
  const source = task.source(task.preset('next-hop-tree-10').config, { split: 'playground', seed: '1' })
  for (let index = 0; index < 24; index++) {
    const item = source.item(index)
    if (item.kind === 'hole') continue
    const { shared, given, answer } = item
    const drawing = drawingOf(task.drawings?.({ shared, given, answer })[0] ?? null)
    if (drawing?.kind !== 'graph') throw new Error('no graph')
    const { at, lines } = layered(drawing, { Graph, layout })
    const boxes = drawing.nodes.map(({ id }) => ({ id, ...at(id) }))
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= 2 * HALF).toBe(true)
    for (const [number, { from, to }] of drawing.edges.entries()) {
      const points = (lines[number] ?? '')
        .slice(1)
        .split('L')
        .map((point) => point.split(',').map(Number))
      expect(points.length).toBeGreaterThan(1)
      for (const box of boxes.filter(({ id }) => id !== from && id !== to))
        for (const [i, point] of points.slice(1).entries())
          expect(crosses(points[i] as number[], point, box)).toBe(false)
    }
  }
})
