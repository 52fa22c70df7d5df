import { describe, expect, it } from 'vitest'
import { branchOf, taxonomy } from '../../../src/libraries/language/taxonomy.ts'
import { wellKnown } from '../../../src/tasks/recoglab/syllogism/sampling/belief.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { itemsOf, questionOf, sourceOf } from './items.ts'

type Given = {
  terms: string[]
  premises: [string, number, number][]
  ask: { conclusion: [mood: string, subject: number, predicate: number] }
}

/** Classes that hold the noun, itself among them. */
function kindsOf(noun: string): Set<string> {
  const kinds = new Set<string>()
  for (let at = taxonomy.names.indexOf(noun); at !== -1; at = taxonomy.parent[at] as number)
    kinds.add(taxonomy.names[at] as string)
  return kinds
}

/** Where two classes are nested or apart: is the conclusion true in the world? */
function isTrue(mood: string, subject: string, predicate: string): boolean {
  const inside = kindsOf(subject).has(predicate)
  const apart = !inside && !kindsOf(predicate).has(subject)
  return { A: inside, E: apart, I: !apart, O: !inside }[mood] as boolean
}

const isReal = (term: string): boolean => taxonomy.names.includes(term)

describe.each(['train', 'validation', 'test', 'exam-1'])('validity and belief on %s', (split) => {
  const forms = syllogism.preset('belief').config
  const items = itemsOf(sourceOf(syllogism, forms, split), 1188)

  it('are crossed exactly, for every kind of conclusion and every pair of premises', () => {
    expect(sourceOf(syllogism, forms, split).layout.size).toBe(1188)
    const cells = new Map<string, number>()
    for (const { features, answer } of items) {
      expect(features['validity']).toBe(answer === 'Yes' ? 'valid' : 'invalid')
      const key = [features['validity'], features['believability'], features['moods']].join(' ')
      cells.set(key, (cells.get(key) ?? 0) + 1)
    }
    expect([...cells.values()]).toEqual(Array.from({ length: 2 * 3 * 6 }, () => 33))
  })

  it('have conclusions that are true in the world, false in it, or about nothing in it', () => {
    for (const { given, features } of items) {
      const { terms, ask } = given as unknown as Given
      const [mood, subject, predicate] = [ask.conclusion[0], terms[ask.conclusion[1]], terms[ask.conclusion[2]]]
      const real = terms.filter(isReal)
      if (features['believability'] === 'none') expect(real).toEqual([])
      else {
        expect(new Set(real)).toEqual(new Set([subject, predicate]))
        const said = isTrue(mood, subject as string, predicate as string) ? 'believable' : 'unbelievable'
        expect(said, `${mood} ${subject} ${predicate}`).toBe(features['believability'])
      }
    }
  })

  it('have moods and figures that the classics call valid, and no item twice', () => {
    const valid = ['AEE-4', 'EAE-1', 'AII-1', 'IAI-4', 'AOO-2', 'OAO-3']
    const invalid = ['AEE-1', 'EAE-4', 'AII-4', 'IAI-1', 'AOO-3', 'OAO-2']
    const seen = { Yes: new Set<string>(), No: new Set<string>() }
    for (const { answer, features } of items) seen[answer as 'Yes'].add(`${features['moods']}-${features['figure']}`)
    expect([...seen.Yes].sort()).toEqual(valid.sort())
    expect([...seen.No].sort()).toEqual(invalid.sort())
    expect(new Set(items.map((item) => syllogism.canonical?.(questionOf(item)))).size).toBe(items.length)
  })

  // The splits of one bucket have the fewest words.
  it.skipIf(split === 'train' || split === 'test')('are in the large set, too, no item twice', () => {
    const large = itemsOf(sourceOf(syllogism, syllogism.preset('belief-large').config, split), 4716)
    expect(large).toHaveLength(4716)
    expect(new Set(large.map((item) => syllogism.canonical?.(questionOf(item)))).size).toBe(4716)
  })

  it('are right in half of the items for who believes', () => {
    const rule = ({ given }: (typeof items)[0]) => {
      const { terms, ask } = given as unknown as Given
      const [mood, s, p] = ask.conclusion
      return isReal(terms[s] as string) && isTrue(mood, terms[s] as string, terms[p] as string) ? 'Yes' : 'No'
    }
    expect(items.filter((item) => rule(item) === item.answer).length).toBe(items.length / 2)
  })
})

it('a path of several terms has an end of one belief on either chain, and only invented words between', () => {
  for (const item of itemsOf(sourceOf(syllogism, syllogism.preset('belief-5').config), 240)) {
    const { terms, premises } = item.given as unknown as Given
    const uses = (term: number) => premises.filter(([, s, p]) => s === term || p === term).length
    const ends = terms.filter((_, term) => uses(term) === 1)
    expect(ends).toHaveLength(4)
    expect(terms.filter(isReal).sort()).toEqual(item.features['believability'] === 'none' ? [] : ends.sort())
  }
})

it('every well-known class is in the taxonomy, inside another, and in a split with others', () => {
  expect(new Set(wellKnown).size).toBe(wellKnown.length)
  for (const name of wellKnown) {
    expect(taxonomy.names, name).toContain(name)
    expect(branchOf(name), name).not.toBe(name)
  }
})

it.each([false, true])(
  'all 64 pairs of premises stand in forms-64, with what Venn diagrams say follows: import %s',
  (existentialImport) => {
    const source = sourceOf(syllogism, { ...syllogism.preset('forms-64').config, existentialImport })
    const items = itemsOf(source, 640)
    const forms = new Map<string, Set<unknown>>()
    for (const item of items) {
      const { given, features } = item
      const { premises, ask, terms } = given as unknown as Given & { ask: { subject: number; predicate: number } }
      /** Worlds in which some of the eight kinds of individual exist; a conclusion follows where no world of the premises denies it. */
      const holds = (world: number, [mood, s, p]: Given['premises'][0]): boolean => {
        const kinds = Array.from({ length: 8 }, (_, kind) => kind).filter((kind) => ((world >> kind) & 1) === 1)
        const both = kinds.filter((kind) => ((kind >> s) & 1) === 1 && ((kind >> p) & 1) === 1).length
        const only = kinds.filter((kind) => ((kind >> s) & 1) === 1 && ((kind >> p) & 1) === 0).length
        return { A: only === 0, E: both === 0, I: both > 0, O: only > 0 }[mood] as boolean
      }
      const peopled = (world: number) =>
        !existentialImport ||
        terms.every((_, term) =>
          Array.from({ length: 8 }, (__, kind) => kind).some(
            (kind) => ((world >> kind) & 1) === 1 && ((kind >> term) & 1) === 1,
          ),
        )
      const worlds = Array.from({ length: 256 }, (_, world) => world).filter(
        (world) => peopled(world) && premises.every((premise) => holds(world, premise)),
      )
      const following = ['A', 'E', 'I', 'O'].filter((mood) =>
        worlds.every((world) => holds(world, [mood, ask.subject, ask.predicate])),
      )
      expect(features['label']).toBe(following[0] ?? 'none')
      const form = `${String(features['moods']).slice(0, 2)}-${features['figure']}`
      forms.set(form, (forms.get(form) ?? new Set()).add(item.hash))
    }
    expect([...forms.values()].map((of) => of.size)).toEqual(Array.from({ length: 64 }, () => 10))
  },
)
