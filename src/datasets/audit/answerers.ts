import { tUpper } from '../../stats/index.ts'
import { dealFolds } from './folds.ts'
import type { Measured } from './measure.ts'
import type { Subject } from './subject.ts'

/** What a free-form answer may earn by chance, unless the task declares more (integrity 3.5). */
const floor = 0.01

/** Answers anyone can give: nothing, the most frequent right answer so far, and the task's own heuristics. */
export function answerers(subjects: readonly Subject[]): Measured[] {
  const names = Object.keys(subjects[0]?.guesses ?? {})
  const all = subjects.map((_, i) => i)
  return [
    meanScore('answerer/empty', subjects, all, () => ''),
    ...names.map((name) => meanScore(name, subjects, all, (i) => (subjects[i] as Subject).guesses[name] ?? '')),
    mostFrequent(subjects),
  ]
}

/** The most frequent gold of earlier folds, given to every item of the next. */
function mostFrequent(subjects: readonly Subject[]): Measured {
  const folds = dealFolds(subjects.map((subject) => subject.group))
  const counts = new Map<string, number>()
  const answer = new Map<number, string>()
  for (let f = 0; f < folds.count; f++) {
    const rows = subjects.map((_, i) => i).filter((i) => folds.fold[i] === f)
    if (f > 0) {
      const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      for (const i of rows) answer.set(i, best?.[0] ?? '')
    }
    for (const i of rows) {
      const { answer: key } = subjects[i] as Subject
      if (key.kind === 'free' && key.gold !== null) counts.set(key.gold, (counts.get(key.gold) ?? 0) + 1)
    }
  }
  return meanScore('answerer/most-frequent', subjects, [...answer.keys()], (i) => answer.get(i) as string)
}

/** The mean score above the floor, by a cluster-robust t over groups, one-sided. */
function meanScore(
  probe: string,
  subjects: readonly Subject[],
  rows: readonly number[],
  answerOf: (i: number) => string,
): Measured {
  const byGroup = new Map<number, { sum: number; n: number }>()
  let total = 0
  for (const i of rows) {
    const subject = subjects[i] as Subject
    const score = subject.answer.kind === 'free' ? subject.answer.score(answerOf(i)) : 0
    const group = byGroup.get(subject.group) ?? { sum: 0, n: 0 }
    group.sum += score
    group.n++
    byGroup.set(subject.group, group)
    total += score
  }
  const n = rows.length
  const groups = byGroup.size
  const mean = n === 0 ? 0 : total / n
  let square = 0
  for (const { sum, n: size } of byGroup.values()) square += (sum - mean * size) ** 2
  const se = groups > 1 && n > 0 ? Math.sqrt((groups / (groups - 1)) * square) / n : 0
  const t = se > 0 ? (mean - floor) / se : mean > floor ? Number.MAX_VALUE : 0
  const gain = mean - floor
  return {
    test: {
      probe,
      kind: 'answerer',
      mode: 'all',
      n,
      z: Math.min(t, 1e6),
      p: se > 0 ? tUpper(t, groups - 1) : mean > floor ? 0 : 1,
      method: 't',
      accuracy: mean,
      chance: floor,
      gain,
      ci: [gain - 2.5758 * se, gain + 2.5758 * se],
    },
  }
}
