import { z } from 'zod/mini'
import { count, estimate, json, table, troubles } from './values.ts'

const counts = z.object({ waiting: count, leased: count, batched: count, done: count, failed: count })

const modelState = z.object({ name: z.string(), counts })

/** State of one model, as the process that works on the run reports it. */
const liveModel = z.object({
  model: z.string(),
  /** Most calls of the model. */
  total: count,
  done: count,
  failed: count,
  inFlight: count,
  /** Calls per second, over the last seconds. */
  rate: z.number(),
  /** Remaining seconds; null: unknown. */
  left: z.nullable(z.number()),
  usd: z.number(),
  accuracy: z.nullable(estimate),
  waits: z.array(z.string()),
  failures: z.array(z.object({ code: z.string(), times: count, message: z.string() })),
})
export type LiveModel = z.infer<typeof liveModel>

/** Threshold of a model in an adaptive run. */
const adaptedModel = z.object({
  model: z.string(),
  steps: count,
  answers: count,
  /** The parameter value of the last step. */
  at: z.nullable(z.number()),
  threshold: z.nullable(estimate),
  /** The side on which the threshold lies outside all values. */
  outside: z.nullable(z.enum(['above', 'below'])),
  /** Why sampling of the model ended; null: it continues. */
  end: z.nullable(z.enum(['precise', 'max-items', 'no-items-left'])),
})

const until = z.object({
  rule: z.string(),
  interim: count,
  /** Groups at the last interim analysis. */
  units: count,
  /** null: not decided. */
  verdict: z.nullable(z.string()),
})

export const runSummary = z.object({
  kind: z.literal('run'),
  id: z.string(),
  path: z.string(),
  name: z.string(),
  created: z.string(),
  tasks: z.array(z.string()),
  items: count,
  counts,
  models: z.array(modelState),
  usd: z.number(),
  /** Cost limit in US dollars; null: none. */
  limit: z.nullable(z.number()),
  /** Live state of each model; null: no process works on the run or reports it. */
  live: z.nullable(z.object({ left: z.nullable(z.number()), models: z.array(liveModel) })),
  /** Parameter, rule and models of an adaptive run; null for others. */
  adapt: z.nullable(z.object({ parameter: z.string(), until: z.nullable(z.string()), models: z.array(adaptedModel) })),
  until: z.nullable(until),
  /** Stopped models and the reason; empty while a process works on the run. */
  stopped: z.array(z.object({ model: z.string(), message: z.string(), next: z.string() })),
  held: z.boolean(),
  making: z.nullable(z.object({ done: count, of: count })),
  stoppable: z.boolean(),
  /** Later documents are of this revision or a newer one. */
  revision: z.number(),
  /** Errors of calls that were given up, most frequent first. */
  failures: z.array(z.object({ code: z.string(), cells: count, message: z.string() })),
})
export type RunSummary = z.infer<typeof runSummary>

export const datasetSummary = z.object({
  kind: z.literal('dataset'),
  id: z.string(),
  path: z.string(),
  task: z.string(),
  preset: z.nullable(z.string()),
  split: z.string(),
  count,
  root: z.string(),
})
export type DatasetSummary = z.infer<typeof datasetSummary>

const brokenFolder = z.object({ kind: z.literal('broken'), id: z.string(), path: z.string(), message: z.string() })

export const stopped = z.object({ schema: z.literal('touchstone/view-stopped/1'), pid: z.int() })

export const folders = z.object({
  schema: z.literal('touchstone/view-folders/1'),
  folders: z.array(z.discriminatedUnion('kind', [runSummary, datasetSummary, brokenFolder])),
})
export type Folders = z.infer<typeof folders>

export type FolderSummary = Folders['folders'][number]

export const viewError = z.object({
  schema: z.literal('touchstone/view-error/1'),
  message: z.string(),
  next: z.string(),
})

export const datasetDocument = z.object({
  schema: z.literal('touchstone/view-dataset/1'),
  dataset: datasetSummary,
  config: json,
  seed: z.nullable(z.string()),
  version: count,
  empty: z.object({ proved: count, notFound: count }),
  salted: z.boolean(),
  /** First index and number of indices, empty ones included. */
  first: count,
  indices: count,
  strata: z.object({
    factors: z.array(z.string()),
    filled: z.array(z.object({ levels: z.array(json), count })),
    empty: z.array(z.object({ levels: z.array(json), proof: z.string(), count })),
    notFound: z.array(z.object({ levels: z.array(json), reason: z.string(), tries: count })),
  }),
  files: z.array(z.object({ file: z.string(), count, sha256: z.string() })),
  /** audit.json; null: missing, false: not JSON. */
  audit: json,
})
export type DatasetDocument = z.infer<typeof datasetDocument>

export const outline = z.object({
  schema: z.literal('touchstone/view-outline/1'),
  run: runSummary,
  /** Empty: all strings were scored by log-probability. */
  parsers: z.array(z.string()),
  /** Features with their first levels, whether there are more, the tasks in which they vary, and those in which they set difficulty. */
  features: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      levels: z.array(json),
      more: z.boolean(),
      tasks: z.array(z.string()),
      hard: z.array(z.string()),
    }),
  ),
  /** Numeric features and metrics of responses with their ranges. */
  numbers: z.array(
    z.object({ of: z.enum(['feature', 'amount']), name: z.string(), least: z.number(), most: z.number() }),
  ),
})
export type Outline = z.infer<typeof outline>

/** Size of a subset, and the number of subsets viewed that intervals account for. */
export const subsetSize = z.object({ items: count, all: count, views: z.int().check(z.minimum(1)) })
export type SubsetSize = z.infer<typeof subsetSize>

const verdictLines = z.readonly(
  z.array(z.object({ condition: z.string(), task: z.string(), difference: estimate, settle: z.string() })),
)

/** Which model is better at what, as `runVerdict` of the report says it. */
const runVerdict = z.object({
  kind: z.enum(['verdict', 'so-far', 'none']),
  title: z.string(),
  detail: z.string(),
  pair: z.nullable(z.object({ a: z.string(), b: z.string() })),
  better: verdictLines,
  worse: verdictLines,
  unclear: verdictLines,
})

export const overview = z.object({
  schema: z.literal('touchstone/view-overview/1'),
  run: runSummary,
  /** null: all items. */
  subsetSize: z.nullable(subsetSize),
  parsers: z.array(z.string()),
  /** null: nothing was graded, or the items are selected. */
  verdict: z.nullable(runVerdict),
  /** Tables of the report on accuracy, metrics and pairs. */
  tables: z.array(table),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Overview = z.infer<typeof overview>

export const history = z.object({
  schema: z.literal('touchstone/view-history/1'),
  /** Equal for runs of the same items, prompts and limits. */
  same: z.string(),
  models: z.array(
    z.object({
      model: z.string(),
      /** Mean accuracy over conditions; null: no response is graded. */
      mean: z.nullable(estimate),
      planned: count,
      ...troubles,
      usd: z.nullable(z.number()),
      /** Median of a response. */
      seconds: z.nullable(z.number()),
      /** This run − the one before on shared items; null: none is named, or they share too little. `significant` by Holm over models. */
      change: z.nullable(z.object({ difference: estimate, significant: z.boolean() })),
    }),
  ),
})
export type History = z.infer<typeof history>
