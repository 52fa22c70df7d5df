import type { Analysis, Column, Frame, Table } from '../../core/index.ts'
import {
  analysisStream,
  bestSamples,
  bySystem,
  correctness,
  holm,
  mcnemarOf,
  moments,
  pairedDifference,
  powerRatio,
  scores,
  signFlipTest,
  systems,
  varianceComponents,
} from '../../libraries/statistics/index.ts'
import { type Sheet, sampledPairs, sharedItems, sheetOf } from './answer-sheets.ts'
import { blocks, count, estimate, pValue, share, text } from './columns.ts'

/** Every two models on the items both answered. */
export const paired: Analysis = {
  id: 'core/paired',
  title: 'Paired comparison of models',
  notes: [
    'Differences are taken item by item on shared items only; several samples of an item count by their mean.',
    'p: with 4 to 11 groups the wild cluster bootstrap (weights of Webb, null imposed), else Student t on groups; the method of each interval says which. Where all groups show the same difference there is no t, and it is that of the sign flips. Holm corrects over all pairs of the table.',
    "Resolution: shared items over the items needed to see a difference of this size in 80 of 100 runs, groups taken into account; below 1 the pair is not resolved, and 'still needed' says what is lacking.",
    'Sign flips: the signs of whole groups are flipped, all patterns or 10,000 of them. McNemar (mid-p) takes items as independent and needs one sample an item.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame, { seed, level }) {
    const { blocks: parts, columns } = blocks(frame)
    const who = systems(frame)
    const right = correctness(scores(frame))
    const found = parts.flatMap(({ key, rows }) => {
      const sheets = bySystem(who, rows).map(({ contestant, rows: mine }) => ({
        contestant,
        sheet: sheetOf(frame, right, mine),
      }))
      return sheets.flatMap((a, i) => sheets.slice(i + 1).flatMap((b) => compare(key, a, b, frame, { seed, level })))
    })
    const adjusted = holm(found.map(({ row }) => row.p))
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
        count('resolution', 'Resolution'),
        count('needed', 'Items still needed'),
        pValue('p', 'p'),
        pValue('holm', 'p (Holm)'),
        pValue('flips', 'p (sign flips)'),
        count('onlyA', 'Only A right'),
        count('onlyB', 'Only B right'),
        pValue('mcnemar', 'p (McNemar)'),
      ],
      rows: found.map(({ row }, i) => ({ ...row, holm: adjusted[i] as number })),
    }
    const noise = found.flatMap((pair) => (pair.noise === null ? [] : [pair.noise]))
    return {
      tables: [...(found.length === 0 ? [] : [table]), ...(noise.length === 0 ? [] : [noiseTable(columns, noise)])],
    }
  },
}

/** Cost of a new item over that of one more sample: alike where a prompt is paid with each sample, more where it is cached. */
const COSTS = [1, 5] as const

const noiseTable = (columns: readonly Column[], rows: Table['rows']): Table => ({
  id: 'core/noise',
  title: 'Where the noise of a difference comes from',
  columns: [
    ...columns,
    text('a', 'Model A'),
    text('b', 'Model B'),
    count('items', 'Items sampled twice or more'),
    count('withinItems', 'Variance between samples'),
    count('betweenItems', 'Variance between items'),
    ...COSTS.map((cost) => count(`best${cost}`, `Best samples an item, an item at ${cost} x a sample`)),
  ],
  rows,
})

interface Contestant {
  readonly contestant: string
  readonly sheet: Sheet
}

function compare(
  key: { readonly [column: string]: string | null },
  a: Contestant,
  b: Contestant,
  frame: Frame,
  { seed, level }: { readonly seed: number; readonly level: number | undefined },
) {
  const shared = sharedItems(frame, a.sheet, b.sheet)
  const { first, second, clusters } = shared
  const test = pairedDifference(first, second, clusters, level)
  if (test === null) return []
  const gaps = first.map((x, i) => x - (second[i] as number))
  const label = ['core/paired', ...Object.values(key), a.contestant, b.contestant].join('\n')
  const flips = signFlipTest(gaps, clusters, { stream: analysisStream(seed, label) })
  const discordant = a.sheet.single && b.sheet.single ? mcnemarOf(first, second) : null
  const names = { ...key, a: a.contestant, b: b.contestant }
  const budget = a.sheet.single || b.sheet.single ? null : varianceComponents(sampledPairs(a.sheet, b.sheet, shared))
  const noise =
    budget === null
      ? null
      : { ...names, ...budget, ...Object.fromEntries(COSTS.map((cost) => [`best${cost}`, bestSamples(budget, cost)])) }
  const row = {
    ...names,
    items: first.length,
    accuracyA: moments(first).mean,
    accuracyB: moments(second).mean,
    difference: test.difference,
    ...powerRatio(gaps, test.kind === 'varied' ? test.standardError : 0),
    p: test.p,
    flips: flips.p,
    onlyA: discordant?.onlyA ?? null,
    onlyB: discordant?.onlyB ?? null,
    mcnemar: discordant?.midP ?? null,
  }
  return [{ row, noise }]
}
