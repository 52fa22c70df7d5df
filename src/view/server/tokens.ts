import { type Frame, UsageError } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredMeanEstimate,
  correctness,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  conditionCount,
  type TokenMeasure,
  type TokensDocument,
  tokenMeasure,
  tokenMeasures,
  tokenOutcomes,
  tokensDocument,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { measureOf, strictFrame } from './query.ts'
import { filterIn, modelPageNumber, modelPageOf, ofModels, parserIn, queryOf, runDocument } from './run-document.ts'
import { confidenceOf, featureReader, type Subset, subsetFrames, subsetFrom } from './subset.ts'

const CELLS = 2000

/** Groups of the rows of which the measure is known. */
function groupsOf(frame: Frame, amounts: Float64Array, rows: Int32Array): number {
  return new Set(clusterCodes(frame, knownOf(amounts, rows))).size
}

const knownOf = (amounts: Float64Array, rows: Int32Array): Int32Array =>
  rowsWhere(rows, (row) => Number.isFinite(amounts[row]))

/** A mean over some rows with its interval over groups, which ends at 0 as what is counted does; null where the measure is known of fewer than two groups. */
function meanOf(frame: Frame, amounts: Float64Array, rows: Int32Array, level: number) {
  const used = knownOf(amounts, rows)
  const clusters = clusterCodes(frame, used)
  const mean = clusteredMeanEstimate(take(amounts, used), clusters, level)
  return mean === null ? null : { mean: { ...mean, low: Math.max(0, mean.low) }, groups: new Set(clusters).size }
}

/** The mean of each model at each level of a feature, with an interval over groups; none where they are too many to be seen. */
export function levelsOf(
  frames: Pick<RunFrames, 'frame'>,
  measure: TokenMeasure,
  x: string,
  level = 0.95,
): Pick<TokensDocument, 'levels' | 'crowded'> {
  const frame = frames.frame('strict')
  if (frame === null || !frame.has(`feature_${x}`)) return { levels: [], crowded: null }
  const amounts = measureOf(frame, measure)
  const parts = partition(frame, ['model', `feature_${x}`])
  if (parts.length > CELLS) return { levels: [], crowded: parts.length }
  const levels = parts.flatMap(({ key, rows }) => {
    const at = key[`feature_${x}`] ?? null
    const found = at === null ? null : meanOf(frame, amounts, rows, level)
    return found === null ? [] : [{ model: String(key['model']), x: at, ...found }]
  })
  return { levels, crowded: null }
}

/** Mean of each model by outcome: correct, incorrect, or without prediction. */
function byOutcome(
  frames: RunFrames,
  measure: TokenMeasure,
  parser: string,
  level: number,
): TokensDocument['outcomes'] {
  const frame = frames.frame(parser)
  if (frame === null) return []
  const amounts = measureOf(frame, measure)
  const right = correctness(scores(frame))
  const { codes, levels } = frame.category('status')
  const graded = levels.indexOf('graded')
  const outcomeOf = (row: number): (typeof tokenOutcomes)[number] | null => {
    if (Number.isNaN(right[row])) return null
    if (codes[row] !== graded) return 'no prediction'
    return right[row] === 1 ? 'correct' : 'incorrect'
  }
  return partition(frame, ['model']).flatMap(({ key, rows }) =>
    tokenOutcomes.flatMap((outcome) => {
      const found = meanOf(
        frame,
        amounts,
        rowsWhere(rows, (row) => outcomeOf(row) === outcome),
        level,
      )
      return found === null ? [] : [{ model: String(key['model']), outcome, ...found }]
    }),
  )
}

const CONFIG = ['task', 'config', 'style', 'model'] as const
/** Configs that are shown. */
const CONFIGS = 500

/** Counts, money and the means of every measure by task, config, style and model. */
export function configsOf(frame: Frame, level: number): TokensDocument['configs'] {
  const measured = tokenMeasures.map((measure) => [measure, measureOf(frame, measure)] as const)
  const output = frame.has('output_tokens') ? frame.number('output_tokens') : null
  const paid = measureOf(frame, 'usd')
  const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
  return partition(frame, [...CONFIG])
    .map(({ key, rows }) => ({ at: CONFIG.map((name) => String(key[name])), rows }))
    .sort((x, y) => {
      const [one, two, three] = [0, 1, 2].map((i) => byText(x.at[i] as string, y.at[i] as string))
      return one || two || three || (x.rows[0] as number) - (y.rows[0] as number)
    })
    .slice(0, CONFIGS)
    .map(({ at, rows }) => {
      const [task, config, style, model] = at as [string, string, string, string]
      const money = rowsWhere(rows, (row) => !Number.isNaN(paid[row]))
      const means = measured.map(([measure, all]) => [measure, meanOf(frame, all, rows, level)?.mean ?? null] as const)
      return {
        task,
        config,
        style,
        model,
        cells: rows.length,
        known: output === null ? 0 : rowsWhere(rows, (row) => !Number.isNaN(output[row])).length,
        paid: money.length === 0 ? null : take(paid, money).reduce((sum, one) => sum + one, 0),
        groups: Math.max(0, ...measured.map(([, all]) => groupsOf(frame, all, rows))),
        means: Object.fromEntries(means) as TokensDocument['configs'][number]['means'],
      }
    })
}

interface TokensRequest {
  readonly measure: TokenMeasure | null
  readonly x: string | null
  readonly task: string | null
  /** The parser that decides correctness. */
  readonly parser: string
  readonly modelPage: number
  readonly subset: Subset | null
}

const BINS = 24
/** Most models with a distribution. */
const MODELS = 60
/** Most items listed, highest mean first. */
const DEAREST = 100

const isTokens = (measure: TokenMeasure): boolean => measure !== 'seconds' && measure !== 'usd'

/** Tokens, time and cost by condition, by item, as distributions and over a feature. */
export async function tokensOf(
  viewed: ViewedRun,
  { measure: wanted, x, task, parser, modelPage, subset }: TokensRequest,
): Promise<TokensDocument> {
  const all = await viewed.frames()
  if (x !== null && !all.columns.includes(`feature_${x}`))
    throw new UsageError(`the items of this run have no feature "${x}"`)
  const models = modelPageOf(viewed, modelPage)
  const { frames, subsetSize } = await subsetFrames(viewed, all, subset)
  const nothing: TokensDocument = {
    schema: 'touchstone/view-tokens/1',
    subsetSize,
    measure: null,
    measures: [],
    x,
    configs: [],
    spread: null,
    levels: [],
    crowded: null,
    dearest: [],
    parser,
    outcomes: [],
  }
  const name = JSON.stringify([task, subset?.filter])
  const own = await ofModels(viewed, name, task === null ? frames : frames.ofTask(task), models)
  const frame = strictFrame(own)
  const measures = await viewed.remembered(`token measures ${JSON.stringify([task, models, subset])}`, async () =>
    tokenMeasures.filter((one) => measureOf(frame, one).some((value) => !Number.isNaN(value))),
  )
  const measure = wanted !== null && measures.includes(wanted) ? wanted : (measures.at(0) ?? null)
  if (measure === null) return nothing
  const level = confidenceOf(subset?.views ?? 1)
  // The same over every feature.
  const flat = await viewed.remembered(
    `tokens ${JSON.stringify([measure, task, parser, models, subset])}`,
    async () => ({
      ...nothing,
      x: null,
      measure,
      measures,
      configs: configsOf(frame, level),
      outcomes: byOutcome(own, measure, parser, level),
      spread: spreadOf(frame, measure),
      dearest: dearestOf(frame, measure),
    }),
  )
  if (x === null) return flat
  return viewed.remembered(`tokens over ${JSON.stringify([x, measure, task, parser, models, subset])}`, async () => ({
    ...flat,
    x,
    ...readLevels(own, x, levelsOf(own, measure, x, level)),
  }))
}

/** Levels of a feature as items have them. */
function readLevels<L extends Pick<TokensDocument, 'levels'>>(frames: RunFrames, x: string, found: L): L {
  if (found.levels.length === 0) return found
  const { read } = featureReader(frames, x)
  return { ...found, levels: found.levels.map((level) => ({ ...level, x: read(String(level.x)) })) }
}

/** One histogram per model on shared bins: logarithmic for tokens, linear for time and cost. */
function spreadOf(frame: Frame, measure: TokenMeasure): TokensDocument['spread'] {
  const values = measureOf(frame, measure)
  let top = isTokens(measure) ? 1 : 1e-9
  for (const value of values) if (value > top) top = value
  const [scale, back] = isTokens(measure) ? [Math.log1p, Math.expm1] : [(value: number) => value, (at: number) => at]
  const edges = Array.from({ length: BINS + 1 }, (_, i) => back((scale(top) * i) / BINS))
  const models = partition(frame, ['model']).flatMap(({ key, rows }) => {
    const known = Float64Array.from(rows, (row) => values[row] as number).filter((value) => !Number.isNaN(value))
    if (known.length === 0) return []
    const bins = Array.from({ length: BINS }, () => 0)
    for (const value of known) {
      const bin = Math.min(BINS - 1, Math.max(0, Math.floor((scale(value) / scale(top)) * BINS)))
      bins[bin] = (bins[bin] as number) + 1
    }
    known.sort()
    const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(known, share)) as [number, number, number]
    return [{ model: String(key['model']), n: known.length, low, middle, high, bins }]
  })
  return { edges, models: models.slice(0, MODELS) }
}

/** Of sorted values, between the two nearest. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] as number
  return below + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] as number) - below)
}

/** The items with the highest means, with the means of each model. */
function dearestOf(frame: Frame, measure: TokenMeasure): TokensDocument['dearest'] {
  const { codes, levels } = frame.category('item')
  const values = measureOf(frame, measure)
  const [sums, counts] = [new Float64Array(levels.length), new Int32Array(levels.length)]
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) continue
    const item = codes[row] as number
    sums[item] = (sums[item] as number) + value
    counts[item] = (counts[item] as number) + 1
  }
  const mean = (item: number): number => (sums[item] as number) / (counts[item] as number)
  const byText = (a: string | undefined, b: string | undefined): number => (String(a) < String(b) ? -1 : 1)
  const dearest = Array.from(levels.keys())
    .filter((item) => (counts[item] as number) > 0)
    .sort((a, b) => mean(b) - mean(a) || byText(levels[a], levels[b]))
    .slice(0, DEAREST)
  const wanted = new Uint8Array(levels.length)
  for (const item of dearest) wanted[item] = 1
  const rows = Array.from(codes.keys()).filter((row) => wanted[codes[row] as number] === 1)
  const rowsOf = Map.groupBy(rows, (row) => codes[row] as number)
  const measured = tokenMeasures.map((one) => [one, measureOf(frame, one)] as const)
  const [model, task, index] = [frame.category('model'), frame.category('task'), frame.number('index')]
  return dearest.map((item) => {
    const own = rowsOf.get(item) ?? []
    const byModel = [...Map.groupBy(own, (row) => String(model.levels[model.codes[row] as number]))]
    return {
      item: levels[item] as string,
      index: index[own[0] as number] as number,
      task: String(task.levels[task.codes[own[0] as number] as number]),
      models: byModel
        .sort(([a], [b]) => byText(a, b))
        .map(([name, mine]) => ({
          model: name,
          cells: mine.length,
          means: Object.fromEntries(
            measured.map(([one, all]) => [one, plainMean(mine.map((row) => all[row] as number))]),
          ) as TokensDocument['dearest'][number]['models'][number]['means'],
        })),
    }
  })
}

function plainMean(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const tokensRunDocument = runDocument({
  schema: tokensDocument,
  answer(viewed, query) {
    const asked = query.get('measure')
    const measure = asked === null ? { success: true as const, data: undefined } : tokenMeasure.safeParse(asked)
    if (!measure.success)
      throw new UsageError(`measure: expected one of ${tokenMeasures.join(', ')}, got "${asked?.slice(0, 80)}"`)
    const { filter, views } = filterIn(query)
    // A task alone is what the page shows, and no subset.
    const isSubset = conditionCount({ ...filter, task: undefined }) > 0
    return tokensOf(viewed, {
      measure: measure.data ?? null,
      x: query.get('x'),
      task: query.get('task'),
      parser: parserIn(query),
      modelPage: modelPageNumber(query.get('models')),
      subset: isSubset ? subsetFrom(filter, views) : null,
    })
  },
  exported: ({ features, modelPages }) =>
    modelPages.flatMap((models) => [null, ...features.map(({ name }) => name)].map((x) => queryOf({ x, models }))),
})
