import { type AnalysisResult, column, everyTwo, type PrintedTable, table } from '../../core/index.ts'
import {
  analysisStream,
  clusterBootstrap,
  rankings,
  rhoOf,
  type Standing,
  spearman,
} from '../../libraries/statistics/index.ts'

/** Where the paper prints the scores that rank models, and what parts equal ones. */
const BENCHMARKS = {
  CLUTRR: ['table9', 'accuracy', 'nonNull'],
  'SLR-Bench': ['table11', 'accuracy', 'partial'],
  'PBEbench-Lite': ['table2', 'pass', 'editSim'],
} as const
const REAL = ['table13', 'lastPass', 'lastEditSim'] as const

type Source = readonly [table: string, score: string, breaker: string]

/** Tables spell models differently. */
const spelt = (model: string): string =>
  model
    .replace(/^Qwen\//u, '')
    .replace('2.5Coder', '2.5-Coder')
    .replace(/ \(high\)$/u, '')
    .toLowerCase()

/** Of the gpt-oss models the paper takes high effort; Table 9 has models a second time, with more tokens. */
const isRanked = (row: PrintedTable['rows'][number], table: string): boolean =>
  !/\((?:low|medium)\)$/u.test(String(row['model'])) && !(table === 'table9' && Number(row['maxTokens']) > 8192)

function standings(printed: readonly PrintedTable[], [id, score, breaker]: Source): ReadonlyMap<string, Standing> {
  const rows = printed.find((one) => one.id === `pbebench/${id}`)?.rows.filter((row) => isRanked(row, id)) ?? []
  return new Map(
    rows.map((row) => [spelt(String(row['model'])), { score: Number(row[score]), breaker: Number(row[breaker]) }]),
  )
}

/**
 * Hypothesis H3 from the paper's own numbers: how well each benchmark ranks its eleven models as real sound laws do, and whether one
 * does it better than another. Models are drawn with replacement; what items add to the spread is not printed.
 */
export function printedRankings(printed: readonly PrintedTable[]): AnalysisResult {
  const real = standings(printed, REAL)
  const models = [...real.keys()]
  const ranks = (of: ReadonlyMap<string, Standing>, names: readonly string[]): Float64Array =>
    rankings(names.map((name) => of.get(name) as Standing))
  const sets = Object.entries(BENCHMARKS).map(([name, source]) => ({ name, scores: standings(printed, source) }))
  const rho = ({ scores }: (typeof sets)[number], counts: ArrayLike<number>): number | null => {
    const names = models.flatMap((name, k) => Array.from({ length: counts[k] as number }, () => name))
    return rhoOf(ranks(real, names), ranks(scores, names))
  }
  const spread = (label: string, of: (counts: ArrayLike<number>) => number | null) =>
    clusterBootstrap(models.length, models.length, of, { stream: analysisStream(1, `pbebench/h3 ${label}`) })
  return {
    tables: [
      table(
        'pbebench/hypothesish3',
        'Rank correlation with real sound laws, from the printed scores',
        [
          column.text('dataset', 'Dataset'),
          column.number('models', 'Models'),
          column.estimate('r', 'Spearman', null),
          column.number('p', 'p'),
        ],
        sets.map((set) => ({
          dataset: set.name,
          models: models.length,
          r: spread(set.name, (counts) => rho(set, counts)),
          p: spearman(ranks(set.scores, models), ranks(real, models))?.p ?? null,
        })),
      ),
      table(
        'pbebench/hypothesish3-differences',
        'Which benchmark ranks as real sound laws do?',
        [column.text('pair', 'Datasets'), column.estimate('difference', 'Difference of Spearman', null)],
        everyTwo(sets.toReversed()).map(([a, b]) => ({
          pair: `${a.name} − ${b.name}`,
          difference: spread(`${a.name} ${b.name}`, (counts) => {
            const [x, y] = [rho(a, counts), rho(b, counts)]
            return x === null || y === null ? null : x - y
          }),
        })),
      ),
    ],
  }
}
