import type { AnswerKey, Subject } from './subject.ts'

/** Items whose answers are of one type are tested together; every such family has its own rows. */
export type AnswerKind =
  | {
      readonly kind: 'classes'
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
const maxLists = 4
/** Open answers are classes where at most so many different ones, each at least so frequent, cover nearly all items. */
const maxAnswers = 20
const nearlyAll = 0.9

type Free = Extract<AnswerKey, { readonly kind: 'free' }>

/**
 * Decides the answer type of every item: the same few choices with one right answer make classes, and so do open
 * answers of which there are only a few.
 */
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
    if (lists.size <= maxLists && right === 1)
      return { kind: 'class', labels: entry.choices, key: entry.accepted.indexOf(true) }
    return { kind: 'candidates', candidates: entry.choices, accepted: entry.accepted }
  })
}

/** The classes of open answers, in code-unit order with the rare ones last; null where they are not few. */
function openClasses(open: readonly Free[]): readonly string[] | null {
  const counts = new Map<string, number>()
  for (const { gold } of open) if (gold !== null) counts.set(gold, (counts.get(gold) ?? 0) + 1)
  const frequent = [...counts].filter(([, count]) => count >= leastSupport)
  const covered = frequent.reduce((sum, [, count]) => sum + count, 0)
  if (frequent.length < 2 || frequent.length > maxAnswers || covered < nearlyAll * open.length) return null
  const names = frequent.map(([gold]) => gold).sort()
  return covered === open.length ? names : [...names, rare]
}

/** Items by the type of their answers. */
export function answerFamilies(subjects: readonly Subject[]): AnswerKind[] {
  const classes = new Map<string, { readonly labels: readonly string[]; readonly subjects: Subject[] }>()
  const candidates: Subject[] = []
  const free: Subject[] = []
  for (const subject of subjects) {
    const { answer } = subject
    if (answer.kind === 'free') free.push(subject)
    else if (answer.kind === 'candidates') candidates.push(subject)
    else {
      const name = answer.labels.join('\n')
      const family = classes.get(name)
      if (family === undefined) classes.set(name, { labels: answer.labels, subjects: [subject] })
      else family.subjects.push(subject)
    }
  }
  return [
    ...[...classes.values()].map((family) => ({ kind: 'classes', ...family }) as const),
    ...(candidates.length > 0 ? [{ kind: 'candidates', subjects: candidates } as const] : []),
    ...(free.length > 0 ? [{ kind: 'free', subjects: free } as const] : []),
  ]
}

/** An answer that fewer items have is rare: too few to test it alone. */
export const leastSupport = 20
/** All rare answers together. */
export const rare = '(rare)'

/** The classes of a family's tests. */
export interface Classes {
  readonly labels: readonly string[]
  readonly keys: Int32Array
  /** The class a guess is for; -1: none. */
  classOf(guess: string): number
  /** Answers that share the class of rare ones. */
  readonly pooled: readonly string[]
}

/**
 * Answers as classes, the rare ones as one. Nothing is pooled where that would leave no frequent class, or would only
 * give one rare class another name.
 */
export function pooledClasses(labels: readonly string[], subjects: readonly Subject[]): Classes {
  const keys = Int32Array.from(subjects, ({ answer }) => (answer.kind === 'class' ? answer.key : 0))
  const counts = new Int32Array(labels.length)
  for (const key of keys) counts[key] = (counts[key] as number) + 1
  const frequent = labels.filter((_, k) => (counts[k] as number) >= leastSupport)
  const pooled = labels.filter((_, k) => (counts[k] as number) > 0 && (counts[k] as number) < leastSupport)
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
