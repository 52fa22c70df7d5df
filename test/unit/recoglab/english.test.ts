import { describe, expect, it } from 'vitest'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { recoglab } from '../../../src/tasks/recoglab/index.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { itemsOf, promptOf, sourceOf } from './items.ts'

type Family = { readonly relation: string; readonly people: string[]; readonly edges: [number, number][] }

const kin = ['parent', 'child'].flatMap((relation) =>
  [
    { network: 'tree' },
    { network: 'tree', passing: 'one-way' },
    { network: 'tree', ask: 'path' },
    { network: 'tree', ask: 'next-hop', order: 'reverse' },
    { network: 'chain', passing: 'one-way', ask: 'path', maxDistance: 2 },
    { network: 'chain' },
    { ask: 'oldest' },
    { ask: 'youngest' },
  ].flatMap((config) => [12, 20, 35].map((people) => ({ ...config, relation, people }))),
)

describe('families', () => {
  it.each(kin)('nobody has more than two parents: %j', (config) => {
    for (const item of itemsOf(sourceOf(social, config), 30)) {
      const { relation, edges } = item.given as unknown as Family
      const parents = new Map<number, number>()
      for (const [a, b] of edges) {
        const child = relation === 'child' ? a : b
        parents.set(child, (parents.get(child) ?? 0) + 1)
      }
      expect(Math.max(...parents.values())).toBeLessThanOrEqual(2)
    }
  })

  it.each(['erdos-renyi', 'grid', 'communities'])('are no %s network', (network) => {
    expect(() => sourceOf(social, { network, relation: 'parent', people: 15 })).toThrow(/three parents/)
  })

  it('share first names, so that a first name alone finds nobody', () => {
    for (const size of [5, 50])
      for (const item of itemsOf(sourceOf(families, { families: size }), 20)) {
        const { families: records } = item.given as unknown as { families: { members: { name: string }[] }[] }
        const names = records.flatMap(({ members }) => members.map(({ name }) => name))
        if (names.length > 2 * size) expect(new Set(names).size).toBeLessThan(names.length)
      }
  })
})

/** A sentence with whatever name it holds left out. */
const pattern = (line: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '_'), line)

describe('sentences', () => {
  it.each(['friend', 'class', 'parent', 'enemies'])('of flavour never repeat a pattern in an item: %s', (relation) => {
    const source = sourceOf(social, { relation, wording: 'flavoured-stating', people: 50, ask: 'path' })
    for (const item of itemsOf(source, 10)) {
      const { people, edges } = item.given as unknown as Family
      const lines = promptOf(source, item, 'bare').split('\n').slice(0, edges.length)
      expect(new Set(lines.map((line) => pattern(line, people))).size).toBe(edges.length)
    }
  })

  it('of filler never repeat a pattern in an item', () => {
    for (const filler of ['prose', 'entities']) {
      const source = sourceOf(social, { filler, fillerLines: 25 })
      for (const item of itemsOf(source, 10)) {
        const { people, edges } = item.given as unknown as Family
        const lines = promptOf(source, item, 'bare')
          .split('\n')
          .slice(0, edges.length + 25)
        const patterns = lines.map((line) => pattern(line, people)).filter((line) => line !== '_ and _ are friends.')
        expect(new Set(patterns).size).toBe(25)
      }
    }
  })

  it.each([
    ['prose', social, {}],
    ['entities', social, {}],
    ['entities', comparison, { entityKind: 'objects', relation: 'size' }],
    ['entities', syllogism, {}],
  ] as const)('of %s never repeat up to 32,000 tokens', (filler, task, config) => {
    for (const tokenCounter of ['characters', 'words']) {
      const source = sourceOf(task, { ...config, filler, padTokens: 32_000, tokenCounter, fillerPosition: 'after' })
      const [item] = itemsOf(source, 1)
      const lines = promptOf(source, item as NonNullable<typeof item>, 'bare').split('\n')
      expect(lines.length).toBeGreaterThan(1500)
      expect(new Set(lines).size).toBe(lines.length)
    }
  })

  it('of filler are those of a file, each once, in an order of its own for each item', () => {
    const own = Array.from({ length: 60 }, (_, i) => `Sentence ${i} says nothing.`)
    const fillerText = `\n${own.join('\n\n')}\n`
    const linesOf = (amount: { fillerLines: number } | { padTokens: number }) => {
      const source = sourceOf(social, { filler: 'given', fillerText, ...amount })
      return itemsOf(source, 2).map((item) =>
        promptOf(source, item, 'bare')
          .split('\n')
          .filter((line) => own.includes(line)),
      )
    }
    for (const [one, other] of [linesOf({ fillerLines: 50 }), linesOf({ padTokens: 300 })]) {
      expect(new Set(one).size).toBe(one?.length)
      expect(one?.length).toBeGreaterThan(20)
      expect(one).not.toEqual(other)
    }
    for (const [config, message] of [
      [{ filler: 'given', fillerLines: 3 }, /go together/],
      [{ fillerText }, /go together/],
      [{ filler: 'given', fillerText, fillerLines: 61 }, /at least 61 different sentences, one a line, got 60/],
      [{ filler: 'given', fillerText, padTokens: 900 }, /at least 900 tokens, got \d+. Give more/],
    ] as const)
      expect(() => social.configure(config)).toThrow(message)
  })

  it('have one blank between words, a mark at the end, and an article that fits', () => {
    for (const task of recoglab.tasks)
      for (const preset of ['congruent', 'oldest', 'flavoured', 'older', 'people', 'judge', 'shared'])
        for (const name of Object.keys(task.presets)
          .filter((key) => key.includes(preset))
          .slice(0, 2)) {
          const source = task.source(task.preset(name).config, { split: 'test', seed: 'english' })
          for (const item of itemsOf(source, 5)) {
            const text = promptOf(source, item, 'bare')
            expect(text).not.toMatch(/\S {2,}\S|\s[,.?;:]|\.\.|\{[ab]\}|\b[Aa] [aeio]\w|\b[Tt]he the\b|'/)
          }
        }
  })

  it('call things by a name that takes an article', () => {
    const config = { entityKind: 'objects', relation: 'weight', congruency: 'congruent' }
    for (const item of itemsOf(sourceOf(comparison, config), 20))
      for (const line of promptOf(sourceOf(comparison, config), item, 'bare').split('\n').slice(0, 19))
        expect(line).toMatch(/^The .+ is (lighter|heavier) than the .+\.$/)
  })
})
