import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/core/index.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, promptOf, sourceOf } from './items.ts'
import { solveComparison, solveFamilies, solveSocial, solveSyllogism, solveTwins } from './prompt-solvers.ts'

const asked = sample({ nightly: 200, otherwise: 80 })

const each = (items: readonly Item[], judge: (item: Item) => boolean): string[] =>
  items.filter((item) => !judge(item)).map((item) => item.id)

describe('a second solver that reads the prompt agrees', () => {
  it.each([
    ['chain', {}],
    ['things', { entityKind: 'objects', relation: 'weight', entities: 12 }],
    ['filler', { filler: 'entities', fillerLines: 9, modules: ['comparison', 'social'], entities: 8 }],
    ['feasibility', { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 }],
    ['consistency', { ask: 'consistency', network: 'tree', entities: 9 }],
    ['flip', { pairing: 'flip', entities: 10, order: 'reverse' }],
  ])('comparison, %s', (_, config) => {
    const source = sourceOf(comparison, config)
    expect(
      each(itemsOf(source, asked), (item) => solveComparison(promptOf(source, item, 'bare')) === item.answer),
    ).toEqual([])
  })

  it.each([
    ['hops', {}],
    ['next hop, flavoured', { ask: 'next-hop', wording: 'flavoured', filler: 'entities', fillerLines: 5 }],
    ['path', { ask: 'path', network: 'erdos-renyi', people: 12 }],
    ['one way', { relation: 'teacher', passing: 'one-way', people: 12 }],
    [
      'parents, flavoured',
      { ask: 'oldest', relation: 'parent', wording: 'flavoured', filler: 'prose', fillerLines: 6 },
    ],
    ['children', { ask: 'youngest', relation: 'child', people: 14, candidates: 0 }],
    ['grid', { ask: 'path', network: 'grid', people: 12, columns: 4, modules: ['social'] }],
  ])('social, %s', (_, config) => {
    const source = sourceOf(social, config)
    expect(
      each(itemsOf(source, asked), (item) =>
        solveSocial(promptOf(source, item, 'bare')).accept(item.answer as string[]),
      ),
    ).toEqual([])
  })

  it.each([
    ['three terms', { terms: 3, construction: 'padded' }],
    ['five terms', { terms: 5, construction: 'padded' }],
    ['import', { terms: 4, existentialImport: true, construction: 'path' }],
    ['import with distractors', { terms: 4, existentialImport: true, construction: 'padded' }],
    ['congruent', { terms: 3, nouns: 'congruent', construction: 'path' }],
  ])('syllogism, %s', (_, config) => {
    const source = sourceOf(syllogism, config)
    expect(
      each(itemsOf(source, asked), (item) => solveSyllogism(promptOf(source, item, 'bare')) === item.answer),
    ).toEqual([])
  })

  it.each([
    ['choose', {}],
    ['choose, three terms', { terms: 3 }],
    ['choose, seven terms', { terms: 7, nouns: 'nonsense' }],
    ['choose, import', { existentialImport: true }],
    ['judge', { ask: 'judge' }],
    ['judge, nine terms', { ask: 'judge', terms: 9 }],
  ])('syllogism twins, %s', (_, config) => {
    const source = sourceOf(syllogism, config)
    expect(each(itemsOf(source, asked), (item) => solveTwins(promptOf(source, item, 'bare')) === item.answer)).toEqual(
      [],
    )
  })

  it.each(['size', 'hobby', 'larger', 'older', 'shared-hobbies'])('families, %s', (ask) => {
    const source = sourceOf(families, { ask, families: 6 })
    expect(
      each(itemsOf(source, asked), (item) => solveFamilies(promptOf(source, item, 'bare')) === item.answer),
    ).toEqual([])
  })
})
