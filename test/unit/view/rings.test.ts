import { expect, test } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { drawingOf } from '../../../src/view/client/truth/kinds.ts'
import { faults, rings } from '../../../src/view/client/truth/rings.ts'

test('no line of a network of ten runs behind a name that it does not touch, and no name covers another', () => {
  const task = families.flatMap((family) => family.tasks).find(({ name }) => name === 'recoglab/social')
  if (task === undefined) throw new Error('no recoglab/social')
  const config = task.preset('next-hop-tree-10').config
  const source = task.source(config, { split: 'playground', seed: '1' })
  const found: number[] = []
  for (let index = 0; index < 24; index++) {
    const item = source.item(index)
    if (item.kind === 'hole') continue
    const { shared, given, answer } = item
    const drawing = drawingOf(task.drawings?.({ shared, given, answer })[0] ?? null)
    if (drawing?.kind !== 'graph') throw new Error('no graph')
    found.push(faults(rings(drawing).nodes, drawing.edges))
  }
  expect(found).toEqual(found.map(() => 0))
})

test('a line through a box is found, one beside it is not', () => {
  const at = (id: number, x: number, y: number) => ({ id, x, y, width: 40 })
  const edges = [{ from: 0, to: 1 }]
  expect(faults([at(0, 0, 0), at(1, 300, 0), at(2, 150, 5)], edges)).toBe(1)
  expect(faults([at(0, 0, 0), at(1, 300, 0), at(2, 150, 40)], edges)).toBe(0)
  expect(faults([at(0, 0, 0), at(1, 30, 10)], [])).toBe(1)
})
