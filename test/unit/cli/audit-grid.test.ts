import { describe, expect, it } from 'vitest'
import { gridKnobs, gridTable } from '../../../src/cli/commands/audit-grid.ts'

describe('a grid of knobs', () => {
  it('reads values as YAML, and keeps lists in brackets whole', () => {
    expect(gridKnobs(['terms=4, 8', 'nouns=[a,b],c', 'negated=true'])).toEqual({
      terms: [4, 8],
      nouns: [['a', 'b'], 'c'],
      negated: [true],
    })
  })

  it.each(['terms', '=4', 'terms=', 'terms=,'])('says what it expected instead of %j', (knob) => {
    expect(() => gridKnobs([knob])).toThrow(/expected key=value/)
  })

  it('refuses a knob that is given twice', () => {
    expect(() => gridKnobs(['terms=4', 'terms=8'])).toThrow(/terms is given twice/)
  })

  it('shows a cell that the task does not have', () => {
    expect(gridTable([{ kind: 'refused', cell: ['terms=1'], message: 'too few' }])[1]).toMatch(
      /terms=1\s+refused\s+too few/,
    )
  })
})
