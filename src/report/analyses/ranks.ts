import type { Analysis, Frame } from '../../core/index.ts'
import {
  analysisStream,
  bySystem,
  clusterCodes,
  clustering,
  correctness,
  type GroupSums,
  rankSets,
  scores,
  systems,
} from '../../libraries/statistics/index.ts'
import { type Block, blocks, count, share, text } from './columns.ts'

/** Which ranks each model may have, given what groups of items leave open. */
export const ranks: Analysis = {
  id: 'core/ranks',
  title: 'Ranks of the models, with what is left open',
  notes: [
    'Rank sets hold together with 95 %: simultaneous intervals of all pairwise differences over groups of items, CR2 errors times Student’s t at the level that the max-t bootstrap (2,000 draws) says. A rank is at best one more than the number of models that are surely better, at worst the number of models less those surely worse.',
    'Left out: sets of fewer than eight groups (items, where there is one group), which do not show how groups vary.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame, { seed }) {
    const { blocks: parts, columns } = blocks(frame)
    const right = correctness(scores(frame))
    const rows = parts.flatMap((part) => ranked(frame, right, part, seed))
    if (rows.length === 0) return { tables: [] }
    const table = {
      id: 'core/ranks',
      title: 'Ranks that a model may have',
      columns: [
        ...columns,
        text('model', 'Model'),
        share('accuracy', 'Accuracy'),
        text('ranks', 'Ranks'),
        count('best', 'Best'),
        count('worst', 'Worst'),
        count('groups', 'Groups'),
      ],
      rows,
    }
    return { tables: [table] }
  },
}

function ranked(frame: Frame, right: Float64Array, { key, rows }: Block, seed: number) {
  const groups = clustering(clusterCodes(frame, rows))
  const groupOf = new Int32Array(frame.length)
  for (let i = 0; i < rows.length; i++) groupOf[rows[i] as number] = groups.of[i] as number
  const sheets = bySystem(systems(frame), rows).map(({ contestant, rows: mine }) => {
    const sums: GroupSums = { sums: new Float64Array(groups.count), counts: new Float64Array(groups.count) }
    let [hits, counts] = [0, 0]
    for (const row of mine) {
      const value = right[row] as number
      if (Number.isNaN(value)) continue
      const group = groupOf[row] as number
      sums.sums[group] = (sums.sums[group] as number) + value
      sums.counts[group] = (sums.counts[group] as number) + 1
      hits += value
      counts++
    }
    return { contestant, sums, accuracy: counts === 0 ? null : hits / counts }
  })
  const asked = sheets.filter(({ accuracy }) => accuracy !== null)
  const stream = analysisStream(seed, ['core/ranks', ...Object.values(key)].join('\n'))
  const found = rankSets(
    asked.map(({ sums }) => sums),
    stream,
  )
  if (found === null) return []
  return asked
    .map(({ contestant, accuracy }, m) => {
      const { best, worst } = found.sets[m] as { readonly best: number; readonly worst: number }
      const span = best === worst ? `${best}` : `${best}-${worst}`
      return { ...key, model: contestant, accuracy, ranks: span, best, worst, groups: found.groups }
    })
    .sort((a, b) => a.best - b.best || a.worst - b.worst || (b.accuracy ?? 0) - (a.accuracy ?? 0))
}
