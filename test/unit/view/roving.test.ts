import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, reached, reachedInText } from '../../../src/view/client/parts/roving.ts'

const box = (x: number, y: number): Box => ({ left: x, right: x + 20, top: y, bottom: y + 10 })

test('arrows go to the nearest part that way, and to the next one where none is', () => {
  // Two rows of a triangle: the upper cell between the lower two.
  const boxes = [box(0, 30), box(30, 30), box(15, 0)]
  expect(reached(boxes, 0, 'ArrowRight')).toBe(1)
  expect(reached(boxes, 1, 'ArrowLeft')).toBe(0)
  expect(reached(boxes, 0, 'ArrowUp')).toBe(2)
  expect(reached(boxes, 2, 'ArrowDown')).not.toBe(2)
  expect(reached(boxes, 0, 'ArrowLeft')).toBeNull()
  expect([reached(boxes, 1, 'Home'), reached(boxes, 1, 'End'), reached(boxes, 1, 'x')]).toEqual([0, 2, null])
  expect([reachedInText(boxes, 2, 'ArrowRight'), reachedInText(boxes, 0, 'ArrowLeft')]).toEqual([0, 2])
})

test('every part is reached from the first, and arrows lead nowhere else than that way', () => {
  const folders = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), {
    selector: String,
    minLength: 1,
    maxLength: 25,
  })
  fc.assert(
    fc.property(folders, (all) => {
      const boxes = all.map(([x, y]) => box(40 * x, 25 * y))
      const found = new Set([0])
      for (const at of found) found.add(reached(boxes, at, 'PageDown') ?? at)
      expect(found.size).toBe(boxes.length)
      for (const [at, from] of boxes.entries()) {
        const right = boxes.filter(({ left }) => left > from.left)
        const to = boxes[reached(boxes, at, 'ArrowRight') ?? -1]
        if (right.length > 0) expect(to?.left).toBeGreaterThan(from.left)
        expect(reached(boxes, reached(boxes, at, 'PageUp') ?? -1, 'PageDown')).toBe(at)
      }
    }),
  )
})
