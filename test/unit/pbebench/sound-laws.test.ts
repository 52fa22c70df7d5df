import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/core/index.ts'
import type { Rule } from '../../../src/libraries/rewriting/index.ts'
import { presets } from '../../../src/tasks/pbebench/sound-laws/config.ts'
import type { LawsAnswer } from '../../../src/tasks/pbebench/sound-laws/draw.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import { HIGHLAND, LOWLAND, valleyLanguages } from '../../../src/tasks/pbebench/sound-laws/word-pairs.ts'
import type { Examples } from '../../../src/tasks/pbebench/types.ts'

function itemsOf(config: object): readonly Item[] {
  const source = soundLaws.source(soundLaws.configure(config), { split: 'test', seed: 1 })
  return Array.from({ length: source.layout.size ?? 0 }, (_, index) => source.item(index) as Item)
}
const rulesOf = (item: Item) => (item.answer as unknown as LawsAnswer).rules as readonly Rule[]
const question = (item: Item) => ({ shared: null, given: item.given as never, answer: item.answer as never })
const goldGrade = (item: Item) => soundLaws.grade?.(question(item), item.answer as never)

describe('the truth of an item', () => {
  it.each([[0], [0.2]])('is the laws that made the words, where they are known (%s kept out)', (heldOut) => {
    const items = itemsOf({ heldOut })
    expect(items.map(rulesOf)).toEqual([LOWLAND, HIGHLAND])
    for (const item of items) {
      expect(goldGrade(item)).toMatchObject({ value: 1, parts: heldOut === 0 ? {} : { heldOut: 1 } })
      expect(item.features['knownRules']).toBe(rulesOf(item).length)
    }
  })

  it('is found by search where the laws break the limits', () => {
    for (const limits of [{ rules: 11 }, { side: 2 }, { letters: 'abdegiklmnopstuvwʃ' }])
      for (const item of itemsOf({ chunk: 7, ...limits })) {
        if (item.kind !== 'item') continue
        expect(goldGrade(item)).toMatchObject({ value: 1, parts: { invalid: 0, overLimit: 0 } })
        const { rules, letters } = (item.given as unknown as Examples).limits
        expect(rulesOf(item).length).toBeLessThanOrEqual(rules)
        if (letters !== '') expect([...rulesOf(item).flat().join('')].every((one) => letters.includes(one))).toBe(true)
      }
  })

  it('is read back from the gold answer where words hold apostrophes and backslashes', () => {
    const pairs = [
      ["k'a", 'ga'],
      ["tak'u", 'tagu'],
      ['a\\o', 'o'],
    ]
    const [item] = itemsOf({ languages: [{ name: 'own', pairs }] }) as [Item]
    const read = soundLaws.parsers?.['strict']?.(soundLaws.gold?.(question(item)) ?? '', question(item))
    expect(read).toMatchObject({ kind: 'extracted', answer: { rules: rulesOf(item) } })
  })

  it('is of the letters that are told: a list that lacks one is refused', () => {
    const [item] = itemsOf({ letters: 'abdefghiklmnoprstuʃ\u0361' }) as [Item]
    const witness = soundLaws.witness?.(question(item)) as never
    expect(soundLaws.check?.(question(item), witness)).toBe(true)
    const given = item.given as unknown as Examples
    const told = { ...given, limits: { ...given.limits, letters: 'abcd' } }
    expect(soundLaws.check?.({ ...question(item), given: told }, witness)).toBe(false)
  })
})

it('the preset says how many words there are', () => {
  for (const { pairs } of valleyLanguages) expect(presets['valley-laws']?.summary).toContain(`${pairs.length} words`)
})
