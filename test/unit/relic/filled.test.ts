import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { parseRelicGrammar } from '../../../src/libraries/grammars/notation/relic.ts'
import { unpack } from '../../../src/libraries/grammars/sample/distinct.ts'
import { insideWeight } from '../../../src/libraries/grammars/sample/inside.ts'
import { language } from '../../../src/libraries/grammars/sample/language.ts'
import { stringWeight } from '../../../src/libraries/grammars/sample/string-weight.ts'
import { sample } from '../../nightly.ts'
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
    // 2.6 % in all 200 grammars; a few of them have most.
    expect(share(all, ({ state }) => state === 'proved')).toBeLessThan(0.1)
  })

  it('is as in the release in relic-500-published: negatives nearly full at 50 tokens, positives thinned, more No than Yes', () => {
    const all = entries('relic-500-published', sample({ nightly: 20, otherwise: 8 }))
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

  it('has positives of relic-500-published evenly from all of a length, likely ones no oftener, as in the release', () => {
    const source = open('relic-500-published', 'test', { grammars: 24, pool: 48, maxLength: 4 })
    const items = Array.from({ length: source.layout.size as number }, (_, index) => source.item(index))
    const positives = items.filter((item) => item.kind === 'item' && item.answer === true)
    const places = [...Map.groupBy(positives, ({ group }) => group).values()].flatMap((own) => {
      const grammar = parseRelicGrammar(
        (own[0]?.kind === 'item' ? (own[0].shared as { grammar: string }) : never()).grammar,
      )
      const { inside, distinct } = language(grammar, 4)
      const weightOf = stringWeight(grammar, inside)
      return [2, 3, 4].flatMap((length) => {
        const { strings, complete } = distinct(20_000).cell(length)
        const all = strings.map((string) => weightOf(unpack(string)))
        if (!complete || all.length < 30) return []
        const sum = all.reduce((a, b) => a + b, 0)
        expect(sum / (insideWeight(inside, length) * 2 ** (inside.scale * length))).toBeCloseTo(1, 9)
        return own.flatMap((item) => {
          const tokens = item.kind === 'item' ? (item.given as { string: string }).string.split(' ') : []
          if (tokens.length !== length) return []
          const weight = weightOf(tokens.map((token) => grammar.terminals.indexOf(token)))
          const below = all.filter((one) => one < weight * (1 - 1e-9)).length
          const equal = all.filter((one) => Math.abs(one / weight - 1) <= 1e-9).length
          return [(below + equal / 2) / all.length]
        })
      })
    })
    // In proportion to probability it is .65; in the release .50.
    const mean = places.reduce((a, b) => a + b, 0) / places.length
    expect(places.length).toBeGreaterThan(60)
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.1)
  })
})

function never(): never {
  throw new Error('an item was expected')
}
