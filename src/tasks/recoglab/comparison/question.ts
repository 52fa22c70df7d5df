import type { Question as QuestionOf } from '../../../core/task.ts'
import type { Shown } from '../common/presentation.ts'

/** One statement: positions of the lesser and the greater in `entities`. */
export type Statement = readonly [lesser: number, greater: number]

export type Ask =
  | {
      readonly kind: 'order'
      /** "Is first <word> than second?" */
      readonly first: number
      readonly second: number
      readonly word: 'lesser' | 'greater'
      /** May the answer be Unknown? */
      readonly open: boolean
    }
  | { readonly kind: 'consistency' }

export type Given = {
  readonly relation: 'age' | 'size' | 'weight'
  readonly entityKind: 'names' | 'objects' | 'strings' | 'given'
  /** In alphabetical order, so the order carries no information. */
  readonly entities: readonly string[]
  /** Along the structure: each but the first shares an entity with an earlier one. */
  readonly statements: readonly Statement[]
  readonly ask: Ask
}

export type Shared = Shown & {
  readonly statementWords: 'random' | 'greater' | 'lesser'
}

export type Question = QuestionOf<Shared, Given>

export const words = {
  age: { lesser: 'younger', greater: 'older' },
  size: { lesser: 'smaller', greater: 'larger' },
  weight: { lesser: 'lighter', greater: 'heavier' },
} as const

/** How an entity is named in a sentence. */
export const phrase = ({ entityKind, entities }: Given, i: number): string =>
  `${entityKind === 'objects' ? 'the ' : ''}${entities[i] ?? ''}`

/** That the first is less (or more) than the second. */
export function comparedIn(given: Given, side: 'lesser' | 'greater', first: number, second: number): string {
  const line = `${phrase(given, first)} is ${words[given.relation][side]} than ${phrase(given, second)}.`
  return line.startsWith('the ') ? `T${line.slice(1)}` : line
}

export function choices(question: Question): readonly string[] {
  const { ask } = question.given
  if (ask.kind === 'consistency') return ['Consistent', 'Inconsistent']
  return ask.open ? ['Yes', 'No', 'Unknown'] : ['Yes', 'No']
}
