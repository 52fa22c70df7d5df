import { describe, expect, it } from 'vitest'
import { cellsOf, gridTable } from '../../../src/cli/commands/audit-grid.ts'

describe('a grid of knobs', () => {
  it('has every combination, and keeps lists in brackets whole', () => {
    expect(cellsOf(['terms=4,8', 'nouns=[a,b],c'])).toEqual([
      ['terms=4', 'nouns=[a,b]'],
      ['terms=4', 'nouns=c'],
      ['terms=8', 'nouns=[a,b]'],
      ['terms=8', 'nouns=c'],
    ])
  })

  it.each(['terms', '=4', 'terms=', 'terms=,'])('says what it expected instead of %j', (knob) => {
    expect(() => cellsOf([knob])).toThrow(/expected key=value/)
  })

  it('is refused where it is too large', () => {
    const many = `terms=${Array.from({ length: 30 }, (_, i) => i).join(',')}`
    expect(() => cellsOf([many, many])).toThrow(/900 cells/)
  })

  it('shows a cell that the task does not have', () => {
    expect(gridTable([{ kind: 'refused', cell: ['terms=1'], message: 'too few' }])[1]).toMatch(
      /terms=1\s+refused\s+too few/,
    )
  })
})
