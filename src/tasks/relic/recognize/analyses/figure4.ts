import { type Analysis, column, everyTwo, type Frame, figure, heatMarks, table } from '../../../../core/index.ts'
import { clustering, clusterSums, mean, rowsWhere, spearman, take } from '../../../../libraries/statistics/index.ts'
import { byArm, needs, publishedResponses, type Responses, strictResponses } from './responses.ts'
import { byGrammarCode } from './statistics.ts'
import { cellOf, means, PAPER, type Tally, tally } from './tallies.ts'

/** Do models find the same grammars and the same strings hard? */
export const figure4: Analysis = {
  id: 'relic/figure4',
  title: "Agreement of models on what is hard (Spearman's rank correlation)",
  source: { paper: PAPER, item: 'Figures 4, 10 and 11' },
  notes: [
    'Grammars: mean over the (class, length) means of a grammar. Strings: mean correctness per item, mostly 0 or 1, so close to phi.',
    'As published: bins of the released notebook, which drop length 50 and grammars of 400 rules or more. It pools equal strings of different grammars; here they are apart.',
    'Corrected: the bins that the paper names, strict parser, CIs of Bonett and Wright.',
  ],
  needs: [...needs, 'feature_nonlexical'],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = strictResponses(frame)
    const made = [
      ['grammars', 'Agreement on grammars', overGrammars(frame, published, HUNDREDS)],
      ['strings', 'Agreement on strings', overItems(frame, published, PUBLISHED_LENGTHS)],
      ['grammars-corrected', 'Agreement on grammars, corrected', overGrammars(frame, strict, SIZES)],
      ['strings-corrected', 'Agreement on strings, corrected', overItems(frame, strict, LENGTHS)],
    ] as const
    const tables = made.map(([id, title, { unit, rows }]) =>
      table(
        `relic/figure4-${id}`,
        title,
        [
          column.text('bin', 'Bin'),
          column.text('a', 'Model A'),
          column.text('b', 'Model B'),
          column.number('units', unit),
          column.estimate('rho', 'Spearman', null),
        ],
        rows,
      ),
    )
    return {
      tables,
      figures: tables.map((one) =>
        figure(one, {
          x: { key: 'a', label: 'Model', scale: 'category' },
          y: { key: 'b', label: 'Model', scale: 'category' },
          facet: 'bin',
          marks: heatMarks('rho'),
        }),
      ),
    }
  },
}

interface Bin {
  readonly label: string
  /** Integers low..high, both included. */
  readonly low: number
  readonly high: number
}

const lengths = (low: number, high: number): Bin => ({ low, high, label: `length ${low}-${high}` })
const rules = (low: number, high: number): Bin => ({ low, high, label: `${low}-${high} binary rules` })
const TENS = [lengths(1, 10), lengths(11, 20), lengths(21, 30), lengths(31, 40)]
const HUNDREDS = [rules(1, 99), rules(100, 199), rules(200, 299), rules(300, 399)]
/** Of the released notebook: the last bin of lengths lacks its end, and larger grammars have none. */
const PUBLISHED_LENGTHS = [...TENS, lengths(41, 49)]
const LENGTHS = [...TENS, lengths(41, 50)]
const SIZES = [...HUNDREDS, { low: 400, high: Number.POSITIVE_INFINITY, label: '400 binary rules or more' }]

/** Grammars or items by code, each with its score. */
type Scores = ReadonlyMap<number, number>

/** Spearman between every two models over the units that both answered, in each bin. */
function agreement(
  data: Responses,
  bins: readonly Bin[],
  sizeOf: (entry: number) => number,
  scores: (entries: Int32Array) => Scores,
) {
  const models = byArm(data)
  return bins.flatMap((bin) => {
    const inside = (k: number) => sizeOf(k) >= bin.low && sizeOf(k) <= bin.high
    const systems = models.map(({ model, entries }) => ({ model, scores: scores(rowsWhere(entries, inside)) }))
    const pairs = everyTwo(systems).flatMap(([a, b]) => {
      const units = [...a.scores.keys()].filter((unit) => b.scores.has(unit))
      const found = spearman(
        units.map((unit) => a.scores.get(unit) as number),
        units.map((unit) => b.scores.get(unit) as number),
      )
      return found === null ? [] : [{ a: a.model, b: b.model, units: units.length, rho: found.estimate ?? found.r }]
    })
    // Both orders, so that a heat map is complete; rows in the order of the models.
    return systems.flatMap(({ model }) =>
      pairs.flatMap(({ a, b, units, rho }) =>
        a === model || b === model ? [{ bin: bin.label, a: model, b: a === model ? b : a, units, rho }] : [],
      ),
    )
  })
}

function overGrammars(frame: Frame, data: Responses, bins: readonly Bin[]) {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const scores = (entries: Int32Array): Scores => {
    const byPair = tally(
      entries,
      (k) => `${data.grammar[k]}/${cellOf(data, k)}`,
      (k) => data.correct[k] as number,
    )
    const byGrammar = Map.groupBy(byPair, ([key]) => Number(key.slice(0, key.indexOf('/'))))
    const meanOf = (cells: readonly (readonly [string, Tally])[]) => mean(means(cells.map(([, cell]) => cell)))
    return new Map([...byGrammar].map(([grammar, cells]) => [grammar, meanOf(cells)]))
  }
  return { unit: 'Grammars', rows: agreement(data, bins, (k) => sizes[data.grammar[k] as number] as number, scores) }
}

function overItems(frame: Frame, data: Responses, bins: readonly Bin[]) {
  const items = frame.category('item').codes
  const scores = (entries: Int32Array): Scores => {
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
  return { unit: 'Items', rows: agreement(data, bins, (k) => data.length[k] as number, scores) }
}
