import { type Analysis, figure, table } from '../../../core/index.ts'
import { allRows, inOrder, scores, shareOver } from '../../../libraries/statistics/index.ts'
import { byItem, conditionsOf, estimate, model, number, numbers, PAPER, passes, scoredRows } from './common.ts'

/**
 * Joins all responses of a run by item: the shortest cascade known to work (planted, or given by any model or baseline), and pass
 * rates by the slack that it leaves.
 */
export const difficulty: Analysis = {
  id: 'pbebench/known-slack',
  title: 'Pass rate by the slack of the shortest known cascade',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Slack = rule limit − shortest cascade planted or given in this run; add baseline:cascade-search to shorten it. A fact of the run, not a feature.',
    'Solutions: distinct lengths and relation categories of passing responses, a lower bound of how many cascades work.',
  ],
  needs: ['value', 'feature_length', 'feature_limit', 'part_valid'],
  run(frame) {
    const value = scores(frame)
    const [planted, limit] = [frame.number('feature_length'), frame.number('feature_limit')]
    const [rules, category] = [frame.number('part_valid'), numbers(frame, 'part_predictedCategory')]
    const items = frame.category('item').codes
    const known = new Map(
      byItem(frame, allRows(frame)).map((list) => {
        const first = list[0] as number
        const right = list.filter((row) => (value[row] as number) >= 1)
        const shortest = Math.min(planted[first] as number, ...right.map((row) => rules[row] as number))
        const fact = {
          slack: (limit[first] as number) - shortest,
          shorter: shortest < (planted[first] as number),
          solutions: new Set(right.map((row) => `${rules[row]} ${category[row]}`)).size,
        }
        return [items[first] as number, fact] as const
      }),
    )
    const factOf = (row: number) => known.get(items[row] as number)
    const pass = passes(frame)
    const { systems, columns, panel } = conditionsOf(frame)
    const bySlack = table(
      'pbebench/known-slack',
      'Pass rate by known slack',
      [
        ...columns,
        model,
        number('slack', 'Limit − shortest known cascade', 'rules'),
        number('rows', 'Responses'),
        estimate('pass', 'Pass rate'),
      ],
      systems.flatMap(({ key, rows }) => {
        const bySlack = Map.groupBy(scoredRows(frame, rows), (row) => String(factOf(row)?.slack))
        return inOrder(bySlack.keys()).map((slack) => {
          const here = Int32Array.from(bySlack.get(slack as string) ?? [])
          return { ...key, slack: Number(slack), rows: here.length, pass: shareOver(frame, pass, here) }
        })
      }),
    )
    // Every style asks the same items.
    const sets = conditionsOf(frame, ['config'])
    const solutions = table(
      'pbebench/known-solutions',
      'Items by their known solutions',
      [
        ...sets.columns,
        number('items', 'Items'),
        number('shorter', 'With a cascade shorter than the planted one'),
        number('several', 'With several solutions'),
      ],
      sets.conditions.map(({ key, rows }) => {
        const facts = byItem(frame, rows).flatMap(([row]) => factOf(row as number) ?? [])
        return {
          ...key,
          items: facts.length,
          shorter: facts.filter(({ shorter }) => shorter).length,
          several: facts.filter((fact) => fact.solutions > 1).length,
        }
      }),
    )
    const curve = figure(bySlack, {
      title: 'Pass rate by the slack of the shortest known cascade',
      x: { key: 'slack', label: 'Slack' },
      y: 'pass',
      facet: panel,
      marks: [{ kind: 'line', series: 'model' }],
    })
    return { tables: [bySlack, solutions], figures: [curve] }
  },
}
