import type { Analysis, Frame } from '../../core/index.ts'
import {
  bySystem,
  correctness,
  holm,
  moments,
  pairedDifference,
  partition,
  scores,
  systems,
} from '../../libraries/statistics/index.ts'
import { type Sheet, sharedItems, sheetOf } from './answer-sheets.ts'
import { count, estimate, pValue, share, text } from './columns.ts'

/** Every two styles of prompt that a model was asked the same items in. */
export const styles: Analysis = {
  id: 'core/styles',
  title: 'Paired comparison of styles',
  notes: [
    'Differences are taken item by item, of one model, on the items that it was asked in both styles; several samples of an item count by their mean.',
    'With 4 to 11 groups of items the wild cluster bootstrap (weights of Webb, null imposed), else CR2 errors and Student t on Bell and McCaffrey degrees of freedom. Holm corrects over all pairs of the table.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame) {
    const right = correctness(scores(frame))
    const parts = partition(frame, ['task', 'config'])
    const configs = new Set(parts.map(({ key }) => key['config'])).size > 1
    const found = parts.flatMap(({ key, rows }) =>
      bySystem(systems(frame), rows).flatMap(({ contestant, rows: mine }) => {
        const named = {
          task: key['task'] ?? '',
          ...(configs ? { config: key['config'] ?? '' } : {}),
          model: contestant,
        }
        return pairsOf(frame, right, mine).map((pair) => ({ ...named, ...pair }))
      }),
    )
    if (found.length === 0) return { tables: [] }
    const adjusted = holm(found.map(({ p }) => p))
    return {
      tables: [
        {
          id: 'core/styles',
          title: 'Differences in accuracy between styles on shared items',
          columns: [
            text('task', 'Task'),
            ...(configs ? [text('config', 'Config')] : []),
            text('model', 'Model'),
            text('a', 'Style A'),
            text('b', 'Style B'),
            count('items', 'Shared items'),
            share('accuracyA', 'Accuracy A'),
            share('accuracyB', 'Accuracy B'),
            estimate('difference', 'A - B'),
            pValue('p', 'p'),
            pValue('holm', 'p (Holm)'),
          ],
          rows: found.map((row, i) => ({ ...row, holm: adjusted[i] as number })),
        },
      ],
    }
  },
}

function pairsOf(frame: Frame, right: Float64Array, rows: Int32Array) {
  const sheets = partition(frame, ['style'], rows).map(({ key, rows: own }) => ({
    style: key['style'] ?? '',
    sheet: sheetOf(frame, right, own),
  }))
  return sheets.flatMap((a, i) =>
    sheets.slice(i + 1).flatMap((b) => {
      const pair = difference(frame, a.sheet, b.sheet)
      return pair === null ? [] : [{ a: a.style, b: b.style, ...pair }]
    }),
  )
}

function difference(frame: Frame, a: Sheet, b: Sheet) {
  const { first, second, clusters } = sharedItems(frame, a, b)
  const test = pairedDifference(first, second, clusters)
  if (test === null) return null
  const [accuracyA, accuracyB] = [moments(first).mean, moments(second).mean]
  return { items: first.length, accuracyA, accuracyB, difference: test.difference, p: test.p }
}
