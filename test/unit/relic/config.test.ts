import { describe, expect, it } from 'vitest'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { configOf } from './items.ts'

describe('a range of sizes', () => {
  const ends = { low: 10, high: 5 }

  it.each([
    { kind: 'uniform', ...ends },
    { kind: 'grid', ...ends, step: 5 },
    { kind: 'exponential', mean: 7, ...ends },
  ])('that ends below its beginning is refused: $kind', (terminals) => {
    expect(() => recognize.configure({ terminals })).toThrow(
      /terminals.*sizes from 10 to 5: low must not be above high/s,
    )
    expect(() => recognize.configure({ terminals: { ...terminals, high: 10 } })).not.toThrow()
  })
})

describe('declared cues', () => {
  const cuesOf = (preset: string, changes = {}) => recognize.declaredShortcuts?.(configOf(preset, changes)) ?? []
  const published = cuesOf('relic-500-published')

  it('of the published preset are narrow intervals, however many grammars and strings there are', () => {
    expect(published.find(({ probe }) => probe === 'relic/bigram')?.gain).toEqual([0.25, 0.4])
    expect(cuesOf('relic-500-published', { grammars: 50, perCell: 20 })).toEqual(published)
  })

  it('of other configs with uniform negatives name the same probes and leave room', () => {
    for (const changes of [{ maxLength: 20 }, { trivial: 'published' }, { terminals: { kind: 'fixed', value: 9 } }]) {
      const own = cuesOf('relic-500-published', changes)
      expect(own.find(({ probe }) => probe === 'relic/bigram')?.gain).toEqual([0, 0.5])
      expect(own.map(({ probe }) => probe)).toContain('text/tokens')
    }
  })

  it('speak of lengths just where these are not matched', () => {
    for (const negatives of [['uniform'], ['edit'], ['hard'], ['uniform', 'edit']])
      for (const lengths of ['matched', 'released'])
        expect(
          cuesOf('relic-500', { twins: 'none', negatives, lengths }).some(({ probe }) => probe === 'text/tokens'),
        ).toBe(lengths === 'released')
  })

  it('of a set too small to show them are none', () => {
    expect(cuesOf('relic-500-published', { grammars: 1 })).toEqual([])
  })
})
