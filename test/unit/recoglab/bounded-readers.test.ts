import { describe, expect, it } from 'vitest'
import type { Item, Json, JsonObject } from '../../../src/core/index.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, promptOf, sourceOf } from './items.ts'

/**
 * A bounded reader reads the statements that lead up to `radius` people away from each person asked about, and sees of
 * the last of them how many statements name them on either side. Below the radius of the proof it must not do better than chance.
 */

type Edges = readonly (readonly [number, number])[]

/** All that is read from a person within a radius on a tree, as text without names. */
function view(edges: Edges, start: number, radius: number): string {
  const around = (v: number, left: number, from: number): string => {
    const near = edges.flatMap(([a, b]): [string, number][] => (a === v ? [['>', b]] : b === v ? [['<', a]] : []))
    const below = near.map(([way, next]) =>
      next === from ? `${way}back` : left === 0 ? way : `${way}(${around(next, left - 1, v)})`,
    )
    return below.sort().join(' ')
  }
  return around(start, radius, -1)
}

const chains = Object.entries(comparison.presets)
  .map(([name, { config }]) => [name, comparison.configure(config)] as const)
  .filter(([, c]) => c['network'] === 'chain' && c['endpoints'] === 'matched')

type Chain = { statements: Edges; ask: { first: number; second: number; word: string } }

/** What one reads who begins at the two: the answer where the two walks meet, or else what the ends in sight make likely. */
function readChain({ given, features, answer }: Item, radius: number): string | null {
  if (2 * radius >= Number(features['distance'])) return String(answer)
  const { statements, ask } = given as unknown as Chain
  const next = [new Map(statements), new Map(statements.map(([a, b]) => [b, a] as const))]
  const steps = (from: number, way: number): number => {
    let at: number | undefined = from
    for (let i = 0; i <= radius; i++) {
      at = next[way]?.get(at)
      if (at === undefined) return i
    }
    return radius + 1
  }
  const [more, less] = ask.word === 'greater' ? [ask.first, ask.second] : [ask.second, ask.first]
  const score = steps(less, 0) - steps(more, 0) + steps(more, 1) - steps(less, 1)
  return score === 0 ? null : score > 0 ? 'Yes' : 'No'
}

describe('a reader of fewer statements than the proof has', () => {
  it.each(chains)('of comparison/%s sees the same from either person, and no end', (_, config) => {
    for (const item of itemsOf(sourceOf(comparison, config as JsonObject), sample({ nightly: 400, otherwise: 60 }))) {
      const { statements, ask } = item.given as unknown as Chain
      for (let radius = 0; 2 * radius < Number(item.features['distance']); radius++) {
        expect(view(statements, ask.first, radius)).toBe(view(statements, ask.second, radius))
        expect(readChain(item, radius)).toBeNull()
      }
    }
  })

  it.each(['tree', 'feasibility', 'feasibility-pairs'])('of comparison/%s sees the same from either person', (name) => {
    const { config } = comparison.preset(name)
    const n = sample({ nightly: 2000, otherwise: 400 })
    for (const item of itemsOf(sourceOf(comparison, config as JsonObject), n)) {
      const { statements, ask } = item.given as unknown as Chain
      const distance = Number(item.features['distance'])
      for (let radius = 0; 2 * radius < distance; radius++)
        expect(view(statements, ask.first, radius)).toBe(view(statements, ask.second, radius))
    }
  })

  it.each(['oldest-16', 'oldest-24', 'youngest-16', 'youngest-24'])('of social/%s sees the same from each', (name) => {
    const { config } = social.preset(name)
    const n = sample({ nightly: 2000, otherwise: 400 })
    const shapes = new Set<string>()
    for (const item of itemsOf(sourceOf(social, config as JsonObject), n)) {
      const { edges, ask } = item.given as unknown as { edges: Edges; ask: { member: number; among: number[] } }
      const views = (radius: number) => new Set(ask.among.map((v) => view(edges, v, radius)))
      const alike = Number(item.features['alikeWithin'])
      for (let radius = 0; radius <= alike; radius++) expect(views(radius).size).toBe(1)
      // With one more step the three ways meet, which is the proof.
      expect(views(alike + 1).size).toBeGreaterThan(1)
      expect(ask.among).toContain(ask.member)
      for (const child of new Set(edges.map(([, child]) => child)))
        expect(edges.filter(([, other]) => other === child).length).toBeLessThanOrEqual(2)
      shapes.add([...views(alike)].join())
    }
    expect(shapes.size).toBeGreaterThan(name.endsWith('24') ? 20 : 2)
  })

  it('is right on fewer of the curriculum of comparison the higher the level, and on none above its reach', () => {
    const { count, config } = comparison.curriculum as { count: number; config: (level: number) => JsonObject }
    for (const radius of [1, 2, 3, 4, 6]) {
      let last = 1
      for (let level = 0; level < count; level++) {
        const items = itemsOf(sourceOf(comparison, config(level)), 20)
        const known = items.filter((item) => readChain(item, radius) === item.answer).length / items.length
        expect(known).toBe(level < radius ? 1 : 0)
        expect(known).toBeLessThanOrEqual(last)
        last = known
      }
    }
  })
})

describe('counts', () => {
  it.each([2, 3, 10])('of the asked hobby in the records of %i families tell nothing', (count) => {
    const n = sample({ nightly: 12_000, otherwise: 1500 })
    type Given = {
      families: { members: { hobbies: string[] }[] }[]
      ask: { person: [number, number]; hobby: string }
    }
    const sums = { Yes: [0, 0, 0], No: [0, 0, 0] }
    for (const { given, answer } of itemsOf(sourceOf(families, { ask: 'hobby', families: count }), n)) {
      const { families: records, ask } = given as unknown as Given
      const people = records.flatMap((family) => family.members)
      const family = records[ask.person[0]] as Given['families'][0]
      const own = family.members[ask.person[1]]?.hobbies.length as number
      const facts = [
        people.filter((p) => p.hobbies.includes(ask.hobby)).length / people.length,
        own,
        family.members.length,
      ]
      const sum = sums[answer as 'Yes']
      facts.forEach((fact, i) => {
        ;(sum[i] as number) += (2 * fact) / n
      })
    }
    // Standard deviations are at most .35 (with two families), 2.9 and 1.4: four standard errors of a difference.
    for (const [i, deviation] of [0.35, 2.9, 1.4].entries())
      expect(Math.abs((sums.Yes[i] as number) - (sums.No[i] as number))).toBeLessThan((8 * deviation) / Math.sqrt(n))
  })
})

describe('splits of a chain that is short', () => {
  it.each(['capacity-5', { entities: 6 }])('have no text in common, names numbered: %j', (preset) => {
    const config = typeof preset === 'string' ? comparison.preset(preset).config : preset
    const formsOf = (split: string) => {
      const source = sourceOf(comparison, config as JsonObject, split)
      const texts = itemsOf(source, sample({ nightly: 1500, otherwise: 500 })).map((item) => {
        const { entities } = item.given as unknown as { entities: string[] }
        const numbers = new Map<string, number>()
        const any = new RegExp(`(?<!\\p{L})(${entities.join('|')})(?!\\p{L})`, 'gu')
        return promptOf(source, item, 'bare').replace(any, (name) => {
          if (!numbers.has(name)) numbers.set(name, numbers.size)
          return `#${numbers.get(name)}`
        })
      })
      return new Set(texts.flatMap((text) => [text, mirrored(text)]))
    }
    const train = formsOf('train')
    for (const split of ['validation', 'test', 'exam-1'])
      expect([...formsOf(split)].filter((text) => train.has(text))).toEqual([])
  })
})

/** The same text with every comparative turned into its opposite. */
const mirrored = (text: string): string =>
  text.replace(/younger|older/g, (word) => (word === 'older' ? 'younger' : 'older'))

describe('presets of one seed', () => {
  it('share neither names nor answers where they ask something else', () => {
    const pairs = [
      [families, { ask: 'older' }, { ask: 'hobby' }],
      [families, { ask: 'older' }, { ask: 'larger' }],
      [social, { ask: 'hops' }, { ask: 'path' }],
    ] as const
    for (const [task, ...configs] of pairs) {
      const [one, two] = configs.map((config) => itemsOf(sourceOf(task, config), 40)) as [Item[], Item[]]
      const namesOf = ({ given }: Item): string => {
        const { people, families: records } = given as { people?: Json; families?: Json }
        return JSON.stringify(people ?? records)
      }
      one.forEach((item, i) => {
        expect(namesOf(item)).not.toBe(namesOf(two[i] as Item))
      })
      const same = one.filter((item, i) => item.features['label'] === two[i]?.features['label']).length
      expect(same).toBeLessThan(36)
    }
  })
})
