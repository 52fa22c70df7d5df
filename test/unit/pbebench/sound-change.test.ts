import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/core/index.ts'
import {
  applyLaw,
  applyLaws,
  parseLaw,
  printLaw,
  type SoundLaw,
  wordOf,
  wordText,
} from '../../../src/libraries/rewriting/sounds/index.ts'
import { answerBlock } from '../../../src/tasks/pbebench/sound-change/prompt.ts'
import type { Answer, Given } from '../../../src/tasks/pbebench/sound-change/question.ts'
import { naturalChanges } from '../../../src/tasks/pbebench/sound-change/sampling/natural-laws.ts'
import { soundChange as task } from '../../../src/tasks/pbebench/sound-change/task.ts'
import { sample } from '../../nightly.ts'

const itemsOf = (preset: string, count: number): readonly Item[] => {
  const source = task.source(task.preset(preset).config, { split: 'test', seed: 'unit' })
  return Array.from({ length: count }, (_, index) => source.item(index)).filter((item) => item.kind === 'item')
}
const givenOf = (item: Item) => item.given as unknown as Given
const truthOf = (item: Item) => item.answer as unknown as Answer
const graded = (item: Item, laws: Answer['laws']) => task.grade?.(item, { laws } as never) ?? { value: -1, parts: {} }
const read = (item: Item, text: string, parser: 'strict' | 'lenient' = 'lenient') => {
  const found = task.parsers?.[parser](text, item)
  return found?.kind === 'extracted' ? (found.answer as unknown as Answer).laws : null
}

function parsed(text: string): SoundLaw {
  const read = parseLaw(text)
  if (read.kind === 'none') throw new Error(read.reason)
  return read.law
}

describe('generated languages', () => {
  it.each(Object.keys(task.presets))(
    '%s loses no item, and its laws are proved on every word that is no loan',
    (preset) => {
      const count = sample({ nightly: 24, otherwise: 10 })
      const items = itemsOf(preset, count)
      expect(items).toHaveLength(count)
      for (const item of items) {
        const grade = graded(item, truthOf(item).laws)
        const { loans, words, languages } = item.features as { loans: number; words: number; languages: number }
        expect(grade.value).toBe(1)
        expect(grade.parts).toMatchObject({ found: 1, extra: 0, unread: 0 })
        expect(grade.parts?.['order'] ?? 1).toBe(1)
        expect(Math.round((1 - (grade.parts?.['shown'] ?? 0)) * words * languages)).toBeLessThanOrEqual(loans)
        expect(item.features[item.features['interaction'] as string]).toBeGreaterThan(0)
      }
    },
  )

  it('needs each of its laws: without one fewer words come out', () => {
    for (const item of itemsOf('sound-change', 12)) {
      const [laws = []] = truthOf(item).laws
      for (const k of laws.keys()) expect(graded(item, [laws.toSpliced(k, 1)]).parts?.['shown']).toBeLessThan(1)
    }
  })

  it('keeps the words of the score out of every prompt and every baseline', () => {
    // Few laws: the search of the baseline is soon over.
    const [item] = itemsOf('sound-change-lite', 1) as readonly [Item]
    const without = { ...item, given: { ...givenOf(item), unseen: [] } as never }
    for (const style of task.styles)
      expect(task.request(without, style, undefined as never)).toEqual(task.request(item, style, undefined as never))
    const { 'shortest-description': search } = task.baselines ?? {}
    if (search?.kind !== 'chat') throw new Error('it is a baseline that answers')
    expect(search.answer(without, undefined as never)).toBe(search.answer(item, undefined as never))
  })
})

describe('the inventory of changes', () => {
  const laws = naturalChanges.flatMap(({ changes }) => changes.flatMap((change) => change.laws))

  it('has an example for each change, and metathesis, dissimilation and harmony among its kinds', () => {
    expect(naturalChanges.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['metathesis', 'dissimilation', 'harmony', 'weakening', 'palatalisation']),
    )
    for (const { changes } of naturalChanges) for (const { example } of changes) expect(example).not.toBe('')
  })

  it('puts no vowel at the end of words, devoices no class everywhere, and undoes none of its laws', () => {
    for (const law of laws) {
      const text = printLaw(law)
      const isEverywhere = law.before.length + law.after.length === 0 && !law.start && !law.end
      expect(law.from.length === 0 && law.end && law.after.length === 0, text).toBe(false)
      expect(isEverywhere && law.to.some((unit) => unit.kind === 'class'), text).toBe(false)
      expect(/\[voiced\] [_#]|_ \[voiced\]/.test(text), text).toBe(false)
    }
    const unconditioned = new Set(laws.map(printLaw).filter((text) => !text.includes('/')))
    for (const text of unconditioned) expect(unconditioned.has(text.split(' > ').toReversed().join(' > '))).toBe(false)
  })

  it('gives laws that change three of the words shown and no more than three in five', () => {
    for (const item of itemsOf('sound-change', 10)) {
      const words = givenOf(item).words.map(({ older }) => wordOf(older))
      let now = words
      for (const law of (truthOf(item).laws[0] ?? []).map(parsed)) {
        const next = now.map((word) => applyLaw(law, word) ?? [])
        const changed = next.filter((word, i) => wordText(word) !== wordText(now[i] ?? [])).length
        expect(changed, printLaw(law)).toBeGreaterThanOrEqual(3)
        expect(changed, printLaw(law)).toBeLessThanOrEqual(0.6 * words.length)
        now = next
      }
    }
  })

  it('gives loans that laws of the language do not make, and says so in the prompt of these alone', () => {
    const promptOf = (item: Item) => JSON.stringify(task.request(item, 'standard', undefined as never))
    for (const item of itemsOf('sound-change-loans', 5)) {
      const laws = (truthOf(item).laws[0] ?? []).map(parsed)
      const odd = givenOf(item).words.filter(
        ({ older, younger }) => wordText(applyLaws(laws, wordOf(older)) ?? []) !== younger[0],
      )
      expect(odd).toHaveLength(5)
      const inherited = new Set(
        givenOf(item)
          .words.filter((word) => !odd.includes(word))
          .flatMap((word) => (word.younger[0] ?? '').split(' ')),
      )
      const strange = odd
        .flatMap(({ younger }) => (younger[0] ?? '').split(' '))
        .filter((sound) => !inherited.has(sound))
      expect(strange.length).toBeLessThan(5)
      expect(promptOf(item)).toContain('loans')
    }
    for (const item of itemsOf('sound-change', 2)) expect(promptOf(item)).not.toContain('loan')
  })
})

describe('a grade', () => {
  const [item] = itemsOf('sound-change', 1) as readonly [Item]
  const [laws = []] = truthOf(item).laws

  it('sees a law that is lost, laws in another order, and laws that say the same in other words', () => {
    expect(graded(item, [laws.slice(1)]).parts?.['found']).toBeCloseTo(1 - 1 / laws.length)
    expect(graded(item, [laws.toReversed()]).parts?.['order']).toBe(0)
    expect(graded(item, [[...laws, 'ʘ > p']]).parts).toMatchObject({ found: 1, extra: 1 })
  })

  it('finds patching long: one law a word describes the words no shorter than the words themselves', () => {
    const { words } = givenOf(item)
    const patches = words.map(({ older, younger }) => `${older} > ${younger[0]}`)
    const parts = graded(item, [patches]).parts ?? {}
    expect(parts['description']).toBeGreaterThan(2 * (parts['descriptionKnown'] ?? Number.POSITIVE_INFINITY))
  })

  it('does not run laws beyond the limit', () => {
    const { limits } = givenOf(item)
    const padded = [...Array.from({ length: limits.laws }, () => 'ʘ > p'), ...laws]
    expect(graded(item, [padded])).toMatchObject({ parts: { laws: limits.laws, unread: laws.length } })
    expect(task.oracle(item, { laws: [padded] } as never)).toBe(false)
  })
})

describe('an answer', () => {
  const [one] = itemsOf('sound-change', 1) as readonly [Item]
  const family = itemsOf('sound-change-family', 4).find((item) => givenOf(item).languages.length === 2) as Item

  it('is read in other hands: numbers, arrows, signs before features, remarks', () => {
    const text = '```text\n1. p -> b / V_V\n2) [+voice] → [-voice] / _#   // at the end\n- `s > h`\n```'
    expect(read(one, text)).toEqual([['p > b / V _ V', '[voiced] > [voiceless] / _ #', 's > h']])
    expect(read(one, text, 'strict')).toBeNull()
    expect(read(one, '```\nEast:\np > b\n```', 'strict')).toEqual([['p > b']])
  })

  it('of several languages names each; laws before any name are of none', () => {
    expect(read(family, '```\n**East:**\np > b\n\nWest\nt > d\n```', 'strict')).toEqual([['p > b'], ['t > d']])
    expect(read(family, '```\np > b\n```')).toBeNull()
    expect(read(family, answerBlock(['East', 'West'], [[], ['t > d']]))).toEqual([[], ['t > d']])
  })

  const reasonOf = (item: Item, text: string) => {
    const found = task.parsers?.lenient(text, item)
    return found?.kind === 'unparsed' ? found.reason : null
  }

  it('is never read without a line that is not understood', () => {
    for (const line of ['q >> >', 'All stops weaken.', 'p > h / (C) _'])
      for (const parser of ['strict', 'lenient'] as const)
        expect(read(one, `\`\`\`\nEast:\np > h / #_\n${line}\n\`\`\``, parser)).toBeNull()
    expect(reasonOf(one, '```\nEast:\np > h\nN > m\n```')).toContain('"N > m" is not understood: "N" is no place')
    expect(reasonOf(one, 'East:\np > h / #_\nfoo > > bar')).toContain('"foo > > bar"')
  })

  it('may hold comments, and may stand without a fence', () => {
    const laws = [['p > h / # _', '[voiced stop] > [voiceless] / # _']]
    const commented =
      '```\nEast:\n# laws\np > h / # _  (word-initial)\n[voiced stop] > [voiceless] / # _   # devoicing\n```'
    for (const parser of ['strict', 'lenient'] as const) expect(read(one, commented, parser)).toEqual(laws)
    for (const text of [
      'The laws:\n\n1. *p > h / #_\n2. [voiced stop] → [voiceless] / #__\n\nHope this helps.',
      'First I tried\np > f\nand failed.\n\n**East:**\n- p > h / #_\n- [voiced stop] > [voiceless] / #_',
      'East: p > h / #_; [voiced stop] > [voiceless] / #_',
      '<think>East:\nk > x</think>\nEast:\np > h / #_\n[voiced stop] > [voiceless] / #_',
    ])
      expect(read(one, text)).toEqual(laws)
    expect(read(family, '## East\np → h / #_\n\n## West\n(no laws)')).toEqual([['p > h / # _'], []])
    expect(read(one, '<think>\n```\nEast:\np > h\n```\nso')).toBeNull()
    expect(read(one, 'East:\np > h\nWait, I forgot one.\nt > d')).toBeNull()
  })
})

describe('the shortest description', () => {
  it('explains most unseen words where laws are few, loans among the words or not', () => {
    for (const preset of ['sound-change-lite', 'sound-change-loans']) {
      const items = itemsOf(preset, sample({ nightly: 8, otherwise: 4 }))
      const values = items.map((item) => {
        const source = task.baselines?.['shortest-description']
        const laws = source?.kind === 'chat' ? read(item, source.answer(item, undefined as never), 'strict') : null
        return [graded(item, laws ?? []).value, graded(item, []).parts?.['unchanged'] ?? 1] as const
      })
      const mean = (k: 0 | 1) => values.reduce((sum, value) => sum + value[k], 0) / values.length
      expect(mean(0)).toBeGreaterThan(0.65)
      expect(mean(0)).toBeGreaterThan(mean(1) + 0.2)
    }
  })
})
