import type { Subject } from './subject.ts'

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
