import { describe, expect, it } from 'vitest'
import { drawingOf } from '../../../src/view/client/truth/kinds.ts'
import { lossRow } from '../../../src/view/client/truth/losses.ts'
import { discriminate, itemsOf, scored } from './run.ts'

const items = itemsOf(discriminate, { languages: ['g3', 'dyck-1'], repetitions: 1, examples: [2], tests: 4 })
const sum = (values: readonly (number | null)[]): number => values.reduce<number>((all, one) => all + (one ?? 0), 0)

/** The strip of the string that is scored. */
function stripOf(item: (typeof items)[number]) {
  const drawings = (discriminate.drawings?.(item) ?? []).map(drawingOf)
  const strip = drawings.find((one) => one?.kind === 'strip' && one.scored !== undefined)
  if (strip?.kind !== 'strip' || strip.scored === undefined) throw new Error('no strip with a floor')
  return { cells: strip.cells, scored: strip.scored }
}

describe('the strip of a scored string', () => {
  it('has the losses of its tokens above the floor, which sum to what was measured', () => {
    for (const item of items.filter(({ features }) => features['kind'] === 'inside')) {
      const strip = stripOf(item)
      const measured = discriminate.metrics?.(item, scored(item, 'ppm'))
      for (const style of ['lines', 'spaced']) {
        const row = lossRow('ppm', scored(item, 'ppm', style), strip)
        expect(sum(row?.losses ?? [])).toBeCloseTo(measured?.['nats'] ?? Number.NaN, 9)
      }
      expect(sum(strip.scored.floor)).toBeCloseTo(measured?.['floor'] ?? Number.NaN, 9)
      const own = lossRow('oracle', scored(item, 'oracle'), strip)?.losses ?? []
      for (const [i, loss] of own.entries()) expect(loss).toBeCloseTo(strip.scored.floor[i] ?? Number.NaN, 6)
    }
  })

  it('says where a string outside leaves the language: what comes before is a beginning of a string of it', () => {
    const outside = items.filter(({ features }) => features['kind'] !== 'inside')
    for (const item of outside) {
      const { floor } = stripOf(item).scored
      const leaves = floor.indexOf(null)
      expect(leaves).toBeGreaterThanOrEqual(0)
      expect(floor.slice(leaves).every((one) => one === null)).toBe(true)
    }
    expect(outside.length).toBeGreaterThan(10)
  })

  it('is not drawn over tokens that spell something else', () => {
    const [item] = items
    if (item === undefined) throw new Error('no item')
    expect(lossRow('x', [{ text: 'something else', logprob: -1 }], stripOf(item))).toBeNull()
    expect(lossRow('x', [], stripOf(item))).toBeNull()
  })
})
