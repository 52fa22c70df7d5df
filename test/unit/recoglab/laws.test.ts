import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { closure, topologicalOrder } from '../../../src/libraries/graphs/closure.ts'
import { type Thing, things } from '../../../src/libraries/language/objects.ts'
import { isKindOf, taxonomy } from '../../../src/libraries/language/taxonomy.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { recoglab } from '../../../src/tasks/recoglab/index.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { nightly, sample } from '../../nightly.ts'
import { itemsOf, promptOf, questionOf, sourceOf } from './items.ts'

type ComparisonGiven = {
  entities: string[]
  statements: [number, number][]
  ask: { first: number; second: number; word: string }
}

describe('comparison', () => {
  it('has fresh orders: neither list nor alphabet nor counts tell the answer', () => {
    const n = sample({ nightly: 2000, otherwise: 600 })
    const items = itemsOf(sourceOf(comparison, {}), n)
    for (const [name, rule] of Object.entries(comparison.heuristics ?? {})) {
      const right = items.filter((item) => rule(questionOf(item)) === item.answer).length
      // Five standard deviations and more of a fair coin.
      expect(Math.abs(right - n / 2), name).toBeLessThan(2.7 * Math.sqrt(n))
    }
  })

  it('the published order is answered by the alphabet alone', () => {
    for (const config of [
      { entityOrder: 'published' },
      { entityOrder: 'published', entityKind: 'objects', relation: 'size' },
    ]) {
      const items = itemsOf(sourceOf(comparison, config), 100)
      for (const rule of ['list-order', 'alphabetical'])
        expect(items.filter((item) => comparison.heuristics?.[rule]?.(questionOf(item)) === item.answer).length).toBe(
          items.length,
        )
    }
  })

  it('balances distance, word and answer exactly', () => {
    const source = sourceOf(comparison, { entities: 8 })
    const cells = source.layout.strata.length
    expect(cells).toBe(3 * 2 * 2)
    const counts = new Map<string, number>()
    for (const { features } of itemsOf(source, cells * 6)) {
      const key = `${features['distance']} ${features['queryWord']} ${features['label']}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual(Array.from({ length: cells }, () => 6))
  })

  it('asks only about those who are once the greater and once the lesser', () => {
    for (const config of [{}, { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 }])
      for (const item of itemsOf(sourceOf(comparison, config), 100)) {
        const { statements, ask } = item.given as unknown as ComparisonGiven
        for (const end of [ask.first, ask.second]) {
          expect(statements.filter(([u]) => u === end)).toHaveLength(1)
          expect(statements.filter(([, v]) => v === end)).toHaveLength(1)
        }
      }
  })

  it('matches consistent and inconsistent sets: same cycle lengths, no pair twice, same numbers of sources and sinks', () => {
    const seen = new Map<string, string[]>()
    const n = sample({ nightly: 600, otherwise: 300 })
    for (const item of itemsOf(sourceOf(comparison, { ask: 'consistency', network: 'tree', entities: 9 }), n)) {
      const { statements, entities } = item.given as unknown as ComparisonGiven
      expect(statements).toHaveLength(entities.length)
      expect(new Set(statements.map(([u, v]) => (u < v ? `${u} ${v}` : `${v} ${u}`))).size).toBe(entities.length)
      expect(topologicalOrder({ n: entities.length, edges: statements }) === null).toBe(item.answer === 'Inconsistent')
      const sources = entities.filter((_, i) => !statements.some(([, v]) => v === i)).length
      const list = seen.get(String(item.answer)) ?? []
      list.push(`${item.features['distance']}`, `s${sources}`)
      seen.set(String(item.answer), list)
    }
    const tally = (list: readonly string[] = []) =>
      Object.fromEntries([...new Set(list)].sort().map((key) => [key, list.filter((k) => k === key).length]))
    const [yes, no] = [tally(seen.get('Consistent')), tally(seen.get('Inconsistent'))]
    for (const key of Object.keys(yes).filter((k) => !k.startsWith('s'))) expect(no[key]).toBe(yes[key])
    for (const key of Object.keys(yes)) expect(Math.abs((no[key] ?? 0) - (yes[key] ?? 0))).toBeLessThan(n / 10)
  })

  it('obeys the laws of order', () => {
    for (const item of itemsOf(
      sourceOf(comparison, { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 }),
      200,
    )) {
      const given = item.given as unknown as ComparisonGiven
      const question = (change: object) => ({ shared: item.shared, given: { ...given, ...change } as unknown as Json })
      const flipped = { Yes: 'No', No: 'Yes', Unknown: 'Unknown' }[item.answer as 'Yes']
      const swapped = { ...given.ask, first: given.ask.second, second: given.ask.first }
      expect(comparison.oracle(question({ ask: swapped }), flipped)).toBe(true)
      expect(comparison.oracle(question({ statements: given.statements.map(([u, v]) => [v, u]) }), flipped)).toBe(true)
      const known = closure({ n: given.entities.length, edges: given.statements })
      const implied = given.entities.flatMap((_, u) =>
        given.entities.flatMap((__, v) => (known.reaches(u, v) ? [[u, v]] : [])),
      )
      expect(comparison.oracle(question({ statements: [...given.statements, ...implied] }), item.answer)).toBe(true)
    }
  })

  it('asks each context of a flipped pair both ways', () => {
    const source = sourceOf(comparison, { pairing: 'flip' })
    for (let index = 0; index < 100; index += 2) {
      const [a, b] = [source.item(index), source.item(index + 1)]
      if (a.kind !== 'item' || b.kind !== 'item') throw new Error('hole')
      expect((a.given as unknown as ComparisonGiven).statements).toEqual(
        (b.given as unknown as ComparisonGiven).statements,
      )
      expect(new Set([a.answer, b.answer])).toEqual(new Set(['No', 'Yes']))
      const context = (item: typeof a) => promptOf(source, item, 'bare').split('\n').slice(0, -1)
      expect(context(a)).toEqual(context(b))
    }
  })

  it('keeps congruent neighbours apart in the real world', () => {
    for (const { features } of itemsOf(
      sourceOf(comparison, { entityKind: 'objects', relation: 'size', congruency: 'congruent' }),
      50,
    ))
      expect(features['minMargin']).toBeGreaterThan(1.1)
  })

  describe.each(['train', 'validation', 'test', 'exam-1'])('real things on %s', (split) => {
    const items = itemsOf(
      sourceOf(comparison, { entityKind: 'objects', relation: 'size', congruency: 'congruent' }, split),
      300,
    )
    const real = new Map(things.all.map((thing) => [thing.name, thing]))
    it('calls nothing larger that is shorter or may be the lighter', () => {
      expect(items).toHaveLength(300)
      for (const item of items) {
        const { statements, entities } = item.given as unknown as ComparisonGiven
        for (const [u, v] of statements) {
          const [less, more] = [u, v].map((i) => real.get(entities[i] as string) as Thing) as [Thing, Thing]
          expect(more.size[0] / less.size[1], `${less.name} < ${more.name}`).toBeGreaterThanOrEqual(1)
          expect(more.weight[0], `${less.name} < ${more.name}`).toBeGreaterThanOrEqual(less.weight[0])
          expect(more.weight[1], `${less.name} < ${more.name}`).toBeGreaterThanOrEqual(less.weight[1])
        }
      }
    })
    it('draws from most of the things there are, and hardly a set twice', () => {
      const sets = items.map((item) => (item.given as unknown as ComparisonGiven).entities)
      expect(new Set(sets.flat()).size).toBeGreaterThan(55)
      expect(new Set(sets.map((names) => names.join())).size).toBeGreaterThan(295)
    })
  })

  it('speaks of things and strings in good English, in filler too', () => {
    for (const [config, noun] of [
      [{ entityKind: 'objects', relation: 'size' }, 'the [a-zA-Z]'],
      [{ entityKind: 'strings', relation: 'weight' }, '[0-9a-zA-Z]{5} '],
    ] as const) {
      const source = sourceOf(comparison, { ...config, filler: 'entities', fillerLines: 60 })
      for (const item of itemsOf(source, 20)) {
        const { entities } = item.given as unknown as ComparisonGiven
        const named = new RegExp(`\\b(${entities.map((name) => name.replaceAll('.', '\\.')).join('|')})\\b`)
        for (const line of promptOf(source, item, 'bare').split('\n')) {
          expect(line).toMatch(named)
          expect(line).not.toMatch(/\b(a|an|the) (a|an|the)\b/i)
          expect(line).not.toMatch(/\ba [aeiou]/i)
          expect(line).toMatch(new RegExp(noun, 'i'))
          if (noun.startsWith('['))
            for (const name of entities) expect(line).not.toMatch(new RegExp(`the ${name}`, 'i'))
        }
      }
    }
  })
})

describe('social', () => {
  type Given = { people: string[]; edges: [number, number][]; ask: { from: number; to: number } }
  it('subdividing every tie doubles the hops; a new acquaintance of one changes nothing', () => {
    for (const item of itemsOf(sourceOf(social, {}), 100)) {
      const given = item.given as unknown as Given
      const n = given.people.length
      const halves = given.edges.flatMap(([u, v], i) => [
        [u, n + i],
        [n + i, v],
      ])
      const more = given.edges.map((_, i) => `Between${i}`)
      const question = (change: object) => ({ shared: item.shared, given: { ...given, ...change } as unknown as Json })
      const [hops] = item.answer as string[]
      expect(
        social.oracle(question({ people: [...given.people, ...more], edges: halves }), [String(2 * Number(hops))]),
      ).toBe(true)
      expect(
        social.oracle(question({ people: [...given.people, 'New'], edges: [...given.edges, [n, 0]] }), item.answer),
      ).toBe(true)
    }
  })

  it('does not show the number of hops in the shape of the network', () => {
    const items = itemsOf(sourceOf(social, {}), 1200)
    const mean = (label: string) => {
      const of = items.filter((item) => item.features['label'] === label)
      const degrees = of.map((item) => {
        const { edges, ask } = item.given as unknown as Given
        return (
          edges.filter(([u, v]) => [u, v].includes(ask.from) || [u, v].includes(ask.to)).length +
          (label === '1' ? 1 : 0)
        )
      })
      return degrees.reduce((a, b) => a + b, 0) / degrees.length
    }
    for (const label of ['2', '3', '4']) expect(Math.abs(mean(label) - mean('1'))).toBeLessThan(0.35)
  })

  // As far as is read without a proof of the largest number of hops: 6 and 10.
  it.each([
    [10, 2, 6],
    [20, 4, 10],
  ])('matches on a chain of %i who is within %i steps, at every distance', (people, steps, furthest) => {
    const seen = new Map<number, string[]>()
    for (const item of itemsOf(sourceOf(social, { network: 'chain', people }), 500 * furthest)) {
      const { edges, ask } = item.given as unknown as Given
      const near = (v: number) => edges.flatMap(([a, b]) => (a === v ? [b] : b === v ? [a] : []))
      const around = (v: number) => {
        let found = [v]
        for (let i = 0; i < steps; i++) found = [...new Set([...found, ...found.flatMap(near)])]
        return found.length
      }
      const hops = Number((item.answer as string[])[0])
      seen.set(hops, [...(seen.get(hops) ?? []), `${around(ask.from)} ${around(ask.to)}`])
    }
    expect(Math.max(...seen.keys())).toBe(furthest)
    const share = (list: readonly string[], kind: string) => list.filter((k) => k === kind).length / list.length
    const [far = [], ...others] = [...seen].sort(([a], [b]) => b - a).map(([, list]) => list)
    for (const kind of new Set(far))
      for (const list of others) expect(Math.abs(share(list, kind) - share(far, kind))).toBeLessThan(0.09)
  })

  it('takes a given graph', () => {
    const graph = 'a b\nb c\nc d\nd e\ne f\nf a\na d'
    const source = sourceOf(social, { network: 'given', graph, people: 6, ask: 'path' })
    expect(itemsOf(source, 20)).toHaveLength(20)
    expect(() => social.configure({ network: 'given', graph, people: 7 })).toThrow(/6 nodes/)
    expect(() => social.configure({ peeple: 7 })).toThrow(/people/)
  })

  it('accepts every member of the top generation', () => {
    let several = 0
    for (const item of itemsOf(
      sourceOf(social, { ask: 'oldest', relation: 'parent', people: 12, candidates: 0 }),
      100,
    )) {
      const names = item.answer as string[]
      if (names.length > 1) several++
      for (const name of names)
        expect(social.grade?.({ ...questionOf(item), answer: item.answer }, [name]).value).toBe(1)
    }
    expect(several).toBeGreaterThan(20)
  })
})

describe('syllogism', () => {
  const forms = (existentialImport: boolean): Set<string> => {
    const found = new Set<string>()
    const source = sourceOf(syllogism, { terms: 3, construction: 'path', existentialImport })
    for (const item of itemsOf(source, sample({ nightly: 3000, otherwise: 1000 }))) {
      const { premises, ask } = item.given as unknown as {
        premises: [string, number, number][]
        ask: { subject: number; predicate: number }
      }
      const minor = premises.find(([, s, p]) => s === ask.subject || p === ask.subject) as [string, number, number]
      const major = premises.find(([, s, p]) => s === ask.predicate || p === ask.predicate) as [string, number, number]
      const figure = major[2] === ask.predicate ? (minor[1] === ask.subject ? 1 : 3) : minor[1] === ask.subject ? 2 : 4
      found.add(`${major[0]}${minor[0]}${item.features['mood']}-${figure}`)
    }
    return found
  }
  const unconditional = [
    'AAA-1',
    'EAE-1',
    'AII-1',
    'EIO-1',
    'EAE-2',
    'AEE-2',
    'EIO-2',
    'AOO-2',
    'IAI-3',
    'AII-3',
    'OAO-3',
    'EIO-3',
    'AEE-4',
    'IAI-4',
    'EIO-4',
  ]
  it('draws all fifteen forms, Baroco and Bocardo among them', () => {
    expect([...forms(false)].sort()).toEqual([...unconditional].sort())
  })
  it('draws the import forms too', () => {
    // The subalterns (AAI-1, EAO-1, EAO-2, AEO-2, AEO-4) have a stronger conclusion and are never the answer.
    expect([...forms(true)].sort()).toEqual([...unconditional, 'AAI-3', 'EAO-3', 'AAI-4', 'EAO-4'].sort())
  })
  it('has kinds of statement that do not depend on the answer', () => {
    const kinds = new Set(
      itemsOf(sourceOf(syllogism, { terms: 6, construction: 'padded' }), 200).map((item) =>
        (item.given as unknown as { premises: [string][] }).premises
          .map(([mood]) => mood)
          .sort()
          .join(''),
      ),
    )
    expect([...kinds]).toEqual(['AAAAAEIO'])
  })
  it.each(['train', 'validation', 'test', 'exam-1'])(
    'takes neutral nouns of which none is a kind of another: %s',
    (split) => {
      for (const terms of nightly ? [3, 20, 30] : [3, 30]) {
        const items = itemsOf(sourceOf(syllogism, { terms, construction: 'padded' }, split), 100 - 2 * terms)
        const used = new Set<string>()
        expect(items).toHaveLength(100 - 2 * terms)
        for (const item of items) {
          const ids = (item.given as unknown as { terms: string[] }).terms.map((name) => taxonomy.names.indexOf(name))
          for (const a of ids)
            for (const b of ids)
              expect(a !== b && isKindOf(taxonomy, a, b), `${taxonomy.names[a]}, ${taxonomy.names[b]}`).toBe(false)
          for (const id of ids) used.add(taxonomy.names[id] as string)
        }
        // Broad classes too, now and then.
        expect(used.size).toBeGreaterThan(45)
      }
    },
  )
  it('ends where few real nouns would begin to repeat items, and nowhere else', () => {
    const distinct = (source: ReturnType<typeof sourceOf>, count: number) =>
      new Set(itemsOf(source, count).map((item) => syllogism.canonical?.(questionOf(item)))).size
    for (const split of ['validation', 'exam-1']) {
      const source = sourceOf(syllogism, { terms: 3, nouns: 'congruent', construction: 'padded' }, split, '1')
      expect(source.layout.size).toBe(1000)
      expect(() => source.item(1000)).toThrow(/1000 indices/)
      expect(distinct(source, 1000)).toBe(1000)
    }
    for (const split of ['train', 'test'])
      expect(
        sourceOf(syllogism, { terms: 3, nouns: 'congruent', construction: 'padded' }, split).layout.size,
      ).toBeNull()
    for (const nouns of ['incongruent', 'neutral', 'nonsense'])
      expect(sourceOf(syllogism, { terms: 3, nouns, construction: 'padded' }, 'validation').layout.size).toBeNull()
  })
  it.each([3, 4, 5, 8, 20])('asks twins of %i terms that look alike: each answer, of one text', (terms) => {
    for (const ask of ['choose', 'judge']) {
      const source = sourceOf(syllogism, { ask, terms, nouns: 'nonsense', pairs: true })
      const count = source.layout.contrastSize as number
      const items = itemsOf(source, 8 * count)
      for (let first = 0; first < items.length; first += count) {
        const set = items.slice(first, first + count)
        const answers = set.map((item) => String(item.features['label']))
        expect(answers.sort()).toEqual(ask === 'choose' ? ['A', 'E', 'I', 'O', 'none'] : ['No', 'Yes'])
        expect(new Set(set.map((item) => views(item, Math.ceil((terms - 1) / 2) - 1))).size).toBe(1)
      }
    }
  })
  it('orders premises from the subject', () => {
    const source = sourceOf(syllogism, { terms: 5, construction: 'path', order: 'forward' })
    for (const item of itemsOf(source, 50)) {
      const { premises, ask } = item.given as unknown as {
        premises: [string, number, number][]
        ask: { subject: number; predicate: number }
      }
      expect(premises[0]?.slice(1)).toContain(ask.subject)
      expect(premises.at(-1)?.slice(1)).toContain(ask.predicate)
    }
  })
})

/** What is said within `radius` statements of either term asked about, names erased, as text. */
function views(item: ReturnType<typeof itemsOf>[number], radius: number): string {
  const { premises, ask } = item.given as unknown as {
    premises: [string, number, number][]
    ask: { subject: number; predicate: number; conclusion?: [string, number, number] }
  }
  const ends = ask.conclusion?.slice(1) ?? [ask.subject, ask.predicate]
  const around = (term: number, left: number, from: readonly string[]): string =>
    left === 0
      ? ''
      : premises
          .filter((premise) => (premise[1] === term || premise[2] === term) && !from.includes(premise.join()))
          .map((premise) => {
            const side = premise[1] === term ? 's' : 'p'
            const other = premise[1] === term ? premise[2] : premise[1]
            return `${premise[0]}${side}(${around(other, left - 1, [...from, premise.join()])})`
          })
          .sort()
          .join('')
  return ends.map((term) => around(Number(term), radius, [])).join(' | ')
}

describe('families', () => {
  it('says the same in every format', () => {
    const [first] = itemsOf(sourceOf(families, { families: 3, ask: 'older' }), 1)
    for (const format of ['json', 'yaml', 'xml', 'prose']) {
      const source = sourceOf(families, { families: 3, ask: 'older', format })
      const [item] = itemsOf(source, 1)
      expect(item?.given).toEqual(first?.given)
      const prompt = promptOf(source, item as NonNullable<typeof item>, 'bare')
      for (const { surname, address, members } of (
        (item as NonNullable<typeof item>).given as unknown as {
          families: { surname: string; address: string; members: { name: string; age: number; hobbies: string[] }[] }[]
        }
      ).families) {
        expect(prompt).toContain(surname)
        expect(prompt).toContain(address)
        for (const { name, age, hobbies } of members)
          for (const fact of [name, String(age), ...hobbies]) expect(prompt).toContain(fact)
      }
    }
  })
})

describe('presentation', () => {
  it('pads to the length asked for', () => {
    const source = sourceOf(social, { padTokens: 4000, filler: 'prose' })
    const [item] = itemsOf(source, 1)
    const length = promptOf(source, item as NonNullable<typeof item>, 'bare').length / 4
    expect(length).toBeGreaterThan(4000)
    expect(length).toBeLessThan(4400)
  })

  it.each([
    [{ fillerLines: 4 }, /set filler to the kind.*or fillerLines to 0/],
    [{ padTokens: 200 }, /set filler to the kind.*or padTokens to 0/],
    [{ filler: 'prose' }, /set fillerLines or padTokens to say how much "prose"/],
  ])('says what is missing in %j', (config, message) => {
    for (const task of recoglab.tasks) expect(() => task.configure(config)).toThrow(message)
  })

  it('has in every preset the filler that its features name', () => {
    for (const task of recoglab.tasks)
      for (const preset of Object.keys(task.presets)) {
        const { filler, fillerLines, padTokens } = task.configure(task.presets[preset]?.config) as {
          filler: string
          fillerLines: number
          padTokens: number
        }
        expect(filler === 'none', preset).toBe(fillerLines === 0 && padTokens === 0)
      }
  })

  it('never changes what is true', () => {
    for (const task of recoglab.tasks) {
      const plain = itemsOf(sourceOf(task, {}), 10)
      const full = itemsOf(
        sourceOf(task, {
          filler: 'prose',
          fillerLines: 7,
          fillerPosition: 'before',
          order: 'reverse',
          modules: ['families', 'syllogism'],
        }),
        10,
      )
      expect(full.map(({ given, answer }) => ({ given, answer }))).toEqual(
        plain.map(({ given, answer }) => ({ given, answer })),
      )
    }
  })

  it('shows solved examples of train words in few-shot styles', () => {
    for (const task of recoglab.tasks) {
      const source = sourceOf(task, {})
      const [item] = itemsOf(source, 1)
      const prompt = promptOf(source, item as NonNullable<typeof item>, 'few-shot-5')
      expect(prompt).toContain('Example 5')
      const given = item?.given as unknown as {
        entities?: string[]
        people?: string[]
        terms?: string[]
        families?: { surname: string }[]
      }
      const words = given.entities ?? given.people ?? given.terms ?? given.families?.map(({ surname }) => surname) ?? []
      expect(words.length).toBeGreaterThan(2)
      const examples = prompt.slice(0, prompt.indexOf('Now your turn'))
      for (const word of words) expect(new RegExp(`\\b${word}\\b`).test(examples), word).toBe(false)
    }
  })
})
