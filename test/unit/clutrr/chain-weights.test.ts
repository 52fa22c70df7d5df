import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { chainsTo, HOPS, planted, sets } from '../../../src/tasks/clutrr/kinship/chains.ts'
import { composeChain } from '../../../src/tasks/clutrr/kinship/compose.ts'
import { shownFacts } from '../../../src/tasks/clutrr/kinship/prompt.ts'
import {
  type Facts,
  type Gender,
  type Kin,
  kinOf,
  rise,
  type Shared,
} from '../../../src/tasks/clutrr/kinship/question.ts'
import { kinship } from '../../../src/tasks/clutrr/kinship/task.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, sourceOf } from '../recoglab/items.ts'

type Hops = (typeof HOPS)[number]
type Set = (typeof sets)[number]

/** How often the best guess from the links at these places is right, by the table: exact. */
function accuracy(set: Set, hops: Hops, seen: (links: readonly Kin[]) => string): number {
  const shares = new Map<string, number[]>()
  for (const [answer, kin] of set.entries()) {
    const chains = chainsTo(kin, hops)
    const total = chains.reduce((sum, { weight }) => sum + weight, 0)
    for (const { links, weight } of chains) {
      const found = shares.get(seen(links)) ?? set.map(() => 0)
      found[answer] = (found[answer] ?? 0) + weight / total / set.length
      shares.set(seen(links), found)
    }
  }
  return [...shares.values()].reduce((sum, all) => sum + Math.max(...all), 0)
}

const at = (places: readonly number[]) => (links: readonly Kin[]) => places.map((place) => links[place]).join(' ')
const windows = (hops: number, size: number) =>
  Array.from({ length: hops - size + 1 }, (_, from) => Array.from({ length: size }, (_unused, i) => from + i))
const best = (set: Set, hops: Hops, views: readonly (readonly number[])[]): number =>
  Math.max(...views.map((view) => accuracy(set, hops, at(view))))

describe('the weights of chains', () => {
  it.each(sets.flatMap((set) => HOPS.map((hops) => [set, hops] as const)))(
    'come to the answer and can be planted: %s, %d',
    (set, hops) => {
      for (const kin of set)
        for (const { links, weight } of chainsTo(kin, hops)) {
          expect(weight).toBeGreaterThan(0)
          expect(composeChain(links)?.at(0, hops)?.kin).toBe(kin)
          const isPlanted = (bits: number): boolean =>
            planted(links, ['f', ...links.map((_link, i): Gender => ((bits >> i) & 1 ? 'm' : 'f'))]) === kin
          let bits = 0
          while (bits < 2 ** hops && !isPlanted(bits)) bits++
          expect(bits).toBeLessThan(2 ** hops)
        }
    },
  )

  const middle = (hops: number) => [Math.floor(hops / 2) - 1, Math.floor(hops / 2)]

  it('tell a reader of two neighbouring sentences less, the longer the chain', () => {
    for (const set of sets) {
      const found = HOPS.map((hops) => best(set, hops, windows(hops, 2)))
      for (const [i, share] of found.slice(1).entries()) expect(share).toBeLessThan((found[i] as number) + 0.015)
      expect(accuracy(set, 8, at(middle(8)))).toBeLessThan(accuracy(set, 4, at(middle(4))) - 0.05)
    }
  })

  it('tell as much as the docs say, and no more', () => {
    expect(
      sets.map((set) =>
        HOPS.map((hops) =>
          [
            best(set, hops, windows(hops, 1)),
            accuracy(set, hops, at(middle(hops))),
            best(set, hops, windows(hops, 2)),
            accuracy(set, hops, at([0, hops - 1])),
            best(set, hops, windows(hops, Math.floor(hops / 2))),
            best(set, hops, windows(hops, hops - 1)),
            accuracy(set, hops, (links) => String(links.reduce((sum, kin) => sum + rise[kin], 0))),
          ]
            .map((one) => one.toFixed(3))
            .join(' '),
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          "0.500 1.000 1.000 1.000 0.500 0.500 1.000",
          "0.500 0.667 0.667 0.501 0.500 0.667 1.000",
          "0.487 0.520 0.520 0.437 0.520 0.760 1.000",
          "0.460 0.487 0.487 0.353 0.487 0.824 1.000",
          "0.453 0.445 0.473 0.353 0.499 0.833 1.000",
          "0.414 0.433 0.441 0.358 0.483 0.876 1.000",
          "0.407 0.403 0.440 0.355 0.526 0.933 1.000",
          "0.394 0.409 0.429 0.356 0.541 0.979 1.000",
          "0.404 0.399 0.427 0.355 0.649 0.981 1.000",
        ],
        [
          "0.687 1.000 1.000 1.000 0.687 0.687 0.667",
          "0.553 0.753 0.753 0.587 0.553 0.753 0.667",
          "0.493 0.562 0.562 0.562 0.562 0.817 0.667",
          "0.462 0.532 0.532 0.408 0.532 0.932 0.667",
          "0.429 0.456 0.488 0.399 0.570 0.932 0.667",
          "0.429 0.452 0.486 0.376 0.554 0.958 0.667",
          "0.419 0.438 0.469 0.380 0.602 0.959 0.667",
          "0.410 0.453 0.453 0.374 0.590 0.976 0.667",
          "0.411 0.445 0.456 0.384 0.680 0.974 0.667",
        ],
        [
          "0.667 1.000 1.000 1.000 0.667 0.667 0.667",
          "0.544 0.782 0.782 0.568 0.544 0.782 0.667",
          "0.493 0.562 0.562 0.562 0.562 0.817 0.667",
          "0.462 0.532 0.532 0.408 0.532 0.903 0.667",
          "0.428 0.445 0.488 0.399 0.570 0.924 0.667",
          "0.430 0.450 0.489 0.376 0.549 0.954 0.667",
          "0.412 0.449 0.472 0.370 0.608 0.956 0.667",
          "0.413 0.447 0.452 0.387 0.593 0.973 0.667",
          "0.427 0.438 0.463 0.400 0.661 0.970 0.667",
        ],
      ]
    `)
  })
})

const ask = (config: { readonly hops: Hops; readonly order?: 'along' }, count: number) =>
  itemsOf(sourceOf(kinship as Task, config, 'test', 'weights'), count)

describe('a test part', () => {
  it.each([
    ['gen_train23_test2to10', HOPS.map((hops) => `clean ${hops}`)],
    ['rob_train_irr_23_test_all_23', ['irrelevant 2', 'clean 3', 'irrelevant 3', 'supporting 3', 'disconnected 3']],
  ])('%s has as many items of each of its kinds, with their sentences', (part, kinds) => {
    const items = itemsOf(sourceOf(kinship as Task, { part }, 'test', 'parts'), 18 * kinds.length)
    const counts = Map.groupBy(items, ({ features }) => `${features['facts']} ${features['hops']}`)
    expect([...counts.keys()].sort()).toEqual(kinds.toSorted())
    for (const [kind, some] of counts) {
      expect(some.length).toBe(18)
      const [facts, hops] = kind.split(' ')
      const beside = facts === 'clean' ? 0 : facts === 'supporting' ? 4 : 2
      for (const { features, given } of some) {
        expect(features['sentences']).toBe(Number(hops) + beside)
        expect((given as Facts).options).toHaveLength(18)
      }
    }
  })
})

describe('along', () => {
  it('gives the sentences of each family in order, the first ones first, in random order of the families', () => {
    const firsts: number[] = []
    for (const { shared, given } of ask({ hops: 4, order: 'along' }, 30)) {
      const { facts } = given as Facts
      const shown = shownFacts(shared as Shared, given as Facts).map((fact) => facts.indexOf(fact))
      expect(shown.map((place) => place % 4)).toEqual(Array.from({ length: 12 }, (_, i) => Math.floor(i / 3)))
      for (let round = 0; round < 4; round++) firsts.push(Math.floor((shown[3 * round] as number) / 4))
    }
    for (const family of [0, 1, 2]) {
      const share = firsts.filter((one) => one === family).length / firsts.length
      expect(share).toBeGreaterThan(0.2)
      expect(share).toBeLessThan(0.5)
    }
  })

  it('tells a reader of the words between the two lines nothing', () => {
    const items = ask({ hops: 4, order: 'along' }, sample({ nightly: 3000, otherwise: 600 })).map((item) => {
      const given = item.given as Facts
      const shown = shownFacts(item.shared as Shared, given)
      const line = (person: number) => shown.findIndex(([who, , of]) => who === person || of === person)
      const [from = 0, to = 0] = given.asked.map(line).toSorted((a, b) => a - b)
      const between = shown.slice(from, to + 1).map(([, word]) => kinOf(word)?.kin ?? '')
      return { seen: between.toSorted().join(' '), answer: String(item.answer), options: given.options }
    })
    const half = Math.floor(items.length / 2)
    const learnt = new Map<string, Map<string, number>>()
    for (const { seen, answer } of items.slice(0, half)) {
      const counts = learnt.get(seen) ?? new Map<string, number>()
      learnt.set(seen, counts.set(answer, (counts.get(answer) ?? 0) + 1))
    }
    const right = items.slice(half).filter(({ seen, answer, options }) => {
      const count = (word: string) => learnt.get(seen)?.get(word) ?? 0
      return options.toSorted((a, b) => count(b) - count(a))[0] === answer
    })
    // A third by chance; five standard errors above it at 300 items: .47.
    expect(right.length / (items.length - half)).toBeLessThan(0.47)
  })
})

it('tells one story with each of its answers: the families have the three relations, and any of them is asked about', () => {
  const places = [0, 0, 0]
  for (const { given, answer } of ask({ hops: 4 }, 300)) {
    const { facts, asked } = given as Facts
    const found = [0, 4, 8].map((start) => {
      const links = facts.slice(start, start + 4).map(([, word]) => kinOf(word)?.kin as Kin)
      return { who: facts[start]?.[0], kin: composeChain(links)?.at(0, 4)?.kin }
    })
    const place = found.findIndex(({ who }) => who === asked[0])
    expect(found[place]?.kin).toBe(kinOf(String(answer))?.kin)
    expect(new Set(found.map(({ kin }) => kin)).size).toBe(3)
    places[place] = (places[place] ?? 0) + 1
  }
  // Five standard errors about a third.
  for (const count of places) expect(Math.abs(count - 100)).toBeLessThan(41)
})
