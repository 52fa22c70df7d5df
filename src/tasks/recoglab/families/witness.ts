import {
  type CheckedStep,
  type CheckedSteps,
  isArray,
  isObject,
  type Json,
  memoize,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { isAsserted } from '../../../libraries/language/asserted.ts'
import { goldLine } from '../common/answers.ts'
import { inOrder, spanOf } from '../common/steps.ts'
import { solve } from './oracle.ts'
import {
  type Ask,
  type FamilyRecord,
  fullName,
  type Given,
  type Member,
  memberAt,
  type Person,
  type Question,
  type Shared,
} from './question.ts'

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

/** The records that the question is about, each in a line (members counted and not named in short), then what they give. */
export function solution(problem: P): readonly SolutionStep[] {
  const { given, answer } = problem
  return [...lines(given, given.ask, answer), goldLine(problem)]
}

function lines(given: Given, ask: Ask, answer: string): SolutionStep[] {
  const members = (f: number): readonly [full: string, short: string] => {
    const { surname, members } = given.families[f] as FamilyRecord
    const said = `The ${surname} family has ${members.length === 1 ? '1 member' : `${members.length} members`}`
    return [`${said}: ${members.map(({ name }) => name).join(', ')}.`, `${said}.`]
  }
  const hobbies = (person: Person): string =>
    `${fullName(given, person)} likes: ${memberAt(given, person).hobbies.join(', ')}.`
  switch (ask.kind) {
    case 'size': {
      const [full, short] = members(ask.family)
      return [{ reason: short, short, full }]
    }
    case 'hobby':
      return [hobbies(ask.person)]
    case 'larger':
      return [...ask.families.map((f) => optionalStep(...members(f))), `By number of members: ${answer}.`]
    case 'older':
      return [
        ...ask.people.map((person) =>
          optionalStep(`${fullName(given, person)} is ${memberAt(given, person).age} years old.`),
        ),
        `By age: ${answer}.`,
      ]
    case 'shared-hobbies':
      return [...ask.people.map((person) => optionalStep(hobbies(person))), `Both like: ${answer}.`]
  }
}

interface Records {
  readonly families: ReadonlyMap<string, number>
  readonly people: ReadonlyMap<string, Person>
}

const recordsOf = memoize((given: Given): Records => {
  const people = given.families.flatMap(({ members }, f) =>
    members.map((_, m): readonly [string, Person] => [fullName(given, [f, m]), [f, m]]),
  )
  return {
    families: new Map(given.families.map(({ surname }, f) => [surname, f])),
    people: new Map(people),
  }
})

const MEMBERS = /^The ([^\n:]{1,80}) family has (\d{1,4}) members?(?:: ([^\n]{1,20000}))?\.$/gmu
const HOBBIES = /^([^\n:]{1,120}) likes: ([^\n]{1,20000})\.$/gmu
const AGE = /([^\s.,:;][^\n.,:;]{0,119}?) is (\d{1,3}) years old\b/gu
const RESULT = /^(By number of members|By age|Both like): ([^\n]{1,20000})\.$/gmu
const RESULTS: { readonly [said: string]: Ask['kind'] } = {
  'By number of members': 'larger',
  'By age': 'older',
  'Both like': 'shared-hobbies',
}

/** Records and results in a text, each checked against the records of the question. Linear in the text. */
export function checkSteps({ shared, given }: Question, text: string): CheckedSteps {
  const { ask } = given
  const { families, people } = recordsOf(given)
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const known = <T>(map: ReadonlyMap<string, T>, name: string | undefined): T | undefined => {
    const found = map.get(name ?? '')
    if (found === undefined) unknown.push((name ?? '').slice(0, 120))
    return found
  }
  const add = (match: RegExpMatchArray, holds: boolean, decides: string | null = null): void => {
    steps.push({ span: spanOf(match), holds, decides })
  }
  for (const match of text.matchAll(MEMBERS)) {
    const family = known(families, match[1])
    const own = family === undefined ? [] : (given.families[family] as FamilyRecord).members.map(({ name }) => name)
    const holds = Number(match[2]) === own.length && (match[3] === undefined || sameNames(own, match[3]))
    add(match, holds, ask.kind === 'size' && family === ask.family ? String(Number(match[2])) : null)
  }
  for (const match of text.matchAll(HOBBIES)) {
    const person = known(people, match[1])
    const own = person === undefined ? [] : memberAt(given, person).hobbies
    const asked = ask.kind === 'hobby' && person?.join() === ask.person.join()
    const listed = (match[2] ?? '').split(', ')
    add(match, sameNames(own, match[2] ?? ''), asked ? (listed.includes(ask.hobby) ? 'Yes' : 'No') : null)
  }
  // What begins with a name is tried at every place of a text.
  for (const match of text.includes(' years old') ? text.matchAll(AGE) : []) {
    const person = people.get(match[1] ?? '')
    const member: Member | null = person === undefined ? null : memberAt(given, person)
    if (member !== null && isAsserted(text, spanOf(match))) add(match, member.age === Number(match[2]))
  }
  for (const match of text.matchAll(RESULT)) {
    const about = RESULTS[match[1] ?? ''] === ask.kind
    add(match, about && match[2] === solve({ shared, given }), about ? (match[2] ?? null) : null)
  }
  return { steps: inOrder(steps), unknown }
}

/** Equal as multisets. */
const sameNames = (own: readonly string[], list: string): boolean =>
  list.split(', ').sort().join() === [...own].sort().join()
