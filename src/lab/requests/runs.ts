import { z } from 'zod'
import type { PriceTable, Provider } from '../../models/index.ts'
import type { ExecuteOptions, Experiment, Progress, SourceCoverage } from '../../runner/index.ts'
import { callback, count, object, out, positive, shard, signal, styles, templates, text, texts, yes } from './fields.ts'

export const openLabRequest = z.strictObject({
  plugins: texts('plugin', 'FILE|DIR|PACKAGE', 'Module with your own task, family or token counter; repeatable'),
  /** A dataset or run: its plugins are loaded where none are named. */
  folder: text('DIR', 'Dataset or run that may have been made with plugins'),
  /** Tasks that will be named: only their families are loaded. Default: all. */
  tasks: texts('task', 'TASK', 'Only these tasks'),
  /** Ways to reach models besides those of the package. */
  providers: z.array(object<Provider>()).readonly().optional(),
  /** Where keys and base URLs are looked up. Default: the environment of the process. */
  env: object<{ readonly [name: string]: string | undefined }>().optional(),
})
/** What a lab has besides the package: plugins, providers, environment. */
export type LabOptions = z.input<typeof openLabRequest>

export type Items = Experiment['items'][number]
type ModelEntry = Experiment['models'][number]
type Until = NonNullable<Experiment['until']>
type Adapt = NonNullable<Experiment['adapt']>

/** Items of an experiment: all but the task may be absent. */
export type ItemsInput = Pick<Items, 'task'> & Partial<Items>
/** A model of an experiment: all but `model` may be absent. */
export type ModelInput = Pick<ModelEntry, 'model'> & Partial<ModelEntry>
/** An experiment before defaults are filled in (docs/formats.md). */
export interface ExperimentInput {
  /** Default: `run`. */
  readonly name?: string
  /** Seed of items, order and subsamples. Default: 0. */
  readonly seed?: string | number
  readonly items: readonly ItemsInput[]
  /** `provider:model`, or an entry with options. */
  readonly models?: readonly (string | ModelInput)[]
  /** Prompt style and parser per model, instead of styles. */
  readonly selection?: Experiment['selection']
  readonly limits?: Partial<Experiment['limits']>
  /** Stopping rule, alone or with its error rate and interval. */
  readonly until?: string | (Pick<Until, 'rule'> & Partial<Until>) | undefined
  /** Parameter along which items are chosen adaptively, alone or with its range. */
  readonly adapt?: string | (Pick<Adapt, 'parameter'> & Partial<Adapt>) | undefined
}

/** How the calls of a run are collected. */
const collecting = {
  poll: positive('SECONDS', 30, 'Interval between batch status checks (default: 30)'),
  wait: yes('Submit batches and exit; collect them with resume', { negated: true }),
  cache: text('DIR', 'Response cache shared between runs; cached calls are not repeated'),
  offline: yes('Replay from --cache only; contact no provider'),
}
/** How a new run is executed. */
export const execution = {
  ...collecting,
  planOnly: yes('Write the plan, call no model'),
  canary: yes('Do not wait for one first call to each remote model', { negated: true }),
  fsync: yes('Flush every write to disk (survives power loss)'),
}
/** Calls that a run makes: how they are stopped, watched and limited. */
export const calls = {
  ...collecting,
  /** No further call is sent; those in flight end and are saved. */
  stop: signal,
  /** Calls in flight are aborted and repeated by the next resume. */
  abort: signal,
  onPlan: callback<NonNullable<ExecuteOptions['onPlan']>>(),
  onProgress: callback<(progress: Progress) => void>(),
  concurrency: count(8, 'Maximum simultaneous calls per provider', 10_000),
  maxUsd: positive('USD', 5, 'Stop before the run costs more'),
  /** Seconds for which a provider may not list a new batch. Default: 60. For tests. */
  settling: z.number().min(0).optional(),
}
export const newRun = {
  ...calls,
  ...execution,
  /** Prices of models whose entry has none. Default: those of the package. */
  prices: object<PriceTable>().optional(),
}
export const experiment = object<ExperimentInput>('expected an experiment: { items, models }')
/** Of each source, for experiments and imported runs. */
const countOfEach = count(100, 'Number of items, spread evenly over all groups (default: all of a finite preset)')

export const planRequest = z.strictObject({
  experiment,
  count: countOfEach,
  prices: newRun.prices,
  shard,
})
/** An experiment to estimate. */
export type PlanRequest = z.input<typeof planRequest>

export const runRequest = z.strictObject({
  ...newRun,
  experiment,
  out: out('Run folder (default: runs/latest)'),
  count: countOfEach,
  shard,
  /** Called before the first call: how many groups of each source are covered. */
  onReach: callback<(reach: readonly SourceCoverage[]) => void>(),
})
/** An experiment, its run folder, and how calls are made. */
export type RunRequest = z.input<typeof runRequest>

export const runImportedRequest = z.strictObject({
  ...newRun,
  /** Models and limits; the items are those of the imported run. */
  experiment: object<Omit<ExperimentInput, 'items' | 'selection'>>('expected an experiment: { models }'),
  out: out('Run folder'),
  count: countOfEach,
  styles,
  templates,
})
/** Models for the items of an imported run. */
export type RunImportedRequest = z.input<typeof runImportedRequest>

export const judgeRequest = runImportedRequest.omit({ count: true, styles: true, templates: true }).extend({
  /** null: all responses, the default for own questions. */
  perStratum: z
    .int()
    .min(1)
    .nullable()
    .meta({ placeholder: 'N', description: 'Responses per model, length and class (default: 2)', example: 2 })
    .optional(),
  judgedModels: texts('judged-model', 'MODEL', 'Judge only responses of this model; repeatable'),
  seed: text('TEXT', 'Seed of the sample (default: 1)'),
  rubric: text('FILE', 'Own questions: text that says when a response is correct'),
})
/** Judges, and which responses they label. */
export type JudgeRequest = z.input<typeof judgeRequest>

/** What runs from elsewhere may do on this machine; `settings.json` of the state folder has the same keys. */
export const allowed = {
  allowExec: texts('allow-exec', 'COMMAND', 'Program that a run from elsewhere may start; repeatable'),
  allowFile: texts('allow-file', 'FILE', 'File or folder that a run from elsewhere may read; repeatable'),
  allowHost: texts('allow-host', 'HOST', 'Server that a run from elsewhere may send questions to; repeatable'),
  allowEnv: texts('allow-env', 'VAR=HOST', 'Variable that a run from elsewhere may send to a server; repeatable'),
}
const trust = {
  ...allowed,
  /** Asks the user for what is not allowed. Default: it is refused. */
  confirm: callback<(question: string) => Promise<boolean>>(),
}
/** What runs from elsewhere may ask of this machine. */
export type TrustRequest = z.input<z.ZodObject<typeof trust>>

export const batchIds = texts('batch-id', 'KEY=ID|none', "Provider's id of a batch whose id was lost; repeatable")

export const resumeRequest = z.strictObject({
  ...calls,
  retryErrors: yes('Also repeat calls that ended in an error'),
  errorCodes: texts('error-code', 'CODE', 'Only errors of this code; repeatable'),
  cancelBatches: yes('Cancel open batches and collect their finished responses'),
  repair: yes('Rebuild a damaged ledger; calls no model'),
  acceptOlderLedger: yes('Continue although ledger.db is older than run.json'),
  batchIds,
  ...trust,
})
/** How to continue a run. */
export type ResumeRequest = z.input<typeof resumeRequest>
