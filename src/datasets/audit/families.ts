import type { AnswerKey, Subject } from './subject.ts'

/** Items whose answers are of one type are tested together; every such family has its own rows. */
export type AnswerFamily =
  | {
      readonly kind: 'classes'
      readonly name: string
      readonly labels: readonly string[]
      readonly subjects: readonly Subject[]
    }
  | { readonly kind: 'candidates'; readonly subjects: readonly Subject[] }
  | { readonly kind: 'free'; readonly subjects: readonly Subject[] }

/** What a question's choices and grades say about its answer. */
export interface Choices {
  readonly choices: readonly string[]
  readonly accepted: readonly boolean[]
}

/** More different lists of choices than this are candidates of their own items, not classes. */
const mostLists = 4

/** Decides the answer type of every item: the same few choices with one right answer make classes. */
export function answerKeys(all: readonly (Choices | null)[], free: (item: number) => AnswerKey): AnswerKey[] {
  const lists = new Set(all.filter((choices) => choices !== null).map((choices) => choices.choices.join('\n')))
  return all.map((entry, i) => {
    if (entry === null) return free(i)
    const right = entry.accepted.filter(Boolean).length
    if (lists.size <= mostLists && right === 1) return { kind: 'class', key: entry.accepted.indexOf(true) }
    return { kind: 'candidates', candidates: entry.choices, accepted: entry.accepted }
  })
}

export function answerFamilies(subjects: readonly Subject[], all: readonly (Choices | null)[]): AnswerFamily[] {
  const classes = new Map<string, Subject[]>()
  const candidates: Subject[] = []
  const free: Subject[] = []
  for (const [i, subject] of subjects.entries()) {
    if (subject.answer.kind === 'free') free.push(subject)
    else if (subject.answer.kind === 'candidates') candidates.push(subject)
    else {
      const name = all[i]?.choices.join('\n') ?? ''
      const list = classes.get(name)
      if (list === undefined) classes.set(name, [subject])
      else list.push(subject)
    }
  }
  return [
    ...[...classes].map(
      ([name, list]) => ({ kind: 'classes', name, labels: name.split('\n'), subjects: list }) as const,
    ),
    ...(candidates.length > 0 ? [{ kind: 'candidates', subjects: candidates } as const] : []),
    ...(free.length > 0 ? [{ kind: 'free', subjects: free } as const] : []),
  ]
}
