import { describe, expect, it } from 'vitest'
import { gridTable, parseGrid } from '../../../src/cli/commands/audit-grid.ts'

describe('a grid of parameters', () => {
  it('reads values as YAML, and keeps lists in brackets whole', () => {
    expect(parseGrid(['terms=4, 8', 'nouns=[a,b],c', 'negated=true'])).toEqual({
      terms: [4, 8],
      nouns: [['a', 'b'], 'c'],
      negated: [true],
    })
  })

  it.each(['terms', '=4', 'terms=', 'terms=,'])('says what it expected instead of %j', (grid) => {
    expect(() => parseGrid([grid])).toThrow(/expected KEY=A,B,C/)
  })

  it('refuses a parameter that is given twice', () => {
    expect(() => parseGrid(['terms=4', 'terms=8'])).toThrow(/terms is given twice/)
  })

  it('shows a configuration that the task does not have', () => {
    expect(gridTable([{ kind: 'refused', config: ['terms=1'], message: 'too few' }])[1]).toMatch(
      /terms=1\s+rejected\s+too few/,
    )
  })
})
