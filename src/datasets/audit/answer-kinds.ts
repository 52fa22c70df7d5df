import type { AnswerKey, Subject } from './subject.ts'

/** Items by the kind of their answers: each kind is tested on its own rows. */
export type AnswerKind =
  | {
      readonly kind: 'classes'
      readonly labels: readonly string[]
      readonly subjects: readonly Subject[]
    }
  | { readonly kind: 'candidates'; readonly subjects: readonly Subject[] }
  | { readonly kind: 'free'; readonly subjects: readonly Subject[] }

/** The choices of a question, and which of them score 1. */
export interface Choices {
  readonly choices: readonly string[]
  readonly accepted: readonly boolean[]
}

/** With more different lists of choices, choices are candidates of their items, not classes. */
const MAX_LISTS = 4
/** Open answers are classes if at most this many frequent ones cover this fraction of the items. */
const MAX_ANSWERS = 20
const MIN_COVERED = 0.9

type Free = Extract<AnswerKey, { readonly kind: 'free' }>

/** The answer kind of every item: the same few choices with one correct answer are classes, and so are few open answers. */
export function answerKeys(all: readonly (Choices | null)[], free: (item: number) => Free): AnswerKey[] {
  const lists = new Set(all.filter((choices) => choices !== null).map((choices) => choices.choices.join('\n')))
  const open = new Map(all.flatMap((entry, i) => (entry === null ? [[i, free(i)] as const] : [])))
  const classes = openClasses([...open.values()])
  return all.map((entry, i) => {
    if (entry === null) {
      const key = open.get(i) as Free
      if (classes === null) return key
      const place = classes.indexOf(key.gold ?? '')
      return { kind: 'class', labels: classes, key: place < 0 ? classes.length - 1 : place }
    }
    const right = entry.accepted.filter(Boolean).length
    if (lists.size <= MAX_LISTS && right === 1)
      return { kind: 'class', labels: entry.choices, key: entry.accepted.indexOf(true) }
    return { kind: 'candidates', candidates: entry.choices, accepted: entry.accepted }
  })
}

/** Classes of open answers in code-unit order, the rare ones last as one; null if there are too many. */
function openClasses(open: readonly Free[]): readonly string[] | null {
  const counts = new Map<string, number>()
  for (const { gold } of open) if (gold !== null) counts.set(gold, (counts.get(gold) ?? 0) + 1)
  const frequent = [...counts].filter(([, count]) => count >= MIN_SUPPORT)
  const covered = frequent.reduce((sum, [, count]) => sum + count, 0)
  if (frequent.length < 2 || frequent.length > MAX_ANSWERS || covered < MIN_COVERED * open.length) return null
  const names = frequent.map(([gold]) => gold).sort()
  return covered === open.length ? names : [...names, rare]
}

export function byAnswerKind(subjects: readonly Subject[]): AnswerKind[] {
  const lists = Map.groupBy(subjects, ({ answer }) =>
    answer.kind === 'class' ? answer.labels.join('\n') : answer.kind,
  )
  const kinds = [...lists.values()].map((own): AnswerKind => {
    const { answer } = own[0] as Subject
    return answer.kind === 'class'
      ? { kind: 'classes', labels: answer.labels, subjects: own }
      : { kind: answer.kind, subjects: own }
  })
  return (['classes', 'candidates', 'free'] as const).flatMap((kind) => kinds.filter((own) => own.kind === kind))
}

/** Answers of fewer items are rare: too few to test alone. */
export const MIN_SUPPORT = 20
/** All rare answers together. */
export const rare = '(rare)'

/** Classes of the tests of one answer kind. */
export interface Classes {
  readonly labels: readonly string[]
  readonly keys: Int32Array
  /** The class of a guess; -1: none. */
  classOf(guess: string): number
  /** Answers in the class of rare ones. */
  readonly pooled: readonly string[]
}

/** Answers as classes, the rare ones pooled into one, unless no frequent class or only one rare class exists. */
export function pooledClasses(labels: readonly string[], subjects: readonly Subject[]): Classes {
  const keys = Int32Array.from(subjects, ({ answer }) => (answer.kind === 'class' ? answer.key : 0))
  const counts = new Int32Array(labels.length)
  for (const key of keys) counts[key] = (counts[key] as number) + 1
  const frequent = labels.filter((_, k) => (counts[k] as number) >= MIN_SUPPORT)
  const pooled = labels.filter((_, k) => (counts[k] as number) > 0 && (counts[k] as number) < MIN_SUPPORT)
  if (frequent.length === 0 || pooled.length < 2)
    return { labels, keys, classOf: (guess) => labels.indexOf(guess), pooled: [] }
  const classes = [...frequent, rare]
  const place = new Map(
    labels.map((label) => [label, frequent.includes(label) ? frequent.indexOf(label) : frequent.length]),
  )
  const of = labels.map((label) => place.get(label) as number)
  return {
    labels: classes,
    keys: keys.map((key) => of[key] as number),
    classOf: (guess) => place.get(guess) ?? -1,
    pooled,
  }
}
