import { type Analysis, column, type Frame, type Table } from '../../../../core/index.ts'
import { clustering, clusterSums, mean, rowsWhere, spearman, take } from '../../../../libraries/statistics/index.ts'
import { cellOf, means, tally } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses, responses } from './responses.ts'
import { byGrammarCode } from './statistics.ts'

/** Do models find the same grammars and the same strings hard? */
export const figure4: Analysis = {
  id: 'relic/figure4',
  title: "Agreement of models on what is hard (Spearman's rank correlation)",
  source: { paper: PAPER, item: 'Figures 4, 10 and 11' },
  notes: [
    "Grammars: the mean over a grammar's (class, length) means. Strings: mean correctness of each item; values are mostly 0 or 1, so this is close to the phi coefficient.",
    'As published: bins closed below and open above, as the notebook has them, so that length 50 and grammars of 500 rules or more are dropped. The notebook pooled equal strings of different grammars; here each item stands for itself.',
    'Corrected: the bins the paper names (lengths 1-10, 11-20, ...; the last bin of grammars open), strictly read answers, intervals of Bonett and Wright.',
  ],
  needs: [...needs, 'feature_nonlexical'],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = responses(frame, 'correct')
    const made = [
      {
        id: 'relic/figure4-grammars',
        title: 'Agreement on grammars',
        ...overGrammars(frame, published, PUBLISHED_SIZES),
      },
      { id: 'relic/figure4-strings', title: 'Agreement on strings', ...overItems(frame, published, PUBLISHED_LENGTHS) },
      {
        id: 'relic/figure4-grammars-corrected',
        title: 'Agreement on grammars, corrected',
        ...overGrammars(frame, strict, SIZES),
      },
      {
        id: 'relic/figure4-strings-corrected',
        title: 'Agreement on strings, corrected',
        ...overItems(frame, strict, LENGTHS),
      },
    ]
    const tables = made.map(({ id, title, unit, rows }) => agreementTable(id, title, unit, rows))
    return {
      tables,
      figures: tables
        .filter(({ rows }) => rows.length > 0)
        .map(({ id, title }) => ({
          id,
          title,
          table: id,
          x: { key: 'a', label: 'Model', scale: 'category' },
          y: { key: 'b', label: 'Model', scale: 'category' },
          facet: 'bin',
          marks: [
            { kind: 'cell', series: 'rho' },
            { kind: 'text', series: 'rho' },
          ],
        })),
    }
  },
}

interface Bin {
  readonly label: string
  /** Integers low..high, both included. */
  readonly low: number
  readonly high: number
}

const tens = (low: number) => ({ low, high: low + 9, label: `length ${low}-${low + 9}` })
const hundreds = (low: number) => ({
  low: Math.max(1, low),
  high: low + 99,
  label: `${Math.max(1, low)}-${low + 99} binary rules`,
})
const PUBLISHED_LENGTHS: readonly Bin[] = [{ low: 1, high: 9, label: 'length 1-9' }, ...[10, 20, 30, 40].map(tens)]
const PUBLISHED_SIZES: readonly Bin[] = [0, 100, 200, 300, 400].map(hundreds)
const LENGTHS: readonly Bin[] = [1, 11, 21, 31, 41].map(tens)
const SIZES: readonly Bin[] = [
  ...[0, 100, 200, 300].map(hundreds),
  { low: 400, high: Number.POSITIVE_INFINITY, label: '400 binary rules or more' },
]

interface Agreement {
  readonly unit: string
  readonly rows: Table['rows']
}

/** Spearman between every two models over the units that both answered, in each bin. */
function agree(
  data: Responses,
  bins: readonly Bin[],
  sizeOf: (entry: number) => number,
  scores: (entries: Int32Array) => ReadonlyMap<number, number>,
): Table['rows'] {
  const models = byArm(data)
  return bins.flatMap((bin) => {
    const inside = (k: number) => sizeOf(k) >= bin.low && sizeOf(k) <= bin.high
    const sheets = models.map(({ model, entries }) => ({ model, scores: scores(rowsWhere(entries, inside)) }))
    const pairs = sheets.flatMap((a, i) => sheets.slice(i + 1).flatMap((b) => correlate(a, b)))
    // Both orders, so that a heat map is whole; rows in the order of the models.
    return sheets.flatMap(({ model }) =>
      pairs.flatMap((pair) =>
        pair.a === model || pair.b === model
          ? [{ bin: bin.label, a: model, b: pair.a === model ? pair.b : pair.a, units: pair.units, rho: pair.rho }]
          : [],
      ),
    )
  })
}

interface Sheet {
  readonly model: string
  /** Unit to its score. */
  readonly scores: ReadonlyMap<number, number>
}

function correlate(a: Sheet, b: Sheet) {
  const [x, y]: [number[], number[]] = [[], []]
  for (const [unit, score] of a.scores) {
    const other = b.scores.get(unit)
    if (other === undefined) continue
    x.push(score)
    y.push(other)
  }
  const found = spearman(x, y)
  return found === null ? [] : [{ a: a.model, b: b.model, units: x.length, rho: found.estimate ?? found.r }]
}

function overGrammars(frame: Frame, data: Responses, bins: readonly Bin[]): Agreement {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const scores = (entries: Int32Array) => {
    const byPair = tally(
      entries,
      (k) => `${data.grammar[k]}/${cellOf(data, k)}`,
      (k) => data.correct[k] as number,
    )
    const lists = new Map<number, { n: number; sum: number }[]>()
    for (const [key, cell] of byPair) {
      const grammar = Number(key.slice(0, key.indexOf('/')))
      const list = lists.get(grammar)
      if (list === undefined) lists.set(grammar, [cell])
      else list.push(cell)
    }
    return new Map([...lists].map(([grammar, cells]) => [grammar, mean(means(cells))]))
  }
  return { unit: 'Grammars', rows: agree(data, bins, (k) => sizes[data.grammar[k] as number] as number, scores) }
}

function overItems(frame: Frame, data: Responses, bins: readonly Bin[]): Agreement {
  const items = frame.category('item').codes
  const scores = (entries: Int32Array) => {
    const codes = entries.map((k) => items[data.row[k] as number] as number)
    const byItem = clustering(codes)
    const sums = clusterSums(take(data.correct, entries), byItem)
    return new Map(
      Array.from(byItem.firsts, (first, i) => [
        codes[first] as number,
        (sums[i] as number) / (byItem.sizes[i] as number),
      ]),
    )
  }
  return { unit: 'Items', rows: agree(data, bins, (k) => data.length[k] as number, scores) }
}

const agreementTable = (id: string, title: string, unit: string, rows: Table['rows']): Table => ({
  id,
  title,
  columns: [
    column.text('bin', 'Bin'),
    column.text('a', 'Model A'),
    column.text('b', 'Model B'),
    column.number('units', unit),
    column.estimate('rho', 'Spearman', null),
  ],
  rows,
})
