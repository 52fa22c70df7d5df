import { UsageError } from '../../core/index.ts'
import type { RowsQuery, RunFrames, SqlValue } from '../../store/index.ts'
import { itemsFilter, type TokenMeasure, type TokensDocument, tokenMeasures } from '../api/index.ts'
import { measureSql } from './amounts.ts'
import { batchOf, ofModels } from './batch.ts'
import { type Choice, chosenFrames, levelOf } from './chosen.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'
import { Query } from './query.ts'
import { search } from './search.ts'
import { byOutcome, levelsOf, meansByConfig } from './token-means.ts'

export interface TokensRequest {
  readonly measure: TokenMeasure | null
  /** The feature that means are laid over; null: none. */
  readonly x: string | null
  /** null: all tasks. */
  readonly task: string | null
  /** Whose readings tell right answers from wrong ones. */
  readonly parser: string
  /** Which of the batches of models, from 0. */
  readonly batch: number
  /** null: all items. */
  readonly choice: Choice | null
}

/** Bars of a distribution. */
const BINS = 24
/** Items that are named, those with the highest mean first. */
const DEAREST = 100

const isTokens = (measure: TokenMeasure): boolean => measure !== 'seconds' && measure !== 'usd'

/** What was read, written and thought, by config, by item, as distributions and over a feature. */
export async function tokensOf(
  viewed: ViewedRun,
  { measure: wanted, x, task, parser, batch, choice }: TokensRequest,
): Promise<TokensDocument> {
  const rows = await viewed.rows()
  const all = await viewed.frames()
  const empty: TokensDocument = {
    schema: 'touchstone/view-tokens/1',
    chosen: null,
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
  if (rows === null || all === null) return empty
  if (x !== null && !rows.columns.some(({ name }) => name === `feature_${x}`))
    throw new UsageError(`the items of this run have no feature "${x}"`)
  const models = batchOf(viewed, batch)
  const { frames, chosen } = await chosenFrames(viewed, all, choice)
  const nothing = { ...empty, chosen }
  const part = await partOf(viewed, rows, { task, choice, models })
  const measures = await viewed.remembered(`token measures ${JSON.stringify([task, models, choice])}`, () =>
    measuresOf(rows, part),
  )
  const measure = wanted !== null && measures.includes(wanted) ? wanted : (measures.at(0) ?? null)
  if (measure === null) return nothing
  const name = JSON.stringify([task, choice?.filter])
  const own = await ofModels(viewed, name, task === null ? frames : frames.ofTask(task), models)
  const level = levelOf(choice?.looks ?? 1)
  // The same over every feature.
  const flat = await viewed.remembered(
    `tokens ${JSON.stringify([measure, task, parser, models, choice])}`,
    async () => ({
      ...nothing,
      x: null,
      measure,
      measures,
      configs: await configsOf(rows, part, meansByConfig(own, level)),
      outcomes: byOutcome(own, measure, parser, level),
      spread: await spreadOf(rows, part, measure),
      dearest: await dearestOf(rows, part, measure),
    }),
  )
  if (x === null) return flat
  return viewed.remembered(`tokens over ${JSON.stringify([x, measure, task, parser, models, choice])}`, async () => ({
    ...flat,
    x,
    ...(await readLevels(viewed, own, x, levelsOf(own, measure, x, level))),
  }))
}

/** Levels of a feature as items have them: frames hold numbers as text, and booleans as 1 and 0. */
async function readLevels<L extends Pick<TokensDocument, 'levels'>>(
  viewed: ViewedRun,
  frames: RunFrames,
  x: string,
  found: L,
): Promise<L> {
  const frame = frames.frame('strict')
  if (frame === null || found.levels.length === 0) return found
  const read = await featureReader(viewed, frame, x)
  return { ...found, levels: found.levels.map((level) => ({ ...level, x: read(String(level.x)) })) }
}

/** Some of the rows, as what a SELECT is from. */
interface Part {
  readonly from: string
  readonly values: readonly SqlValue[]
}

async function partOf(
  viewed: ViewedRun,
  rows: RowsQuery,
  { task, choice, models }: Pick<TokensRequest, 'task' | 'choice'> & { readonly models: readonly string[] | null },
): Promise<Part> {
  const filter = { ...(choice?.filter ?? itemsFilter.parse({})), ...(task === null ? {} : { task }) }
  const query = new Query(rows, { parser: 'strict', choices: [] })
  const where = query.where(filter, await search(viewed, filter), models)
  return { from: where === '' ? 'rows' : `(SELECT * FROM rows ${where})`, values: query.values }
}

const means = tokenMeasures.map((measure) => `AVG(${measureSql[measure]}) AS "${measure}"`).join(', ')

/** What is known of at least one response, thinking before the rest: it is what is asked for most. */
async function measuresOf(rows: RowsQuery, { from, values }: Part): Promise<TokenMeasure[]> {
  const counts = tokenMeasures.map((measure) => `COUNT(${measureSql[measure]}) AS "${measure}"`).join(', ')
  const [known] = await rows.run(`SELECT ${counts} FROM ${from}`, values)
  return tokenMeasures.filter((measure) => Number(known?.[measure] ?? 0) > 0)
}

type Numbers = TokensDocument['dearest'][number]['models'][number]['means']
type Row = Awaited<ReturnType<RowsQuery['run']>>[number]

const number = (row: Row, key: string): number | null => (typeof row[key] === 'number' ? row[key] : null)
const meansOf = (row: Row): Numbers => ({
  prompt: number(row, 'prompt'),
  answer: number(row, 'answer'),
  reasoning: number(row, 'reasoning'),
  seconds: number(row, 'seconds'),
  usd: number(row, 'usd'),
})

/** Configs that are told. */
const CONFIGS = 500

async function configsOf(
  rows: RowsQuery,
  { from, values }: Part,
  means: ReturnType<typeof meansByConfig>,
): Promise<TokensDocument['configs']> {
  const found = await rows.run(
    `SELECT task, config, style, model, COUNT(*) AS cells, COUNT("outputTokens") AS known, SUM("usd") AS paid
     FROM ${from} GROUP BY task, config, style, model ORDER BY task, config, style, MIN(cell) LIMIT ${CONFIGS}`,
    values,
  )
  return found.map((row) => {
    const at = {
      task: String(row['task']),
      config: String(row['config']),
      style: String(row['style']),
      model: String(row['model']),
    }
    const { groups, ...own } = means(at)
    return {
      ...at,
      cells: Number(row['cells']),
      known: Number(row['known']),
      groups,
      paid: number(row, 'paid'),
      means: own,
    }
  })
}

/** One histogram a model on shared bins: token counts grow by factors, time and money by sums. */
async function spreadOf(
  rows: RowsQuery,
  { from, values }: Part,
  measure: TokenMeasure,
): Promise<TokensDocument['spread']> {
  const value = `(${measureSql[measure]})`
  const [most] = await rows.run(`SELECT MAX(${value}) AS most FROM ${from}`, values)
  const top = Math.max(number(most ?? {}, 'most') ?? 0, isTokens(measure) ? 1 : 1e-9)
  const place = isTokens(measure) ? `LN(1 + ${value}) / ${Math.log1p(top)}` : `${value} / ${top}`
  const edges = Array.from({ length: BINS + 1 }, (_, i) =>
    isTokens(measure) ? Math.expm1((Math.log1p(top) * i) / BINS) : (top * i) / BINS,
  )
  const binned = await rows.run(
    `SELECT model, LEAST(${BINS - 1}, GREATEST(0, CAST(FLOOR(${place} * ${BINS}) AS INTEGER))) AS bin, COUNT(*) AS n
     FROM ${from} WHERE ${value} IS NOT NULL GROUP BY model, bin`,
    values,
  )
  const quantiles = await rows.run(
    `SELECT model, COUNT(*) AS n, QUANTILE_CONT(CAST(${value} AS DOUBLE), [0.1, 0.5, 0.9]) AS q FROM ${from} WHERE ${value} IS NOT NULL
     GROUP BY model ORDER BY MIN(cell) LIMIT 60`,
    values,
  )
  return {
    edges,
    models: quantiles.map(({ model, n, q }) => {
      const bins = Array.from({ length: BINS }, () => 0)
      for (const row of binned) if (row['model'] === model) bins[Number(row['bin'])] = Number(row['n'])
      const [low = 0, middle = 0, high = 0] = Array.isArray(q) ? q.map(Number) : []
      return { model: String(model), n: Number(n), low, middle, high, bins }
    }),
  }
}

/** The items that took most, with what each model needed for them. */
async function dearestOf(
  rows: RowsQuery,
  { from, values }: Part,
  measure: TokenMeasure,
): Promise<TokensDocument['dearest']> {
  const found = await rows.run(
    `WITH part AS (SELECT * FROM ${from}), chosen AS (SELECT item, AVG(${measureSql[measure]}) AS mean FROM part GROUP BY item
       HAVING mean IS NOT NULL ORDER BY mean DESC, item LIMIT ${DEAREST})
     SELECT part.item, MIN(part."index") AS place, part.task, part.model, COUNT(*) AS cells, MIN(chosen.mean) AS mean, ${means}
     FROM part JOIN chosen ON part.item = chosen.item
     GROUP BY part.item, part.task, part.model ORDER BY mean DESC, part.item, part.model`,
    values,
  )
  return [...Map.groupBy(found, (row) => String(row['item']))].map(([item, mine]) => ({
    item,
    index: Number(mine[0]?.['place'] ?? 0),
    task: String(mine[0]?.['task']),
    models: mine.map((row) => ({ model: String(row['model']), cells: Number(row['cells']), means: meansOf(row) })),
  }))
}
