import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { compose } from '../../../src/tasks/clutrr/kinship/compose.ts'
import { solve } from '../../../src/tasks/clutrr/kinship/oracle.ts'
import { kins, relations, wordOf } from '../../../src/tasks/clutrr/kinship/question.ts'
import { kinship } from '../../../src/tasks/clutrr/kinship/task.ts'
import { sample } from '../../nightly.ts'
import { itemsOf, promptOf, sourceOf } from '../recoglab/items.ts'
import { dice, makeWorld, relatives } from './world.ts'

const genders = ['f', 'm'] as const

describe('the table of relations', () => {
  it('says what the chase of a genealogy finds, and nothing where that leaves it open', () => {
    let settled = 0
    for (const first of kins)
      for (const second of kins)
        for (const who of genders)
          for (const between of genders) {
            const facts = [[0, wordOf(first, who), 1] as const, [1, wordOf(second, between), 2] as const]
            const shared = { order: 'along', view: [1] } as const
            const given = { kind: 'facts', people: ['A', 'B', 'C'], facts, asked: [0, 2], options: [] } as const
            const found = solve({ shared, given })
            const kin = compose(first, second)
            // The chase knows more: the genders of three people can settle what no table of kinds can say.
            if (kin !== null && found !== null) {
              expect(found, `${first} of ${second}`).toBe(wordOf(kin, who))
              settled++
            }
          }
    expect(settled).toBeGreaterThan(50)
  })
})

const people = makeWorld(dice(7))
const known = new Map<string, readonly number[]>()
function relativesOf(of: number, word: string): readonly number[] {
  const key = `${of} ${word}`
  let found = known.get(key)
  if (found === undefined) {
    found = relatives(people, of, word)
    known.set(key, found)
  }
  return found
}

const forms: readonly RegExp[] = [
  /^(?<who>\p{Lu}\p{L}+) is (?<of>\p{Lu}\p{L}+)'s (?<word>[a-z-]+)\.$/u,
  /^(?<who>\p{Lu}\p{L}+) is the (?<word>[a-z-]+) of (?<of>\p{Lu}\p{L}+)\.$/u,
  /^\p{Lu}\p{L}+ went for a walk with (?<who>\p{Lu}\p{L}+), (?<of>\p{Lu}\p{L}+)'s (?<word>[a-z-]+)\.$/u,
  /^(?<of>\p{Lu}\p{L}+) rang up (?<who>\p{Lu}\p{L}+), who is \p{Lu}\p{L}+'s (?<word>[a-z-]+)\.$/u,
  /^A letter came for (?<of>\p{Lu}\p{L}+) from \p{Lu}\p{L}+, \p{L}+'s (?<word>[a-z-]+)\.$/u,
]
const letter = /^A letter came for \p{L}+ from (\p{L}+),/u

interface Told {
  readonly who: string
  readonly word: string
  readonly of: string
}

function read(prompt: string): { readonly told: readonly Told[]; readonly asked: readonly [string, string] } {
  const told = prompt.split('\n').flatMap((line): Told[] => {
    for (const form of forms) {
      const groups = form.exec(line)?.groups
      if (groups === undefined) continue
      const { who = letter.exec(line)?.[1] ?? '', word = '', of = '' } = groups
      return [{ who, word, of }]
    }
    return []
  })
  const [, who = '', of = ''] = /^How is (\p{L}+) related to (\p{L}+)\?$/mu.exec(prompt) ?? []
  return { told, asked: [who, of] }
}

const STARTS = 20_000
const ENOUGH = 16
/** People looked at from one start, before another is taken. */
const PATIENCE = 200

/** Seats for the people of a chain in the world, the first one given, or null where the search is given up. */
function seating(chain: readonly Told[], start: number, roll: (below: number) => number): readonly number[] | null {
  let looked = 0
  const extended = (seats: readonly number[]): readonly number[] | null => {
    const next = chain[seats.length - 1]
    if (next === undefined) return seats
    const free = relativesOf(seats.at(-1) as number, next.word).filter((one) => !seats.includes(one))
    const turn = roll(free.length)
    for (const seat of [...free.slice(turn), ...free.slice(0, turn)]) {
      if (++looked > PATIENCE) return null
      const found = extended([...seats, seat])
      if (found !== null) return found
    }
    return null
  }
  return extended([start])
}

/** Seats the people of the chain in the world, again and again; what holds of the two asked about in every seating. */
function solvePrompt(prompt: string, roll: (below: number) => number): readonly string[] {
  const { told, asked } = read(prompt)
  const chain: Told[] = []
  for (let at = asked[0]; at !== asked[1]; ) {
    const next = told.find(({ who }) => who === at)
    if (next === undefined) throw new Error(`nobody is said to be related to ${at}`)
    chain.unshift(next)
    at = next.of
  }
  let holding: readonly string[] | null = null
  for (let start = 0, seated = 0; start < STARTS && seated < ENOUGH; start++) {
    const seats = seating(chain, roll(people.length), roll)
    if (seats === null) continue
    seated++
    const [of, who] = [seats[0] as number, seats.at(-1) as number]
    const here = relations.filter((word) => relativesOf(of, word).includes(who))
    holding = holding === null ? here : holding.filter((word) => here.includes(word))
  }
  return holding ?? ['nobody could be seated']
}

/** Times as many items as a test run takes: 50 makes it some 100,000. */
const times = Number(process.env['TOUCHSTONE_ORACLE_TIMES'] ?? 1)

describe('a solver that sees the prompt alone', () => {
  it.each([
    { hops: 4, items: sample({ nightly: 700, otherwise: 100 }) },
    { hops: 6, items: sample({ nightly: 600, otherwise: 80 }) },
    { hops: 8, items: sample({ nightly: 200, otherwise: 30 }) },
    { hops: 4, distractors: 2, items: sample({ nightly: 200, otherwise: 40 }) },
    { hops: 2, items: sample({ nightly: 200, otherwise: 20 }) },
    { hops: 5, items: sample({ nightly: 200, otherwise: 20 }) },
    { hops: 10, items: sample({ nightly: 50, otherwise: 6 }) },
    { hops: 4, distractors: 2, noise: 'supporting', items: sample({ nightly: 200, otherwise: 30 }) },
    { hops: 4, distractors: 2, noise: 'disconnected', items: sample({ nightly: 200, otherwise: 20 }) },
    { hops: 5, distractors: 4, noise: 'mixed', items: sample({ nightly: 200, otherwise: 30 }) },
    { part: 'rob_train_sup_23_test_all_23', items: sample({ nightly: 200, otherwise: 45 }) },
  ])(
    'never disagrees: %o',
    ({ items, ...config }) => {
      const roll = dice(11)
      const task: Task = kinship
      const source = sourceOf(task, config)
      const wrong = itemsOf(source, items * times).filter((item) => {
        const found = solvePrompt(promptOf(source, item, 'answer-line'), roll)
        return found.length !== 1 || found[0] !== item.answer
      })
      expect(wrong.map((item) => promptOf(source, item, 'answer-line'))).toEqual([])
    },
    60_000 * times,
  )
})
