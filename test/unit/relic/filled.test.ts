import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { open } from './items.ts'

interface Entry {
  readonly length: number
  readonly label: Json | undefined
  readonly state: 'Yes' | 'No' | 'proved' | 'given up'
}

/** Every index of some grammars. */
function entries(preset: string, grammars: number): readonly Entry[] {
  const source = open(preset, 'test', { grammars, pool: 2 * grammars })
  return Array.from({ length: source.layout.size as number }, (_, index) => {
    const entry = source.item(index)
    const { length, label } = source.layout.strata[entry.stratum] as { length: number; label?: Json }
    const held = entry.kind === 'item' ? (entry.answer === true ? 'Yes' : 'No') : entry.proved ? 'proved' : 'given up'
    return { length, label, state: held }
  })
}
const share = (list: readonly Entry[], test: (entry: Entry) => boolean) => list.filter(test).length / list.length

describe('what is asked of a grammar', () => {
  it('is given up nowhere in relic-500, where strings of both labels exist in plenty', () => {
    const all = entries('relic-500', 6)
    expect(all.filter(({ state }) => state === 'given up')).toEqual([])
    expect(share(all, ({ state }) => state === 'proved')).toBeLessThan(0.05)
  })

  it('is as in the release in relic-500-published: negatives nearly full at 50 tokens, positives thinned, more No than Yes', () => {
    const all = entries('relic-500-published', 20)
    const long = all.filter(({ length }) => length === 50)
    const [positives, negatives] = [true, false].map((label) => long.filter((entry) => entry.label === label))
    expect(share(negatives ?? [], ({ state }) => state === 'No')).toBeGreaterThan(0.98)
    const reached = share(positives ?? [], ({ state }) => state === 'Yes')
    expect(reached).toBeGreaterThan(0.3)
    expect(reached).toBeLessThan(0.8)
    const asked = all.filter(({ state }) => state === 'Yes' || state === 'No')
    const no = share(asked, ({ state }) => state === 'No')
    expect(no).toBeGreaterThan(0.53)
    expect(no).toBeLessThan(0.65)
  })
})
