import type { Analysis, Frame } from '../../core/index.ts'
import {
  analysisStream,
  byContestant,
  clusterCodes,
  contestants,
  correctness,
  holm,
  mcnemarOf,
  pairedDifference,
  rowsWhere,
  scores,
  signFlipTest,
} from '../../stats/index.ts'
import { blocks, count, estimate, pValue, share, text } from './columns.ts'

/** Every two models on the items both answered. */
export const paired: Analysis = {
  id: 'core/paired',
  title: 'Paired comparison of models',
  notes: [
    'Differences are taken item by item on shared items only; several samples of an item count by their mean.',
    'p: Student t on groups; where all groups show the same difference there is no t, and it is that of the sign flips. Holm corrects over all pairs of the table.',
    'Sign flips: the signs of whole groups are flipped, all patterns or 10,000 of them. McNemar (mid-p) takes items as independent and needs one sample an item.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame, { seed }) {
    const { blocks: parts, columns } = blocks(frame)
    const who = contestants(frame)
    const right = correctness(scores(frame))
    const found = parts.flatMap(({ key, rows }) => {
      const sheets = byContestant(who, rows).map(({ contestant, rows: mine }) => ({
        contestant,
        ...itemMeans(frame, right, mine),
      }))
      return sheets.flatMap((a, i) => sheets.slice(i + 1).flatMap((b) => compare(key, a, b, frame, seed)))
    })
    const adjusted = holm(found.map(({ p }) => p))
    const table = {
      id: 'core/paired',
      title: 'Differences in accuracy on shared items',
      columns: [
        ...columns,
        text('a', 'Model A'),
        text('b', 'Model B'),
        count('items', 'Shared items'),
        share('accuracyA', 'Accuracy A'),
        share('accuracyB', 'Accuracy B'),
        estimate('difference', 'A - B'),
        pValue('p', 'p'),
        pValue('holm', 'p (Holm)'),
        pValue('flips', 'p (sign flips)'),
        count('onlyA', 'Only A right'),
        count('onlyB', 'Only B right'),
        pValue('mcnemar', 'p (McNemar)'),
      ],
      rows: found.map((row, i) => ({ ...row, holm: adjusted[i] as number })),
    }
    return { tables: found.length === 0 ? [] : [table] }
  },
}

interface Sheet {
  readonly contestant: string
  /** Item code to mean correctness. */
  readonly means: ReadonlyMap<number, number>
  /** Item code to one of its rows. */
  readonly rowOf: ReadonlyMap<number, number>
  readonly single: boolean
}

function itemMeans(frame: Frame, right: Float64Array, rows: Int32Array): Omit<Sheet, 'contestant'> {
  const items = frame.category('item').codes
  const sums = new Map<number, [sum: number, n: number]>()
  const rowOf = new Map<number, number>()
  let single = true
  for (const row of rowsWhere(rows, (r) => !Number.isNaN(right[r]))) {
    const item = items[row] as number
    const known = sums.get(item)
    if (known === undefined) {
      sums.set(item, [right[row] as number, 1])
      rowOf.set(item, row)
    } else {
      known[0] += right[row] as number
      known[1]++
      single = false
    }
  }
  return { means: new Map([...sums].map(([item, [sum, n]]) => [item, sum / n])), rowOf, single }
}

function compare(key: { readonly [column: string]: string | null }, a: Sheet, b: Sheet, frame: Frame, seed: number) {
  const shared = [...a.means.keys()].filter((item) => b.means.has(item))
  const first = Float64Array.from(shared, (item) => a.means.get(item) as number)
  const second = Float64Array.from(shared, (item) => b.means.get(item) as number)
  const clusters = clusterCodes(
    frame,
    Int32Array.from(shared, (item) => a.rowOf.get(item) as number),
  )
  const test = pairedDifference(first, second, clusters)
  if (test === null) return []
  const gaps = first.map((x, i) => x - (second[i] as number))
  const label = ['core/paired', ...Object.values(key), a.contestant, b.contestant].join('\n')
  const flips = signFlipTest(gaps, clusters, { stream: analysisStream(seed, label) })
  const mean = (values: Float64Array) => values.reduce((sum, x) => sum + x, 0) / values.length
  const discordant = a.single && b.single ? mcnemarOf(first, second) : null
  return [
    {
      ...key,
      a: a.contestant,
      b: b.contestant,
      items: shared.length,
      accuracyA: mean(first),
      accuracyB: mean(second),
      difference: test.difference,
      p: test.p,
      flips: flips.p,
      onlyA: discordant?.onlyA ?? null,
      onlyB: discordant?.onlyB ?? null,
      mcnemar: discordant?.midP ?? null,
    },
  ]
}
