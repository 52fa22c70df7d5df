import type { FinishReason, Json, Message } from '../../../core/index.ts'

/** A sample of a log of any task: its question, what the model answered, and the scores that it was given. */
export interface LogRecord {
  /** The task of the log, by its own name. */
  readonly task: string
  /** Equal for the same sample in every log. */
  readonly id: string
  /** What samples of one id must agree in to be the same. */
  readonly content: string
  readonly question: readonly Message[]
  readonly choices: readonly string[] | null
  readonly targets: readonly string[]
  /** Facts about the sample, by their own names. */
  readonly facts: { readonly [name: string]: Json }
  readonly model: string
  readonly style: string
  /** null: it is counted. */
  readonly sample: number | null
  readonly settings: { readonly [name: string]: Json }
  readonly text: string
  readonly reasoning: string | null
  readonly finish: FinishReason
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number; readonly reasoningTokens?: number }
  /** By scorer, the one that counts first; null: the scorer gave none. */
  readonly scores: readonly (readonly [scorer: string, score: number | null])[]
  /** The answer that the first scorer read. */
  readonly answer: string | null
  /** Why there is no response. */
  readonly error: string | null
}

/** Records of one task, all scored by the scorer that most often comes first: where it gave no score, no other stands in for it. */
export function byOneScorer(records: readonly LogRecord[]): readonly LogRecord[] {
  const given = new Set(
    records.flatMap(({ scores }) => scores.flatMap(([name, value]) => (value === null ? [] : name))),
  )
  const first = records.flatMap(({ scores }) => scores.find(([name]) => given.has(name))?.[0] ?? [])
  const alike = [...Map.groupBy(first, (name) => name).values()]
  const [most = ''] = alike.reduce((best, one) => (one.length > best.length ? one : best), [])
  return records.map((record) => {
    const others = record.scores.filter(([name]) => name !== most)
    const own = record.scores.find(([name]) => name === most) ?? ([most, null] as const)
    return record.scores.length === 0 ? record : { ...record, scores: [own, ...others] }
  })
}

const WORDS: { readonly [word: string]: number } = {
  c: 1,
  correct: 1,
  yes: 1,
  true: 1,
  p: 0.5,
  partial: 0.5,
  i: 0,
  incorrect: 0,
  n: 0,
  no: 0,
  false: 0,
}

/** A score as harnesses write it: a number, yes or no, or Inspect's letters (N, no answer, counts 0 there). null: none. */
export function scoreOf(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const word = value.trim().toLowerCase()
  if (Object.hasOwn(WORDS, word)) return WORDS[word] as number
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : null
}
