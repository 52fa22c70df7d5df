import { type Analysis, type Frame, GRADED_COLUMNS, table } from '../../core/index.ts'
import {
  analysisStream,
  type Condition,
  clusterCodes,
  clustering,
  correctness,
  type GroupSums,
  rankSets,
  scores,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, model, share, text } from './conditions.ts'

/** The ranks that each model may have. */
export const ranks: Analysis = {
  id: 'core/ranks',
  title: 'Ranks of the models (simultaneous 95 %)',
  question: 'comparison',
  notes: [
    'Rank sets hold jointly (95 %): best rank = 1 + models significantly better; worst = models − models significantly worse. Needs 8 groups.',
  ],
  needs: GRADED_COLUMNS,
  run(frame, { seed }) {
    const { conditions, columns } = conditionsOf(frame)
    const correct = correctness(scores(frame))
    const made = table(
      'core/ranks',
      'Ranks',
      [
        ...columns,
        model,
        share('accuracy', 'Accuracy'),
        text('ranks', 'Ranks'),
        count('best', 'Best'),
        count('worst', 'Worst'),
        count('groups', 'Groups'),
      ],
      conditions.flatMap((condition) => ranksIn(frame, correct, condition, seed)),
    )
    return { tables: [made] }
  },
}

function ranksIn(frame: Frame, correct: Float64Array, { key, rows, systems }: Condition, seed: number) {
  const { groupOf, groups } = groupsOf(frame, rows)
  const answered = systems.flatMap(({ key: { model: name }, rows: own }) => {
    const sums: GroupSums = { sums: new Float64Array(groups), counts: new Float64Array(groups) }
    let [hits, n] = [0, 0]
    for (const row of own) {
      const value = correct[row] as number
      if (Number.isNaN(value)) continue
      addAt(sums.sums, groupOf[row] as number, value)
      addAt(sums.counts, groupOf[row] as number, 1)
      hits += value
      n++
    }
    return n === 0 ? [] : [{ name, sums, accuracy: hits / n }]
  })
  const found = rankSets(
    answered.map(({ sums }) => sums),
    analysisStream(seed, ['core/ranks', ...Object.values(key)].join('\n')),
  )
  if (found === null) return []
  return answered
    .map(({ name, accuracy }, m) => {
      const { best, worst } = found.sets[m] as { readonly best: number; readonly worst: number }
      const span = best === worst ? `${best}` : `${best}-${worst}`
      return { ...key, model: name, accuracy, ranks: span, best, worst, groups: found.groups }
    })
    .sort((a, b) => a.best - b.best || a.worst - b.worst || b.accuracy - a.accuracy)
}

/** The group of each of these rows, numbered from 0; 0 for other rows. */
export function groupsOf(frame: Frame, rows: Int32Array): { readonly groupOf: Int32Array; readonly groups: number } {
  const { of, count: groups } = clustering(clusterCodes(frame, rows))
  const groupOf = new Int32Array(frame.length)
  for (let i = 0; i < rows.length; i++) groupOf[rows[i] as number] = of[i] as number
  return { groupOf, groups }
}

export function addAt(list: Float64Array, at: number, value: number): void {
  list[at] = (list[at] as number) + value
}
