import { isArray, isObject, type Json } from '../../../../core/json.ts'
import type { Problem } from '../../../../core/task.ts'
import { type FamilyRecord, fullName, type Given, memberAt, type Person, type Shared } from '../question.ts'

type P = Problem<Shared, Given, string>

/** The records used, as they are: enough to decide the question without the others. */
export function witness({ given }: P): Json {
  const { ask, families } = given
  const facts = (person: Person) => ({
    name: fullName(given, person),
    age: memberAt(given, person).age,
    hobbies: memberAt(given, person).hobbies,
  })
  const size = (f: number) => ({
    surname: (families[f] as FamilyRecord).surname,
    members: (families[f] as FamilyRecord).members.map((m) => m.name),
  })
  switch (ask.kind) {
    case 'size':
      return [size(ask.family)]
    case 'hobby':
      return [facts(ask.person)]
    case 'larger':
      return ask.families.map(size)
    default:
      return ask.people.map(facts)
  }
}

/** Verifies that the cited facts stand in the records and decide for the answer. */
export function check(problem: P, proof: Json): boolean {
  const { given, answer } = problem
  const { ask } = given
  if (!isArray(proof) || JSON.stringify(sortedKeys(proof)) !== JSON.stringify(sortedKeys(witness(problem))))
    return false
  const cited = proof.map((fact) => (isObject(fact) ? fact : {}))
  const [a, b] = cited
  const list = (value: Json | undefined): readonly Json[] => (value !== undefined && isArray(value) ? value : [])
  if (ask.kind === 'size') return answer === String(list(a?.['members']).length)
  if (ask.kind === 'hobby') return answer === (list(a?.['hobbies']).includes(ask.hobby) ? 'Yes' : 'No')
  if (ask.kind === 'shared-hobbies') {
    const both = list(a?.['hobbies']).filter((hobby) => list(b?.['hobbies']).includes(hobby)) as string[]
    const said = answer === 'N/A' ? [] : answer.split(', ')
    const ascending = said.every((hobby, i) => i === 0 || (said[i - 1] as string) < hobby)
    return ascending && said.length === both.length && said.every((hobby) => both.includes(hobby))
  }
  const named = ask.kind === 'larger' ? 'surname' : 'name'
  const measure = (fact: { readonly [key: string]: Json } | undefined): number =>
    ask.kind === 'larger' ? list(fact?.['members']).length : Number(fact?.['age'])
  const wins = (x: typeof a, y: typeof a) =>
    measure(x) > measure(y) ||
    (ask.tie !== null && measure(x) === measure(y) && String(x?.[named]) < String(y?.[named]) === (ask.tie === 'first'))
  return (wins(a, b) && answer === a?.[named]) || (wins(b, a) && answer === b?.[named])
}

function sortedKeys(value: Json): Json {
  if (isArray(value)) return value.map(sortedKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]): [string, Json] => [key, sortedKeys(part)])
      .sort(([x], [y]) => (x < y ? -1 : 1)),
  )
}
