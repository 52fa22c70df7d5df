import { z } from 'zod'
import type { AnalysisResult } from '../core/analysis.ts'
import { type Defined, defined } from '../core/defined.ts'
import { UsageError } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { parseWithSchema } from '../core/schema-errors.ts'
import { solutionDetails } from '../core/solution.ts'
import type { PriceTable, Provider, Settings } from '../models/index.ts'
import type { ExecuteOptions, Experiment, Progress, SourceCoverage } from '../runner/index.ts'

/*
 * One schema for each request of the lab: its type, its validation, and the flags of the command line with their help
 * (`cli/flags.ts`) come from it. `meta` holds what only the command line needs: `flag`, where it is not the key in kebab case;
 * `placeholder`, what help shows for the value; `example`, a value that fits.
 */

interface FlagFacts {
  readonly flag?: string
  readonly example?: string | number
}

export const text = (placeholder: string, description: string, facts: FlagFacts = {}) =>
  z
    .string()
    .meta({ placeholder, description, ...facts })
    .optional()
export const texts = (flag: string, placeholder: string, description: string) =>
  z.array(z.string()).readonly().meta({ flag, placeholder, description }).optional()
/** A switch; where its description begins with the opposite (`negated`), it is on unless `--no-NAME` is given. */
export const yes = (description: string, facts: FlagFacts & { readonly negated?: true } = {}) =>
  z
    .boolean()
    .meta({ description, ...facts })
    .optional()
export const whole = (from: number, example: number, description: string, to = Number.MAX_SAFE_INTEGER) =>
  z.int().min(from).max(to).meta({ placeholder: 'N', description, example }).optional()
export const count = (example: number, description: string, to?: number) => whole(1, example, description, to)
/** A number above 0. */
const positive = (placeholder: string, example: number, description: string) =>
  z.number().gt(0).meta({ placeholder, description, example }).optional()
/** A share or probability, neither 0 nor 1. */
const fraction = (placeholder: string, example: number, description: string, below = 1) =>
  z.number().gt(0).lt(below).meta({ placeholder, description, example }).optional()

const callback = <F extends (...given: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'expected a function').optional()
const signal = z
  .custom<AbortSignal>(
    (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
    'expected an AbortSignal, such as that of an AbortController',
  )
  .optional()
/** Objects that are checked where they are used. */
const object = <T extends object>(expected = 'expected an object') =>
  z.custom<T>((value) => typeof value === 'object' && value !== null, expected)

// ---- What several requests share

const out = (description = 'Folder to write') => z.string().min(1).meta({ placeholder: 'DIR', description })
const config = z.custom<JsonObject>((value) => isObject(value as JsonObject), 'expected a mapping').optional()
const content = {
  task: z.string().min(1),
  preset: text('NAME', 'Named configuration (touchstone list TASK)'),
  /** Keys of the configuration; the others have the values of the preset, else the defaults. */
  config,
}
const split = text('NAME', 'train, validation, test, or any other name (default: test)')
const seed = z
  .union([z.string(), z.int()])
  .meta({ placeholder: 'TEXT', description: 'Seed of the items: any text or integer (default: 1)' })
  .optional()
const style = text('NAME', 'Prompt style (touchstone list TASK)')
const styles = texts('style', 'NAME', 'Prompt style; repeatable (default: first of the task)')
const templates = texts('template', 'FILE', 'Prompt template, asked as one more style; repeatable (docs/running.md)')
const parser = text('NAME', 'Parser that decides correctness (default: strict)')
const where = text('SQL', 'SQL condition on the columns of export RUN --to csv, in SQLite’s SQL')
const threads = whole(0, 2, 'Worker threads; 0 = one per core (default: 1)', 1024)
const shard = z
  .strictObject({ index: z.int().min(0), of: z.int().min(1) })
  .meta({ placeholder: 'I/N', description: 'Only part I of N (0-based); join with cluster merge' })
  .optional()
const detail = z
  .enum(solutionDetails)
  .meta({ placeholder: solutionDetails.join('|'), description: 'Detail of worked solutions (default: full)' })
  .optional()
const formats = z
  .array(z.enum(['html', 'md', 'json', 'csv', 'svg', 'png']))
  .readonly()
  .meta({ flag: 'format', placeholder: 'F', description: 'Only this format; repeatable (default: all but png)' })
  .optional()
/** Progress of work that can be stopped: items done of how many; an aborted call throws an `AbortError`. */
const watched = { onProgress: callback<(done: number, total: number) => void>(), signal }
const store = { store: text('URL', 'postgres://user:password@host/database (default: TOUCHSTONE_STORE_URL)') }

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

// ---- Datasets

export const generateRequest = z.strictObject({
  ...content,
  ...watched,
  split,
  seed,
  count: count(100, 'First N indices, group by group (default: all of a finite preset)'),
  shard,
  out: out(),
  format: z
    .enum(['parquet', 'jsonl'])
    .meta({ placeholder: 'parquet|jsonl', description: 'File format (default: parquet)' })
    .optional(),
  prompts: yes('Also write prompts'),
  solutions: yes('Also write prompts with worked solutions'),
  detail,
  style,
  witnesses: yes('Store no proofs', { negated: true }),
  threads,
})
/** What to generate, how much of it, and where to. */
export type GenerateRequest = z.input<typeof generateRequest>

export const verifyRequest = z.strictObject({
  ...watched,
  hashOnly: yes('Check files and root, regenerate nothing'),
  sample: count(1000, 'Regenerate N random items'),
  oracles: yes('Also check every answer and proof'),
  audit: yes('Also repeat the audit'),
  threads,
  signer: text('FILE|SHA256:...', 'Of a seal: require this signer, a public key of ssh or its fingerprint'),
})
/** How much of a dataset to regenerate. */
export type VerifyRequest = z.input<typeof verifyRequest>

export const overlapRequest = z.strictObject({
  ...watched,
  other: text('DATASET', 'Only check that no content is shared (up to renaming)', { flag: 'disjoint-from' }),
  write: yes('Do not write overlap.json', { negated: true }),
  /** Default: `overlap.json` in the folder. */
  out: out('File to write (default: overlap.json in the dataset)').optional(),
  /** Folder for sorted runs. Default: that of the system for temporary files. */
})
/** The other dataset of an overlap check, and where the result is written. */
export type OverlapRequest = z.input<typeof overlapRequest>

const auditing = {
  style,
  minEffect: fraction(
    'GAIN',
    0.02,
    'Minimum detectable gain required to pass (default: 0.02); if given, inconclusive exits with 1',
  ),
  alpha: fraction('P', 0.01, 'False-alarm rate (default: 0.01)'),
  ignoreDeclared: yes('Treat declared shortcuts as undeclared (control: must fail)'),
}
export const auditRequest = z.strictObject({
  ...auditing,
  ...watched,
  /** Receives the locality profile, which is computed only then. */
  onProfile: callback<(profile: AnalysisResult) => void>(),
  /** Columns of questions, answers, groups and choices in a file of other data; what is not named is guessed. */
  fields: z.custom<{ readonly [field: string]: string }>((value) => isObject(value as JsonObject)).optional(),
  /** Further files of other data, which are audited as one set with the first. */
  also: z.array(z.string()).readonly().optional(),
  /** Default: true, except with `ignoreDeclared`. */
  write: yes('Do not write audit.json', { negated: true }),
})
/** How to audit a dataset. */
export type AuditRequest = z.input<typeof auditRequest>

export const auditGridRequest = z.strictObject({
  ...content,
  ...auditing,
  ...watched,
  /** Parameters (`a.b` sets a nested key) with the values to try: every combination is audited. */
  grid: z.custom<{ readonly [parameter: string]: readonly JsonObject[string][] }>(
    (value) => isObject(value as JsonObject) && Object.values(value as object).every(Array.isArray),
    'expected a mapping of parameters to lists of values',
  ),
  count: count(5000, 'With --grid: items per set (default: 5000)'),
  split,
  seed,
})
/** A task and the parameter values to audit it with. */
export type AuditGridRequest = z.input<typeof auditGridRequest>

export const checkTaskRequest = z.strictObject({ ...watched, presets: texts('preset', 'NAME', 'Only these presets') })
/** The presets that contract tests run on. */
export type CheckTaskRequest = z.input<typeof checkTaskRequest>

// ---- Runs

type Items = Experiment['items'][number]
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
  canary: yes('Skip the single first call per remote model', { negated: true }),
  fsync: yes('Flush every write to disk (survives power loss)'),
}
/** Calls that a run makes: how they are stopped, watched and limited. */
const calls = {
  ...collecting,
  /** No further call is sent; those in flight end and are saved. */
  stop: signal,
  /** Calls in flight are aborted and repeated by the next resume. */
  abort: signal,
  onPlan: callback<NonNullable<ExecuteOptions['onPlan']>>(),
  onProgress: callback<(progress: Progress) => void>(),
  concurrency: count(8, 'Most simultaneous calls per provider', 10_000),
  maxUsd: positive('USD', 5, 'Stop before the run costs more'),
  /** Seconds for which a provider may not list a new batch. Default: 60. For tests. */
  settling: z.number().min(0).optional(),
}
const newRun = {
  ...calls,
  ...execution,
  /** Prices of models whose entry has none. Default: those of the package. */
  prices: object<PriceTable>().optional(),
}
const experiment = object<ExperimentInput>('expected an experiment: { items, models }')
/** Of each source, for experiments and imported runs. */
const countOfEach = count(100, 'Items, evenly from all groups (default: all of a finite preset)')

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
  judgedModels: texts('judged-model', 'MODEL', 'Only its responses; repeatable'),
  seed: text('TEXT', 'Seed of the sample (default: 1)'),
  rubric: text('FILE', 'Own questions: text that says when a response is correct'),
})
/** Judges, and which responses they label. */
export type JudgeRequest = z.input<typeof judgeRequest>

/** What runs from elsewhere may do on this machine; `settings.json` of the state folder has the same keys. */
export const allowed = {
  allowExec: texts('allow-exec', 'COMMAND', 'Program that a run from elsewhere may start; repeatable'),
  allowFile: texts('allow-file', 'FILE', 'File or folder that it may read; repeatable'),
  allowHost: texts('allow-host', 'HOST', 'Server that it may send its questions to; repeatable'),
  allowEnv: texts('allow-env', 'VAR=HOST', 'Variable that it may send to a server; repeatable'),
}
const trust = {
  ...allowed,
  /** Asks the user for what is not allowed. Default: it is refused. */
  confirm: callback<(question: string) => Promise<boolean>>(),
}
/** What runs from elsewhere may ask of this machine. */
export type TrustRequest = z.input<z.ZodObject<typeof trust>>

const batchIds = texts('batch-id', 'KEY=ID|none', "Provider's id of a batch whose id was lost; repeatable")

export const resumeRequest = z.strictObject({
  ...calls,
  retryErrors: yes('Also repeat calls that ended in an error'),
  errorCodes: texts('error-code', 'CODE', 'Only errors of this code; repeatable'),
  cancelBatches: yes('Cancel open batches and collect finished lines'),
  repair: yes('Rebuild a damaged ledger; calls no model'),
  acceptOlderLedger: yes('Continue although ledger.db is older than run.json'),
  batchIds,
  ...trust,
})
/** How to continue a run. */
export type ResumeRequest = z.input<typeof resumeRequest>

export const responsesRequest = z.strictObject({
  item: text('ID', 'Responses to this item: id, start of an id, or index'),
  where,
  model: text('MODEL', 'Responses of this model'),
  wrong: yes('Parsed but incorrect responses'),
  disagree: z
    .tuple([z.string(), z.string()])
    .readonly()
    .meta({ placeholder: 'MODEL', description: '(twice) Items where exactly one of two models is correct' })
    .optional(),
  parser,
  limit: count(5, 'Most responses (default: 1)'),
})
/** Which responses of a run to return. */
export type ResponsesRequest = z.input<typeof responsesRequest>

export const reportRequest = z.strictObject({
  parser: text('NAME', 'Parser that decides correctness (default: the selected one, else strict)'),
  analyses: texts('analysis', 'ID', 'Only analyses whose id starts with ID; repeatable'),
  where,
  /** True: all tables of papers that belong to its tasks; a list: the tables with these ids. */
  withPaper: z
    .union([z.boolean(), z.array(z.string()).readonly()])
    .meta({ description: "Print the papers' numbers beside yours" })
    .optional(),
  out: out('Folder to write (default: report/ in the run)').optional(),
  /** An empty list writes nothing. */
  formats,
})
/** What to report, and in which formats. */
export type ReportRequest = z.input<typeof reportRequest>

const group = text('FIELD', 'Of logs: field of the samples that says which are not independent')

export const compareRequest = z.strictObject({
  group,
  models: texts('model', 'MODEL', 'Twice: A and B; once: the same in both runs'),
  styles: texts('style', 'NAME', 'Twice: A and B; once: the same in both runs'),
  where,
  parser,
  metric: text('NAME', 'Compare a loglikelihood metric, e.g. natsPerTerminal'),
  margin: z
    .number()
    .min(0)
    .max(1)
    .meta({ placeholder: 'D', description: 'Exit 0 only if B is at most D worse than A', example: 0.02 })
    .optional(),
  unadjusted: yes('Do not adjust for the other pairs of the run'),
})
/** The sides of a comparison, and what decides it. */
export type CompareRequest = z.input<typeof compareRequest>

export const reproduceRequest = z.strictObject({
  ...newRun,
  shard,
  onReach: runRequest.shape.onReach,
  /** Default: `runs/reproduce/EXPERIMENT`, shared by the items of one experiment. */
  out: out('Run folder (default: runs/reproduce/EXPERIMENT)').optional(),
  /** `provider:model`, instead of the embedded models of the experiment; its local learners stay. */
  models: texts('model', 'MODEL', 'provider:model, instead of embedded ones; repeatable'),
  samples: count(1, 'Responses per item (default: as in the experiment file)'),
  /** Settings of every model, over those of the experiment file. */
  settings: object<Settings>().optional(),
  /** At most this many items of each source, or steps of a computation. */
  count: count(10, 'Items of each source, or steps of a computation'),
  formats,
  judges: texts('judge', 'MODEL', 'Judge of chains of thought; repeatable (default: an embedded one)'),
  folder: text('DIR', 'Published data that the item also uses: word lists for Tables 13 and 14 of PBEBench'),
  withPaper: yes("Print the paper's numbers beside yours"),
})
/** Models and size for a table or figure of a paper. */
export type ReproduceRequest = z.input<typeof reproduceRequest>

// ---- Exchange and training

export const importRequest = z.strictObject({
  out: out('Run folder'),
  items: text('DATASET', 'Dataset that the responses answer'),
  model: text('NAME', 'Model, if the file does not name it'),
  group,
  ancestor: texts('ancestor', 'NAME', 'Of word lists: the older language, or NAME=YOUNGER,YOUNGER; repeatable'),
})
/** The run folder of an import, and what its files do not say. */
export type ImportRequest = z.input<typeof importRequest>

export const exportRequest = z.strictObject({
  preset: content.preset,
  config,
  to: z.string().min(1).meta({
    placeholder: 'FORM',
    description:
      'prompts (default), csv or parquet (responses of a run, one a row), rows, a tool (docs/exchange.md), or a file type of the task',
  }),
  out: out('File or folder to write (default for lines: standard output)'),
  style,
  model: text('NAME', 'Model named in exported requests (default: MODEL)'),
  maxTokens: count(1000, 'Most output tokens in exported requests (default: 16384)'),
  detail,
  itemsPerPerson: count(20, 'jsPsych: most questions per person (default: all)'),
  jspsychDir: text('DIR', 'Local jsPsych scripts (default: from the network)'),
  seed: text('TEXT', 'Seed of the items (default: 1)'),
})
/** The format of an export, and where it is written. */
export type ExportRequest = z.input<typeof exportRequest>

export const exportLinesRequest = z.strictObject({ to: z.enum(['prompts', 'rows']), style })
/** Which lines to export: prompts or rows. */
export type ExportLinesRequest = z.input<typeof exportLinesRequest>

const rawSeeds = yes('Use client seeds unchanged; clients can then compute the answers')

export const gradeRequest = z.strictObject({
  /** Secret of the server that made the tokens. */
  secret: z.string().optional(),
  rawSeeds,
  parser,
})
/** How JSON lines of responses are scored. */
export type GradeRequest = z.input<typeof gradeRequest>

export const serveRequest = z.strictObject({
  host: text('H', 'Address to listen on (default: 127.0.0.1)'),
  port: whole(0, 8000, '0 = any (default: 8000)', 65_535),
  open: yes('Let anybody who reaches the address use the server without a key'),
  /** Makes tokens and seeds, at least 16 bytes. Default: random, so that tokens end with the process. */
  secret: z.string().optional(),
  /** Clients send it as `authorization: Bearer`. Default: none needed. */
  apiKey: z.string().optional(),
  tasks: texts('task', 'TASK', 'Only this task; repeatable'),
  splits: texts('split', 'NAME', 'Served split; repeatable (default: train)'),
  rawSeeds,
  threads: whole(0, 2, 'Worker threads; 0 = one per core (default: 0)', 1024),
  /** Longest time for a batch of items or scores, ms. */
  timeout: z.number().gt(0).optional(),
  /** Receives internal errors of the server. */
  onError: callback<(error: unknown) => void>(),
})
/** Where a server of items and scores listens, and what it serves. */
export type ServeRequest = z.input<typeof serveRequest>

// ---- Exams

export const examRequest = z.strictObject({
  ...content,
  split: text('NAME', 'Name of the exam split, e.g. exam-2027 (default: exam)'),
  count: z.int().min(1).meta({ placeholder: 'N', description: 'Indices 0..N-1', example: 100 }),
  beacon: text('drand:ROUND:VALUE', 'Public randomness mixed into the seed'),
  secret: text('FILE', 'Reuse a secret (default: a new one)'),
  out: out(),
})
/** The items of an exam, its secret and its beacon. */
export type ExamRequest = z.input<typeof examRequest>

export const revealRequest = z.strictObject({
  secret: text('FILE', 'secret.json (default: beside the commitment)'),
  proof: text('FILE', 'Check one item without the secret'),
  announcement: text('FILE', 'Also check the announcement'),
})
/** The secret of an exam, or a proof to check. */
export type RevealRequest = z.input<typeof revealRequest>
export const proveRequest = revealRequest.pick({ secret: true })
/** The secret of an exam. */
export type ProveRequest = z.input<typeof proveRequest>

export const sealRequest = z.strictObject({
  out: out('File to write (default: seal.json in the run)').optional(),
  signKey: text('FILE', 'Sign with this Ed25519 private key (PEM)'),
})
/** Where a seal is written, and who signs it. */
export type SealRequest = z.input<typeof sealRequest>

// ---- Cluster

export const storeRequest = z.strictObject(store)
/** The PostgreSQL store. */
export type StoreRequest = z.input<typeof storeRequest>

export const storeStatusRequest = z.strictObject({ ...store, run: text('ID', 'Only this run: id, or start of an id') })
/** The PostgreSQL store, and one of its runs. */
export type StoreStatusRequest = z.input<typeof storeStatusRequest>

export const workerRequest = z.strictObject({
  ...storeStatusRequest.shape,
  stop: signal,
  abort: signal,
  onProgress: calls.onProgress,
  concurrency: calls.concurrency,
  poll: calls.poll,
  settling: calls.settling,
  wait: calls.wait,
  batchIds,
  ...allowed,
  /** Called before the worker begins with a run; `asks`: what the run would do on this machine. */
  onRun: callback<(run: string, asks: readonly string[]) => void>(),
})
/** Which runs of a store a worker processes, and how. */
export type WorkerRequest = z.input<typeof workerRequest>

// ---- Analyses of runs

export const scoreRequest = z.strictObject({
  reparse: yes('Also parse stored bodies that could not be parsed'),
  judgements: texts('judgements', 'RUN', 'Own questions: run of judges that grades them; repeatable'),
  labels: text('FILE', 'Own questions: CSV file of people’s labels, as the view writes them, that corrects judges'),
  onProgress: watched.onProgress,
})
/** How responses are scored again. */
export type ScoreRequest = z.input<typeof scoreRequest>

export const selectRequest = z.strictObject({ force: yes('Also on test items or an unfinished run') })
/** Whether to select on a biased run. */
export type SelectRequest = z.input<typeof selectRequest>

export const contaminationRequest = z.strictObject({
  model: z.string().meta({ placeholder: 'MODEL', description: 'Model that may have seen the published items' }),
  references: z
    .array(z.string())
    .readonly()
    .meta({ flag: 'reference', placeholder: 'MODEL', description: 'Model released before publication; repeatable' })
    .refine((models) => models.length > 0, 'expected at least one model'),
  within: texts('within', 'COLUMN', 'Compare within strata, e.g. feature_length; repeatable'),
  parser,
  answerKey: text('FILE', 'Also count matches with the published answers: JSON lines {item, answer, right}'),
})
/** The model in question, its references, and what is compared within. */
export type ContaminationRequest = z.input<typeof contaminationRequest>

/** A validated request: undefined keys are absent. */
export type Valid<S extends z.ZodType> = Defined<z.output<S>>

/**
 * A request as its schema reads it, without undefined keys.
 *
 * @param name - the function of the lab, for messages.
 * @throws UsageError that names the function, the key, what was expected and what came.
 */
export function validateRequest<S extends z.ZodObject>(schema: S, given: unknown, name: string): Valid<S> {
  const request = given === undefined ? {} : given
  if (typeof request !== 'object' || request === null)
    throw new UsageError(
      `${name} takes an object with the keys ${Object.keys(schema.shape).join(', ')}; got ${String(request)}`,
    )
  return defined(parseWithSchema(schema, request, () => `${name}: `) as object) as Valid<S>
}

/** A path or a name. @throws UsageError */
export function requireText(given: unknown, what = 'the path of a folder or file'): string {
  if (typeof given === 'string' && given !== '') return given
  throw new UsageError(`expected ${what}, got ${given === '' ? 'an empty text' : typeof given}`)
}

/** Shards of one dataset or run. @throws UsageError */
export function requireFolders(folders: readonly string[]): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(folders) ? folders : []
  if (first !== undefined) return [first, ...others]
  throw new UsageError('expected a list of folders: the shards of one dataset or run')
}

/** One run, or two to compare. @throws UsageError */
export function requireRuns<Runs extends readonly string[]>(runs: Runs): Runs {
  if (Array.isArray(runs) && runs.length > 0 && runs.length < 3) return runs
  throw new UsageError('expected a list of one run or two: [run] or [run, other]')
}

/** Options that are lists: their flags are typed once for each value. */
const LISTS: readonly string[] = ['models', 'styles', 'templates', 'judges', 'judgedModels', 'errorCodes', 'batchIds']

/** The flag of an option. */
const flagName = (option: string): string =>
  option === 'settings'
    ? '--set-model'
    : `--${(LISTS.includes(option) ? option.slice(0, -1) : option).replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`

/** Options that have no effect here are mistakes. @throws UsageError where one of them is given. */
export function rejectOptions<Request extends object>(
  request: Request,
  names: readonly (keyof Request & string)[],
  why: string,
): void {
  const given = names.filter((name) => request[name] !== undefined && request[name] !== false)
  if (given.length > 0) throw new UsageError(`${given.map(flagName).join(', ')}: ${why}`)
}
