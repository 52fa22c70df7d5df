import type { Question as QuestionOf } from '../../../core/task.ts'
import type { Shown } from '../common/presentation.ts'

/** All S are P, no S are P, some S are P, some S are not P. */
export type Mood = 'A' | 'E' | 'I' | 'O'
export const moods: readonly Mood[] = ['A', 'E', 'I', 'O']

/** Mood, subject and predicate as positions in `terms`. */
export type Proposition = readonly [mood: Mood, subject: number, predicate: number]

export type Given = {
  /** In alphabetical order, so the order carries no information. */
  readonly terms: readonly string[]
  /**
   * Along the path from the conclusion's subject; a further statement follows the first one with which it shares a
   * term.
   */
  readonly premises: readonly Proposition[]
  readonly ask: /** `none`: that none of the four follows is one more answer. */
    | { readonly kind: 'choose'; readonly subject: number; readonly predicate: number; readonly none: boolean }
    | { readonly kind: 'judge'; readonly conclusion: Proposition }
  readonly existentialImport: boolean
}

export type Shared = Shown

export type Question = QuestionOf<Shared, Given>

export function sentence([mood, s, p]: Proposition, terms: readonly string[]): string {
  const [subject, predicate] = [terms[s] as string, terms[p] as string]
  switch (mood) {
    case 'A':
      return `All ${subject} are ${predicate}`
    case 'E':
      return `No ${subject} are ${predicate}`
    case 'I':
      return `Some ${subject} are ${predicate}`
    case 'O':
      return `Some ${subject} are not ${predicate}`
  }
}

/** The four options of a question, in the fixed order A, E, I, O; or the one conclusion that is judged. */
export const candidates = ({ ask }: Given): readonly Proposition[] =>
  ask.kind === 'judge' ? [ask.conclusion] : moods.map((mood) => [mood, ask.subject, ask.predicate] as const)

/** Without what is weaker than another one: "Some" beside "All", "Some .. not" beside "No". */
export const strongest = (derived: readonly Proposition[]): readonly Proposition[] =>
  derived.filter(
    ([mood]) => !derived.some(([other]) => (mood === 'I' && other === 'A') || (mood === 'O' && other === 'E')),
  )

/** The answer where none of the four options follows. */
export const nothing = 'None of these follows'

export function choices({ given: { ask, terms } }: Pick<Question, 'given'>): readonly string[] {
  if (ask.kind === 'judge') return ['Yes', 'No']
  const said = moods.map((mood) => sentence([mood, ask.subject, ask.predicate], terms))
  return ask.none ? [...said, nothing] : said
}
