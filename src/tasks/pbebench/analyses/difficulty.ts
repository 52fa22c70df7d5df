import type { Analysis } from '../../../core/index.ts'
import { allRows, clusterCodes, clusteredShare, inOrder, scores, take } from '../../../libraries/statistics/index.ts'
import { partsOf } from './arms.ts'
import { byItem, estimate, number, numbers, PAPER, passed, text } from './common.ts'

/**
 * Joins all answers of a run by item: the shortest cascade known to work (planted or given by any model or baseline) and
 * the slack it leaves, and pass rates by that slack. A search baseline in the run makes the shortest one short.
 */
export const difficulty: Analysis = {
  id: 'pbebench/known-slack',
  title: 'Pass rate by the slack of the shortest known cascade',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Slack is the rule limit minus the shortest cascade that any answer of this run gave, or the planted one: add baseline:cascade-search to the models to make it small. It is a fact of the run, not a feature of the item.',
    'Solutions is the number of different lengths and relation categories among passing answers: a lower bound of how many cascades work.',
  ],
  needs: ['value', 'feature_length', 'feature_limit', 'part_valid'],
  run(frame) {
    const value = scores(frame)
    const [planted, limit, rules] = [
      frame.number('feature_length'),
      frame.number('feature_limit'),
      frame.number('part_valid'),
    ]
    const category = numbers(frame, 'part_predictedCategory')
    const items = frame.category('item')
    const known = new Map<number, { readonly slack: number; readonly shorter: boolean; readonly solutions: number }>()
    for (const list of byItem(frame, allRows(frame))) {
      const first = list[0] as number
      const right = list.filter((row) => (value[row] as number) >= 1)
      const shortest = Math.min(planted[first] as number, ...right.map((row) => rules[row] as number))
      known.set(items.codes[first] as number, {
        slack: (limit[first] as number) - shortest,
        shorter: shortest < (planted[first] as number),
        solutions: new Set(right.map((row) => `${rules[row]} ${category[row]}`)).size,
      })
    }
    const of = (row: number) => known.get(items.codes[row] as number)
    const right = Float64Array.from(value, passed)
    const { arms, columns, facet } = partsOf(frame)
    const rows = arms.flatMap(({ key, rows: list }) => {
      const usable = list.filter((row) => !Number.isNaN(value[row] as number))
      const slacks = inOrder(new Set([...usable].map((row) => String(of(row)?.slack))))
      return slacks.map((slack) => {
        const here = usable.filter((row) => String(of(row)?.slack) === slack)
        return {
          ...key,
          slack: Number(slack),
          rows: here.length,
          pass: clusteredShare(take(right, here), clusterCodes(frame, here)),
        }
      })
    })
    // Every style asks the same items.
    const sets = partsOf(frame, ['config'])
    return {
      tables: [
        {
          id: 'pbebench/known-slack',
          title: 'Pass rate by known slack',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('slack', 'Limit minus shortest known cascade', 'rules'),
            number('rows', 'Answers'),
            estimate('pass', 'Pass rate'),
          ],
          rows,
        },
        {
          id: 'pbebench/known-solutions',
          title: 'Items by what is known of their solutions',
          columns: [
            ...sets.columns,
            number('items', 'Items'),
            number('shorter', 'With a cascade shorter than the planted one'),
            number('several', 'With several different solutions'),
          ],
          rows: sets.parts.map(({ key, rows: own }) => {
            const facts = byItem(frame, own).flatMap(([row]) => of(row as number) ?? [])
            return {
              ...key,
              items: facts.length,
              shorter: facts.filter(({ shorter }) => shorter).length,
              several: facts.filter(({ solutions }) => solutions > 1).length,
            }
          }),
        },
      ],
      figures: [
        {
          id: 'pbebench/known-slack',
          title: 'Pass rate by the slack of the shortest known cascade',
          table: 'pbebench/known-slack',
          ...facet,
          x: { key: 'slack', label: 'Slack', unit: 'rules' },
          y: { key: 'pass', label: 'Pass rate' },
          marks: [{ kind: 'line', x: 'slack', y: 'pass', series: 'model' }],
        },
      ],
    }
  },
}
