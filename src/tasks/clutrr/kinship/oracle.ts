import { Genealogy } from './genealogy.ts'
import { type Answer, type Gender, kinOf, type Question } from './question.ts'

/**
 * Second oracle: no table. A genealogy with parents, spouses and siblings is chased from the sentences; where a word leaves
 * open by whom (a grandmother is the mother of the father or of the mother) both are followed, and what holds in all that
 * are possible is the answer.
 */
export function solve(question: Question): Answer | null {
  const [only, ...others] = readings(question)
  return only === undefined || only === '' || others.length > 0 ? null : only
}

/** Every relation that the sentences allow, one for each way in which their open words can be meant; '': one that has no word here. */
export function readings({ given }: Question): ReadonlySet<string> {
  if (given.kind === 'facts') return readingsOf(given.people.length, given.facts, given.asked)
  const { chain } = given
  if (chain === null) return new Set()
  // The chain of the file starts at the person whose relation is asked; each word relates the next person to the
  // previous one.
  return readingsOf(
    chain.length + 1,
    chain.map((word, i) => [i + 1, word, i] as const),
    [chain.length, 0],
  )
}

export const oracle = (question: Question, answer: Answer): boolean => solve(question) === answer

type StatedFact = readonly [who: number, word: string, of: number]

function readingsOf(
  people: number,
  facts: readonly StatedFact[],
  [who, of]: readonly [number, number],
): ReadonlySet<string> {
  const near = reachable(people, facts, who)
  const nearby = facts.filter(([a]) => near.has(a))
  const genders: (Gender | null)[] = Array.from({ length: people }, () => null)
  for (const [a, word] of nearby) {
    const gender = kinOf(word)?.gender ?? null
    if (genders[a] !== null && genders[a] !== gender) return new Set()
    genders[a] = gender
  }
  const found = new Set<string>()
  const open = nearby.length
  // Every way in which the open words can be meant; most sentences leave nothing open.
  const follow = (choices: readonly Gender[]): void => {
    const genealogy = new Genealogy(genders, choices)
    for (const [a, word, b] of nearby) {
      const kin = kinOf(word)?.kin
      if (kin === undefined) return
      const state = genealogy.say(a, kin, b)
      if (state === 'impossible') return
      if (state === 'open') {
        if (choices.length >= open + people) return
        follow([...choices, 'f'])
        follow([...choices, 'm'])
        return
      }
    }
    found.add(genealogy.relation(who, of) ?? '')
  }
  follow([])
  return found
}

function reachable(people: number, facts: readonly StatedFact[], from: number): ReadonlySet<number> {
  const links = Array.from({ length: people }, (): number[] => [])
  for (const [a, , b] of facts) {
    links[a]?.push(b)
    links[b]?.push(a)
  }
  const seen = new Set([from])
  for (const person of seen) for (const next of links[person] ?? []) seen.add(next)
  return seen
}
