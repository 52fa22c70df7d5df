import type { Mood, Proposition } from '../question.ts'

export const figures = [1, 2, 3, 4] as const
export type Figure = (typeof figures)[number]

/** Subject, middle term and predicate of a syllogism of three terms. */
const [S, M, P] = [0, 1, 2]

/** The premises of a figure: the one about the subject first. */
export const premisesOf = (figure: Figure, major: Mood, minor: Mood): readonly Proposition[] => [
  figure <= 2 ? [minor, S, M] : [minor, M, S],
  figure % 2 === 1 ? [major, M, P] : [major, P, M],
]

export type Judged = 'E' | 'I' | 'O'
interface Form {
  readonly major: Mood
  readonly minor: Mood
  readonly valid: Figure
  readonly invalid: Figure
}

/**
 * For each conclusion two pairs of premises, each valid in one figure and invalid in another. The figure that makes one
 * pair valid makes the other invalid, so neither moods nor figure nor conclusion tell validity. All is not among the
 * conclusions: a single form of it is valid, and its figure would tell.
 */
export const forms: { readonly [mood in Judged]: readonly [Form, Form] } = {
  E: [
    { major: 'A', minor: 'E', valid: 4, invalid: 1 },
    { major: 'E', minor: 'A', valid: 1, invalid: 4 },
  ],
  I: [
    { major: 'A', minor: 'I', valid: 1, invalid: 4 },
    { major: 'I', minor: 'A', valid: 4, invalid: 1 },
  ],
  O: [
    { major: 'A', minor: 'O', valid: 2, invalid: 3 },
    { major: 'O', minor: 'A', valid: 3, invalid: 2 },
  ],
}

/** Figure and moods (major premise, minor premise) of the two statements that lead from subject to predicate. */
export function classicForm(
  premises: readonly Proposition[],
  subject: number,
  predicate: number,
): { readonly figure: Figure; readonly moods: string } | null {
  const about = (term: number) => premises.filter(([, s, p]) => s === term || p === term)
  const other = ([, s, p]: Proposition, term: number) => (s === term ? p : s)
  for (const minor of about(subject))
    for (const major of about(predicate)) {
      if (minor === major || other(minor, subject) !== other(major, predicate)) continue
      const figure = (major[2] === predicate ? (minor[1] === subject ? 1 : 3) : minor[1] === subject ? 2 : 4) as Figure
      return { figure, moods: major[0] + minor[0] }
    }
  return null
}

/** What follows by figure: major premise, minor premise, conclusion. The last list needs existential import. */
const valid: { readonly [figure in Figure]: readonly string[] } = {
  1: ['AAA', 'EAE', 'AII', 'EIO'],
  2: ['EAE', 'AEE', 'EIO', 'AOO'],
  3: ['IAI', 'AII', 'OAO', 'EIO'],
  4: ['AEE', 'IAI', 'EIO'],
}
const withImport: { readonly [figure in Figure]: readonly string[] } = {
  1: [],
  2: [],
  3: ['AAI', 'EAO'],
  4: ['AAI', 'EAO'],
}

/** The strongest conclusion about subject and predicate, or null where none follows. */
export function conclusionOf(figure: Figure, major: Mood, minor: Mood, existentialImport: boolean): Mood | null {
  const known = existentialImport ? [...valid[figure], ...withImport[figure]] : valid[figure]
  const found = known.find((form) => form.startsWith(major + minor))
  return found === undefined ? null : (found[2] as Mood)
}
