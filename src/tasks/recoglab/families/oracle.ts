import type { FamilyRecord, Given, Member, Person, Question, TieRule } from './question.ts'

/** The answer by evaluating the question on the records as they stand. */
export function solve({ given }: Question): string {
  const { ask } = given
  switch (ask.kind) {
    case 'size':
      return String(family(given, ask.family).members.length)
    case 'hobby':
      return person(given, ask.person).hobbies.includes(ask.hobby) ? 'Yes' : 'No'
    case 'larger':
      return winner(
        ask.families.map((f) => ({ key: family(given, f).members.length, name: family(given, f).surname })),
        ask.tie,
      )
    case 'older':
      return winner(
        ask.people.map((p) => ({
          key: person(given, p).age,
          name: `${person(given, p).name} ${family(given, p[0]).surname}`,
        })),
        ask.tie,
      )
    case 'shared-hobbies': {
      const [one, two] = ask.people.map((p) => new Set(person(given, p).hobbies)) as [Set<string>, Set<string>]
      const both = [...one].filter((hobby) => two.has(hobby)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      return both.length === 0 ? 'N/A' : both.join(', ')
    }
  }
}

export const oracle = (question: Question, answer: string): boolean => solve(question) === answer

const family = ({ families }: Given, at: number): FamilyRecord => families[at] as FamilyRecord
const person = (given: Given, [f, m]: Person): Member => family(given, f).members[m] as Member

/** The name with the larger key; ties by the rule. */
function winner(candidates: readonly { readonly key: number; readonly name: string }[], tie: TieRule): string {
  return candidates.reduce((best, next) =>
    next.key > best.key || (next.key === best.key && next.name < best.name === (tie !== 'last')) ? next : best,
  ).name
}
