import { isArray, isObject, type Json, jsonOrNull } from '../../../core/json.ts'
import {
  type Ask,
  type FamilyRecord,
  type Given,
  type Member,
  memberAt,
  type Person,
  type Shared,
} from '../families/question.ts'
import { asPublished, type PublishedRecord, publishedPresentation, type Read } from './records.ts'

/** Family records: JSON objects one after another, then a question that names families by surname and address. */
export function toFamilies(record: PublishedRecord): Read<Shared, Given, string> {
  if (!record.question.includes('"Family Name"')) return null
  const { objects, rest } = jsonObjects(record.question)
  const families = objects.flatMap((value) => family(value) ?? [])
  if (families.length === 0) return { kind: 'unread', reason: 'no family record could be parsed' }
  const ask = askOf(rest, families)
  if (typeof ask === 'string') return { kind: 'unread', reason: ask }
  const given: Given = { families, ask }
  const answer = fullNameOf(record.answers[0] as string, given)
  return {
    kind: 'item',
    shared: { ...asPublished, format: 'json' },
    given,
    answer,
    features: {
      families: families.length,
      maxMembers: Math.max(...families.map((f) => f.members.length)),
      people: families.reduce((sum, f) => sum + f.members.length, 0),
      ask: ask.kind,
      hop: null,
      format: 'json',
      tie: record.answers.length > 1,
      shared: null,
      label: answer,
      ...publishedPresentation,
    },
  }
}

/** The top-level JSON objects of a text, and what follows the last one. One pass. */
function jsonObjects(text: string): { readonly objects: readonly Json[]; readonly rest: string } {
  const objects: Json[] = []
  let depth = 0
  let start = 0
  let end = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const c = text[at]
    if (quoted) {
      if (c === '\\') at++
      else if (c === '"') quoted = false
    } else if (c === '"' && depth > 0) quoted = true
    else if (c === '{') {
      if (depth++ === 0) start = at
    } else if (c === '}' && depth > 0 && --depth === 0) {
      const value = jsonOrNull(text.slice(start, at + 1))
      if (value !== null) objects.push(value)
      end = at + 1
    }
  }
  return { objects, rest: text.slice(end) }
}

function family(value: Json): FamilyRecord | null {
  if (!isObject(value)) return null
  const { 'Family Name': surname, Address: address, Members: list } = value as { [key: string]: Json }
  if (typeof surname !== 'string' || typeof address !== 'string' || list === undefined || !isArray(list)) return null
  const members = list.flatMap((entry): Member[] => {
    if (!isObject(entry)) return []
    const { Name: name, Age: age, Hobbies: hobbies } = entry as { [key: string]: Json }
    if (typeof name !== 'string' || typeof age !== 'number' || hobbies === undefined || !isArray(hobbies)) return []
    return [{ name, age, hobbies: hobbies.map(String) }]
  })
  return { surname, address, members }
}

const PERSON = /(\S{1,41}) from the ((?:(?! the )[^\n?]){1,60}?) family living (?:on|at) ([^\n?]{5,120}?\d{5})/g
const FAMILY = /the ((?:(?! the )[^\n?]){1,60}?) family living (?:on|at) ([^\n?]{5,120}?\d{5})/g
const HOBBY = /\bIs ([a-z][a-z -]{0,40}) a hobby of\b/

/** The question, or the reason why it cannot be represented. */
function askOf(text: string, families: readonly FamilyRecord[]): Ask | string {
  const familyAt = (surname: string, address: string) =>
    families.findIndex((f) => f.surname === surname && f.address === address)
  const people: Person[] = []
  for (const [, name, surname, address] of text.matchAll(PERSON)) {
    const f = familyAt(surname as string, address as string)
    const found = families[f]?.members.flatMap((member, i) => (member.name === name ? [i] : [])) ?? []
    if (found.length !== 1)
      return found.length > 1
        ? 'two members of the family have the name that is asked about'
        : 'the person asked about is not in the records'
    people.push([f, found[0] as number])
  }
  const mentioned = [...text.matchAll(FAMILY)].map(([, surname, address]) =>
    familyAt(surname as string, address as string),
  )
  if (mentioned.includes(-1) || mentioned.length === 0) return 'the family asked about is not in the records'
  const [one, two] = people
  const hobby = HOBBY.exec(text)
  if (one !== undefined && hobby !== null) return { kind: 'hobby', person: one, hobby: hobby[1] as string }
  if (one !== undefined && two !== undefined) {
    if (!/\bolder\b/i.test(text)) return { kind: 'shared-hobbies', people: [one, two] }
    // The original answers by first name, which must tell the two apart.
    return memberAt({ families }, one).name === memberAt({ families }, two).name
      ? 'both people asked about have one first name'
      : { kind: 'older', people: [one, two], tie: 'first' }
  }
  const [a, b] = mentioned as [number, number | undefined]
  if (b !== undefined) {
    if (families[a]?.surname === families[b]?.surname) return 'both families asked about have one name'
    if (families[a]?.members.length === families[b]?.members.length)
      return 'both families have equally many members: there either name is right, and no rule is stated'
    return { kind: 'larger', families: [a, b], tie: null }
  }
  return { kind: 'size', family: a, most: Math.max(...families.map((f) => f.members.length)) }
}

/** The original answers "who is older" by first name; ours by full name. */
function fullNameOf(answer: string, { families, ask }: Given): string {
  if (ask.kind !== 'older') return answer
  const person = ask.people.find(([f, m]) => families[f]?.members[m]?.name === answer)
  return person === undefined ? answer : `${answer} ${families[person[0]]?.surname}`
}
