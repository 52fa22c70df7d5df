import type { Question as QuestionOf } from '../../../core/task.ts'
import type { Shown } from '../common/presentation.ts'

export type Member = { readonly name: string; readonly age: number; readonly hobbies: readonly string[] }
export type FamilyRecord = { readonly surname: string; readonly address: string; readonly members: readonly Member[] }

/** A member: positions of the family in the records and of the person in it. */
export type Person = readonly [family: number, member: number]

/** Who wins a tie: the alphabetically first or last name; null: no ties. */
export type TieRule = 'first' | 'last' | null

export type Ask =
  /** `most`: the largest family there can be. */
  | { readonly kind: 'size'; readonly family: number; readonly most: number }
  | { readonly kind: 'hobby'; readonly person: Person; readonly hobby: string }
  | { readonly kind: 'larger'; readonly families: readonly [number, number]; readonly tie: TieRule }
  | { readonly kind: 'older'; readonly people: readonly [Person, Person]; readonly tie: TieRule }
  | { readonly kind: 'shared-hobbies'; readonly people: readonly [Person, Person] }

export type Given = {
  /** Records in their own order; surnames differ, and so do the first names inside a family. */
  readonly families: readonly FamilyRecord[]
  readonly ask: Ask
}

export type Shared = Shown & {
  readonly format: 'json' | 'yaml' | 'xml' | 'prose'
}

export type Question = QuestionOf<Shared, Given>

export const memberAt = ({ families }: Pick<Given, 'families'>, [family, member]: Person): Member =>
  (families[family] as FamilyRecord).members[member] as Member

export const fullName = (given: Given, person: Person): string =>
  `${memberAt(given, person).name} ${(given.families[person[0]] as FamilyRecord).surname}`

/** What may be answered where that is one of few; a list of hobbies is open. */
export function choices({ given }: Pick<Question, 'given'>): readonly string[] {
  const { ask, families } = given
  switch (ask.kind) {
    case 'size':
      return Array.from({ length: ask.most }, (_, i) => String(i + 1))
    case 'hobby':
      return ['Yes', 'No']
    case 'larger':
      return ask.families.map((f) => (families[f] as FamilyRecord).surname)
    case 'older':
      return ask.people.map((person) => fullName(given, person))
    case 'shared-hobbies':
      return []
  }
}
