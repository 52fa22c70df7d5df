import type { Frame, Json } from '../../core/index.ts'
import { MAX_SHOWN_WIDTH, MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import { clusterCodes, design, holm, linear, type Variable } from '../../libraries/statistics/index.ts'
import { type ByFeature, type Effects, effects, type Outline, type Parameters } from '../api/index.ts'
import { type ByFeatureParts, byFeatureOf, byFeatureParts } from './by-feature.ts'
import type { ViewedRun } from './open-runs.ts'
import { featuresOf } from './outline.ts'
import { parserIn, queryOf, runDocument } from './run-document.ts'

/** Rows that a test uses at most: of more every k-th. */
const MAX_ROWS = 20_000
/** A feature with more values that are no numbers is not tested. */
const MAX_LEVELS = 24

type Effect = Effects['features'][number]

/** The features of a task (null: of the only one), by how clearly accuracy depends on them. */
async function effectsOf(viewed: ViewedRun, task: string | null, parser: string): Promise<Effects> {
  const frames = await viewed.frames()
  return viewed.remembered(`effects ${JSON.stringify([task, parser])}`, async () => {
    const all = featuresOf(frames, viewed.here.runnable)
    const own = all.filter(({ levels, tasks }) => levels.length > 1 && (task === null || tasks.includes(task)))
    let leading: string | null = null
    let size = { items: 0, groups: 0 }
    const found: Omit<Effect, 'p'>[] = []
    const tests: (number | null)[] = []
    for (const feature of own) {
      const request = { x: feature.name, y: null, parser, task, modelPage: 0 }
      const [document, parts] = [await byFeatureOf(viewed, request), await byFeatureParts(viewed, request)]
      leading ??= leadingIn(document)
      size = {
        items: Math.max(size.items, distinct(parts.frame, 'item')),
        groups: Math.max(size.groups, distinct(parts.frame, 'group')),
      }
      const curve = document.cells.filter(({ model }) => model === leading).map(({ x, share }) => ({ x, share }))
      found.push({
        name: feature.name,
        slopes: feature.type === 'number' ? slopesOf(parts) : [],
        curve: curve.sort((a, b) => order(a.x, b.x)),
        hidden: hiddenBy(document),
      })
      tests.push(pOf(parts, feature))
    }
    const adjusted = holm(tests.filter((p) => p !== null))
    let next = 0
    const features = found
      .map((one, i): Effect => ({ ...one, p: tests[i] === null ? null : (adjusted[next++] ?? null) }))
      .sort((a, b) => (a.p ?? 2) - (b.p ?? 2))
    return { schema: 'touchstone/view-effects/1' as const, task, parser, leading, ...size, features }
  })
}

const distinct = (frame: Frame, column: string): number =>
  frame.has(column) ? new Set(frame.category(column).codes).size : 0

const order = (a: Json, b: Json): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true })

function leadingIn({ cells }: ByFeature): string | null {
  const sums = [...Map.groupBy(cells, ({ model }) => model)].map(([model, own]) => {
    const n = own.reduce((sum, { share }) => sum + share.n, 0)
    return { model, mean: own.reduce((sum, { share }) => sum + share.value * share.n, 0) / n }
  })
  return sums.sort((a, b) => b.mean - a.mean)[0]?.model ?? null
}

/** Drawn if for some model two levels have enough items, and one of them a narrow interval. */
function hiddenBy({ cells }: ByFeature): string {
  const known = [...Map.groupBy(cells, ({ model }) => model).values()].map((own) =>
    own.filter(({ share }) => share.n >= MIN_SHOWN_ITEMS),
  )
  if (!known.some(({ length }) => length >= 2)) return `fewer than two levels have ${MIN_SHOWN_ITEMS} items or more`
  const narrow = known.some(
    (own) => own.length >= 2 && own.some(({ share }) => share.high - share.low < MAX_SHOWN_WIDTH),
  )
  return narrow ? '' : 'every interval is wider than 50 points'
}

/** The rows of a feature with their values; a number in a bin stands at its middle. */
function rowsOf({ frame, right, parts }: ByFeatureParts) {
  const rows = parts.flatMap(({ model, x, rows }) => [...rows].map((row) => ({ model, x, row })))
  const step = Math.ceil(rows.length / MAX_ROWS)
  const kept = step <= 1 ? rows : rows.filter((_, i) => i % step === 0)
  const y = Float64Array.from(kept, ({ row }) => right[row] as number)
  return {
    kept,
    y,
    clusters: clusterCodes(
      frame,
      Int32Array.from(kept, ({ row }) => row),
      y,
    ),
  }
}

/** p that accuracy does not depend on a feature: Wald's test beside the models, with errors by group. */
function pOf(parts: ByFeatureParts, { type }: Outline['features'][number]): number | null {
  const { kept, y, clusters } = rowsOf(parts)
  const levels = [...new Set(kept.map(({ x }) => String(x)))]
  if (levels.length < 2 || (type !== 'number' && levels.length > MAX_LEVELS)) return null
  const models = [...new Set(kept.map(({ model }) => model))]
  const x: Variable =
    type === 'number'
      ? { kind: 'numeric', values: kept.map(({ x }) => Number(x)) }
      : { kind: 'nominal', codes: kept.map(({ x }) => levels.indexOf(String(x))), levels }
  const model: Variable = { kind: 'nominal', codes: kept.map((one) => models.indexOf(one.model)), levels: models }
  try {
    const fit = linear(design({ x, model }, models.length > 1 ? [['x'], ['model']] : [['x']]), y, { clusters })
    const p = fit.kind === 'linear' ? fit.wald.find(({ term }) => term === 'x')?.p : undefined
    return p === undefined || Number.isNaN(p) ? null : p
  } catch (error) {
    // Where a feature explains everything, nothing is left to estimate an error from.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The least-squares slope of each model. */
function slopesOf(parts: ByFeatureParts): Effect['slopes'] {
  const { kept, y } = rowsOf(parts)
  const at = kept.map((one, i) => ({ ...one, y: y[i] as number }))
  return [...Map.groupBy(at, ({ model }) => model)].flatMap(([model, own]) => {
    const mean = (of: (one: (typeof own)[number]) => number): number =>
      own.reduce((sum, one) => sum + of(one), 0) / own.length
    const [mx, my] = [mean(({ x }) => Number(x)), mean((one) => one.y)]
    const spread = mean(({ x }) => (Number(x) - mx) ** 2)
    return spread === 0 ? [] : [{ model, slope: mean((one) => (Number(one.x) - mx) * (one.y - my)) / spread }]
  })
}

export const effectsDocument = runDocument({
  schema: effects,
  answer: (viewed, query) => effectsOf(viewed, query.get('task'), parserIn(query)),
  exported: ({ outline }): readonly Parameters[] =>
    (outline.run.tasks.length > 1 ? outline.run.tasks : [null]).map((task) => queryOf({ task })),
})
