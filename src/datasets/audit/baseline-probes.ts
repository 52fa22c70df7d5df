import { tUpper } from '../../libraries/statistics/index.ts'
import { dealFolds } from './folds.ts'
import type { Scores } from './measure.ts'
import type { Subject } from './subject.ts'

/** Mean score that counts as chance for free-form answers. */
const CHANCE = 0.01
/** Constant answers tried on earlier folds, and the items each is scored on. */
const MAX_CONSTANTS = 12
const MAX_SCORED = 200

/** Answers without reasoning: the empty answer, constants that did well on earlier folds, and the task's heuristics. */
export function baselineProbes(subjects: readonly Subject[]): Scores[] {
  const { frequent, best } = constants(subjects)
  const answerers = [
    ['answerer/empty', () => ''],
    ...Object.keys(subjects[0]?.guesses ?? {}).map(
      (name) => [name, (i: number) => (subjects[i] as Subject).guesses[name] ?? ''] as const,
    ),
    ['answerer/most-frequent', (i: number) => frequent.get(i)],
    ['answerer/best-constant', (i: number) => best.get(i)],
  ] as const
  // Item by item: a task works out what it needs of one before it is asked of the next.
  const scores = subjects.map((subject, i) =>
    answerers.map(([, answerOf]) => {
      const answer = answerOf(i)
      return answer === undefined ? null : scoreOf(subject, answer)
    }),
  )
  return answerers.map(([probe], a) =>
    meanScore(
      probe,
      subjects.flatMap(({ cluster }, i) => {
        const score = scores[i]?.[a] ?? null
        return score === null ? [] : [{ cluster, score }]
      }),
    ),
  )
}

const scoreOf = ({ answer }: Subject, text: string): number => (answer.kind === 'free' ? answer.score(text) : 0)

/** For items after the first fold: the most frequent gold response of earlier folds, and the best constant there. */
function constants(subjects: readonly Subject[]) {
  const folds = dealFolds(subjects.map((subject) => subject.cluster))
  const counts = new Map<string, number>()
  const frequent = new Map<number, string>()
  const best = new Map<number, string>()
  const past: Subject[] = []
  for (const [f, rows] of folds.entries()) {
    const ranked = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([gold]) => gold)
    if (f > 0) {
      const winner = bestOn(past, ranked.slice(0, MAX_CONSTANTS))
      for (const i of rows) {
        frequent.set(i, ranked[0] ?? '')
        best.set(i, winner)
      }
    }
    for (const i of rows) {
      const subject = subjects[i] as Subject
      past.push(subject)
      if (subject.answer.kind === 'free' && subject.answer.gold !== null)
        counts.set(subject.answer.gold, (counts.get(subject.answer.gold) ?? 0) + 1)
    }
  }
  return { frequent, best }
}

function bestOn(past: readonly Subject[], answers: readonly string[]): string {
  const tried = Array.from(
    { length: Math.min(MAX_SCORED, past.length) },
    (_, i) => past[Math.floor((i * past.length) / Math.min(MAX_SCORED, past.length))] as Subject,
  )
  const totals = answers.map(() => 0)
  for (const subject of tried)
    for (const [a, answer] of answers.entries()) totals[a] = (totals[a] as number) + scoreOf(subject, answer)
  return answers[totals.indexOf(Math.max(...totals))] ?? ''
}

/** The mean score above chance, by a cluster-robust t over clusters, one-sided. */
function meanScore(probe: string, rows: readonly { readonly cluster: string; readonly score: number }[]): Scores {
  const byCluster = new Map<string, { sum: number; n: number }>()
  let total = 0
  for (const { cluster, score } of rows) {
    const own = byCluster.get(cluster) ?? { sum: 0, n: 0 }
    own.sum += score
    own.n++
    byCluster.set(cluster, own)
    total += score
  }
  const n = rows.length
  const clusters = byCluster.size
  const mean = n === 0 ? 0 : total / n
  let square = 0
  for (const { sum, n: size } of byCluster.values()) square += (sum - mean * size) ** 2
  const se = clusters > 1 ? Math.sqrt((clusters / (clusters - 1)) * square) / n : 0
  const gain = mean - CHANCE
  // All scores equal: no measurable error.
  const z = se > 0 ? gain / se : 0
  return {
    test: {
      probe,
      kind: 'baseline',
      mode: 'all',
      n,
      z,
      p: se > 0 ? tUpper(z, clusters - 1) : gain > 0 ? 0 : 1,
      method: 't',
      accuracy: mean,
      chance: CHANCE,
      gain,
      ci: [gain - 2.5758 * se, gain + 2.5758 * se],
    },
  }
}
