import { type Frame, UsageError } from '../../core/index.ts'
import { partition } from '../../libraries/statistics/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  conditionCount,
  type TokenMeasure,
  type TokensDocument,
  tokenMeasure,
  tokenMeasures,
  tokensDocument,
} from '../api/index.ts'
import { featureReader } from './features.ts'
import { modelPageNumber, modelPageOf, ofModels } from './model-page.ts'
import type { ViewedRun } from './open-runs.ts'
import { strictFrame } from './query.ts'
import { measureOf } from './response-metrics.ts'
import { filterIn, parserIn, queryOf, runDocument } from './run-document.ts'
import { confidenceOf, type Subset, subsetFrames, subsetFrom } from './subset.ts'
import { byOutcome, configsOf, levelsOf } from './token-means.ts'

export interface TokensRequest {
  readonly measure: TokenMeasure | null
  /** Feature on the x axis; null: none. */
  readonly x: string | null
  /** null: all tasks. */
  readonly task: string | null
  /** The parser that decides correctness. */
  readonly parser: string
  /** Page of models, from 0. */
  readonly modelPage: number
  /** null: all items. */
  readonly subset: Subset | null
}

/** Bars of a distribution. */
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
  const empty: TokensDocument = {
    schema: 'touchstone/view-tokens/1',
    subsetSize: null,
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
  if (all === null) return empty
  if (x !== null && !all.columns.includes(`feature_${x}`))
    throw new UsageError(`the items of this run have no feature "${x}"`)
  const models = modelPageOf(viewed, modelPage)
  const { frames, subsetSize } = await subsetFrames(viewed, all, subset)
  const nothing = { ...empty, subsetSize }
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
            measured.map(([one, all]) => [one, meanOf(mine.map((row) => all[row] as number))]),
          ) as TokensDocument['dearest'][number]['models'][number]['means'],
        })),
    }
  })
}

function meanOf(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const tokensRunDocument = runDocument({
  schema: tokensDocument,
  answer(viewed, query) {
    const measure = tokenMeasure.optional().safeParse(query.get('measure') ?? undefined)
    if (!measure.success)
      throw new UsageError(
        `measure: expected one of ${tokenMeasures.join(', ')}, got "${query.get('measure')?.slice(0, 80)}"`,
      )
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
