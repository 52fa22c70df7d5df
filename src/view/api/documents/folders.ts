import { z } from 'zod'
import { count, estimate } from './values.ts'

const counts = z.object({ waiting: count, leased: count, batched: count, done: count, failed: count })

const modelState = z.object({ name: z.string(), counts })

/** What the process that works on a run says of one model. */
const liveModel = z.object({
  model: z.string(),
  /** Cells it is asked at most. */
  total: count,
  done: count,
  failed: count,
  inFlight: count,
  /** Cells a second, over the last seconds. */
  rate: z.number(),
  /** Seconds; null: not known. */
  left: z.number().nullable(),
  usd: z.number(),
  accuracy: estimate.nullable(),
  /** In words. */
  waits: z.array(z.string()),
  /** In this process, the latest first. */
  failures: z.array(z.object({ code: z.string(), times: count, message: z.string() })),
})
export type LiveModel = z.infer<typeof liveModel>

/** Where a model of an adaptive run breaks, by what is known. */
const adaptedModel = z.object({
  model: z.string(),
  steps: count,
  answers: count,
  /** The value of the parameter asked last. */
  at: z.number().nullable(),
  threshold: estimate.nullable(),
  /** Where the threshold lies outside all values: is it beyond the highest or below the lowest? */
  outside: z.enum(['above', 'below']).nullable(),
  /** Why nothing more is asked of it; null: it is asked on. */
  end: z.enum(['known', 'most', 'exhausted']).nullable(),
})

/** A rule that ends a run, and what its interim have seen. */
const until = z.object({
  rule: z.string(),
  interim: count,
  /** Groups of items at the last look. */
  units: count,
  /** null: not known yet. */
  verdict: z.string().nullable(),
})

export const runSummary = z.object({
  kind: z.literal('run'),
  id: z.string(),
  path: z.string(),
  name: z.string(),
  created: z.string(),
  tasks: z.array(z.string()),
  counts,
  models: z.array(modelState),
  usd: z.number(),
  /** US dollars at most; null: no limit. */
  limit: z.number().nullable(),
  /** What it says of each model while it works; null: no process does, or it says nothing. */
  live: z.object({ left: z.number().nullable(), models: z.array(liveModel) }).nullable(),
  /** An adaptive run: its parameter, its rule, and each model; null for others. */
  adapt: z.object({ parameter: z.string(), until: z.string().nullable(), models: z.array(adaptedModel) }).nullable(),
  /** A run that stops when it knows; null for others. */
  until: until.nullable(),
  /** Models that nothing more was asked of when work on it ended last, and why; none while a process works on it. */
  stopped: z.array(z.object({ model: z.string(), message: z.string(), next: z.string() })),
  /** Does a process work on it now? */
  held: z.boolean(),
  /** Rows that are there, of all that will be, where they are being made; null: they are not. */
  making: z.object({ done: count, of: count }).nullable(),
  /** May that process be stopped from the page? */
  stoppable: z.boolean(),
  /** Changes after the ledger did: what is asked for then is of this revision or a later one. */
  revision: z.number(),
  /** Why cells are given up, the commonest first. */
  failures: z.array(z.object({ code: z.string(), cells: count, message: z.string() })),
})
export type RunSummary = z.infer<typeof runSummary>

export const datasetSummary = z.object({
  kind: z.literal('dataset'),
  id: z.string(),
  path: z.string(),
  task: z.string(),
  preset: z.string().nullable(),
  split: z.string(),
  count,
  root: z.string(),
})
export type DatasetSummary = z.infer<typeof datasetSummary>

/** A folder that could not be read, and why. */
const brokenFolder = z.object({ kind: z.literal('broken'), id: z.string(), path: z.string(), message: z.string() })

/** A process was told to stop. */
export const stopped = z.object({ schema: z.literal('touchstone/view-stopped/1'), pid: z.int() })

export const folders = z.object({
  schema: z.literal('touchstone/view-folders/1'),
  folders: z.array(z.discriminatedUnion('kind', [runSummary, datasetSummary, brokenFolder])),
})
export type Folders = z.infer<typeof folders>

export type FolderSummary = Folders['folders'][number]

/** One kind of failure, in words for the reader. */
export const viewError = z.object({
  schema: z.literal('touchstone/view-error/1'),
  message: z.string(),
  next: z.string(),
})
