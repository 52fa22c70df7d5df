import { isArray, type Json } from '../../../../core/json.ts'
import { fullOnly, optionalStep, type SolutionStep } from '../../../../core/solution.ts'
import type { Problem } from '../../../../core/task.ts'
import { type Answer, type Fact, type Given, type Kin, kinOf, type Shared, wordOf } from '../question.ts'
import { compose, composeChain, type Derivation } from './compose.ts'

type P = Problem<Shared, Given, Answer>

/** The sentences of a question as links, whoever stands in them by number. */
function linksOf(given: Given): { readonly facts: readonly Fact[]; readonly asked: readonly [number, number] } {
  if (given.kind === 'facts') return given
  const chain = given.chain ?? []
  return { facts: chain.map((word, i): Fact => [i + 1, word, i]), asked: [chain.length, 0] }
}

/** The numbers of the sentences on the way, put together two by two until one relation is left. */
export function witness({ given }: P): Json {
  const { facts, asked } = linksOf(given)
  const way = wayOf(facts, asked)
  const kins = way.map((at) => kinOf((facts[at] as Fact)[1])?.kin)
  if (kins.length === 0 || kins.includes(undefined)) return null
  const how = composeChain(kins as readonly Kin[])?.at(0, way.length)?.how
  return how === undefined ? null : numbered(how, way)
}

const numbered = (how: Derivation, way: readonly number[]): Json =>
  typeof how === 'number' ? (way[how] as number) : [numbered(how[0], way), numbered(how[1], way)]

/** From the one asked about to the other, each sentence about the one that the last was said of; none where there is none. */
export function wayOf(facts: readonly Fact[], [who, of]: readonly [number, number]): readonly number[] {
  const from = new Map<number, readonly number[]>([[who, []]])
  for (const [person, way] of from)
    for (const [at, [a, , b]] of facts.entries()) if (a === person && !from.has(b)) from.set(b, [...way, at])
  return from.get(of) ?? []
}

/** Goes through the parts again: they must meet, and come to the answer. */
export function check({ given, answer }: P, proof: Json): boolean {
  const { facts, asked } = linksOf(given)
  const found = judged(proof, facts, 0)
  return (
    found !== null &&
    found.who === asked[0] &&
    found.of === asked[1] &&
    wordOf(found.kin, kinOf(answer)?.gender ?? 'f') === answer &&
    facts.some(([a, word]) => a === asked[0] && kinOf(word)?.gender === kinOf(answer)?.gender)
  )
}

interface Judged {
  readonly who: number
  readonly kin: Kin
  readonly of: number
}

const DEEPEST = 64

function judged(proof: Json | undefined, facts: readonly Fact[], depth: number): Judged | null {
  if (typeof proof === 'number') {
    const fact = facts[proof]
    const kin = fact === undefined ? undefined : kinOf(fact[1])?.kin
    return fact === undefined || kin === undefined ? null : { who: fact[0], kin, of: fact[2] }
  }
  if (proof === undefined || !isArray(proof) || proof.length !== 2 || depth > DEEPEST) return null
  const [first, second] = [judged(proof[0], facts, depth + 1), judged(proof[1], facts, depth + 1)]
  if (first === null || second === null || first.of !== second.who) return null
  const kin = compose(first.kin, second.kin)
  return kin === null ? null : { who: first.who, kin, of: second.of }
}

/** The witness as sentences; in short without those of the story. */
export function solution(problem: P): readonly SolutionStep[] {
  const { given, answer } = problem
  const { facts } = linksOf(given)
  const name = (person: number): string =>
    given.kind === 'facts' ? (given.people[person] as string) : `person ${person}`
  const lines: SolutionStep[] = []
  const whole = witness(problem)
  const go = (proof: Json | undefined): Judged | null => {
    const found = judged(proof, facts, 0)
    if (found === null || proof === undefined) return null
    if (isArray(proof)) for (const part of proof) go(part)
    const line = `${name(found.who)} is the ${wordOf(found.kin, genderOf(found.who))} of ${name(found.of)}.`
    lines.push(proof === whole ? line : isArray(proof) ? optionalStep(line) : fullOnly(line))
    return found
  }
  const genderOf = (person: number) => kinOf(facts.find(([a]) => a === person)?.[1] ?? '')?.gender ?? 'f'
  go(whole)
  return [...lines, `Answer: ${answer}`]
}
