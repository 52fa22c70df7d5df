import type { Analysis, Frame } from '../../../core/analysis.ts'
import {
  bySystem,
  clusteredMeanEstimate,
  inOrder,
  partition,
  rowsWhere,
  spearman,
  take,
} from '../../../libraries/statistics/index.ts'
import { blocksBeside, named } from './blocks.ts'
import { contextCodes, contextMeans, estimate, level, number, paper, rowsWith, text, whoIn } from './cells.ts'

/** What thinking is counted in, the closest to it first: not every provider tells reasoning from answer. */
const COUNTED = [
  ['reasoningTokens', 'reasoning tokens'],
  ['outputTokens', 'output tokens'],
  ['steps', 'steps of a baseline'],
] as const

/** Do models think longer where people answer faster? What an answer took, by symbolic distance. */
export const thinking = (task: string): Analysis => ({
  id: `recoglab/thinking-${task}`,
  title: 'Thinking against symbolic distance',
  source: { paper, item: 'section 4.1; the paper shows accuracy only' },
  notes: [
    'People are slower on near pairs than on far ones (Moyer and Bayer 1976). Each model is counted in reasoning tokens where its provider tells them, else in all output tokens, which then include the answer, else in the steps of a baseline.',
    'Means over all answers that were counted, right or wrong, with an interval clustered by context. The rank correlation is over contexts: above zero, far pairs take more.',
  ],
  needs: ['task', 'item', 'model', 'config', 'feature_distance'],
  run(frame) {
    const { settings, columns, facet } = named(blocksBeside(frame, [], rowsWith(frame, 'feature_distance')))
    const clusters = contextCodes(frame)
    const own = settings.flatMap(({ setting, rows }) =>
      bySystem(whoIn(frame), rows).flatMap(({ contestant, rows: mine }) => {
        const counted = countOf(frame, mine)
        return counted === null ? [] : [{ setting, model: contestant, ...counted }]
      }),
    )
    if (own.length === 0) return { tables: [] }
    const id = `recoglab/thinking-${task}`
    const unit = text('unit', 'Counted in')
    return {
      tables: [
        {
          id,
          title: 'What an answer took, by distance',
          columns: [
            ...columns,
            text('model', 'Model'),
            unit,
            number('distance', 'Symbolic distance'),
            number('answers', 'Answers'),
            estimate('spent', 'Mean', 'count'),
          ],
          rows: own.flatMap(({ setting, model, unit: words, rows, spent }) =>
            byDistance(frame, rows).map(({ distance, rows: here }) => ({
              setting,
              model,
              unit: words,
              distance,
              answers: here.length,
              spent: clusteredMeanEstimate(take(spent, here), take(clusters, here)),
            })),
          ),
        },
        {
          id: `${id}-direction`,
          title: 'Rank correlation of what an answer took with distance',
          columns: [
            ...columns,
            text('model', 'Model'),
            unit,
            number('n', 'Contexts'),
            estimate('correlation', 'Correlation', 'correlation'),
            number('p', 'p'),
          ],
          rows: own.flatMap(({ setting, model, unit: words, rows, spent }) => {
            const { first, mean } = contextMeans(frame, spent, rows)
            const found = spearman(take(frame.number('feature_distance'), first), mean)
            return found === null
              ? []
              : [{ setting, model, unit: words, n: found.n, correlation: found.estimate, p: found.p }]
          }),
        },
      ],
      figures: [
        {
          id,
          title: 'Thinking by symbolic distance',
          table: id,
          x: { key: 'distance', label: 'Symbolic distance' },
          y: { key: 'spent', label: 'Tokens or steps' },
          ...facet,
          marks: [
            { kind: 'interval', series: 'model' },
            { kind: 'line', series: 'model' },
          ],
        },
      ],
    }
  },
})

/** The rows that say what was spent, in the first unit that one of them has; null where none says anything. */
function countOf(frame: Frame, rows: Int32Array) {
  for (const [column, unit] of COUNTED) {
    if (!frame.has(column)) continue
    const spent = frame.number(column)
    const counted = rowsWhere(rows, (row) => (spent[row] as number) > 0)
    if (counted.length > 0) return { unit, spent, rows: counted }
  }
  return null
}

function byDistance(frame: Frame, rows: Int32Array) {
  const parts = partition(frame, ['feature_distance'], rows)
  const order = inOrder(new Set(parts.map(({ key }) => key['feature_distance'] ?? null)))
  return order.flatMap((name) =>
    parts
      .filter(({ key }) => (key['feature_distance'] ?? null) === name)
      .map((part) => ({ distance: level(name), rows: part.rows })),
  )
}
