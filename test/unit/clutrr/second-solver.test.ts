import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { compose } from '../../../src/tasks/clutrr/kinship/compose.ts'
import { solve } from '../../../src/tasks/clutrr/kinship/oracle.ts'
import { kins, relations, wordOf } from '../../../src/tasks/clutrr/kinship/question.ts'
import { kinship } from '../../../src/tasks/clutrr/kinship/task.ts'
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

const TRIES = 400
const ENOUGH = 12

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
  for (let attempt = 0, seated = 0; attempt < TRIES && seated < ENOUGH; attempt++) {
    const seats = [roll(people.length)]
    for (const { word } of chain) {
      const free = relativesOf(seats.at(-1) as number, word).filter((one) => !seats.includes(one))
      const seat = free[roll(free.length)]
      if (seat === undefined) break
      seats.push(seat)
    }
    if (seats.length <= chain.length) continue
    seated++
    const [of, who] = [seats[0] as number, seats.at(-1) as number]
    const here = relations.filter((word) => relativesOf(of, word).includes(who))
    holding = holding === null ? here : holding.filter((word) => here.includes(word))
  }
  return holding ?? ['nobody could be seated']
}

describe('a solver that sees the prompt alone', () => {
  it.each([
    { hops: 4, items: 3000 },
    { hops: 6, items: 1500 },
    { hops: 8, items: 300 },
    { hops: 4, distractors: 2, items: 300 },
  ])('never disagrees: %o', ({ items, ...config }) => {
    const roll = dice(11)
    const task: Task = kinship
    const source = sourceOf(task, config)
    const wrong = itemsOf(source, items).filter((item) => {
      const found = solvePrompt(promptOf(source, item, 'answer-line'), roll)
      return found.length !== 1 || found[0] !== item.answer
    })
    expect(wrong.map((item) => promptOf(source, item, 'answer-line'))).toEqual([])
  })
})
