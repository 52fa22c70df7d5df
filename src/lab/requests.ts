import { z } from 'zod'
import { parseWithSchema, solutionDetails, UsageError } from '../core/index.ts'
import type { GradeRequest } from '../extras/protocols/grade.ts'
import type { ReportFormat } from '../report/index.ts'
import type { AuditGridRequest } from './audit-grid.ts'
import type { CheckRequest } from './check.ts'
import type { CompareMeasureRequest, CompareRequest } from './compare.ts'
import type { ContaminationRequest } from './contamination.ts'
import type { AuditRequest, GenerateRequest, VerifyRequest } from './datasets.ts'
import type { ExamRequest, RevealRequest } from './exams.ts'
import type { ExportRequest, LinesRequest } from './exports.ts'
import type { ImportRequest } from './imports.ts'
import type { JudgeRequest } from './judge.ts'
import type { LabOptions } from './lab.ts'
import type { OverlapRequest } from './overlaps.ts'
import type { ReproduceRequest } from './reproduce.ts'
import type { ResponsesRequest } from './responses.ts'
import type { AskImportedRequest, ReportRequest, ResumeRequest, RunRequest } from './runs.ts'
import type { ScoreRequest } from './score.ts'
import type { SealRequest } from './seals.ts'
import type { SelectRequest } from './select.ts'
import type { ServeRequest } from './serve.ts'
import type { StoreRequest, WorkRequest } from './shared.ts'

/** What each function of a lab is asked, by its name. */
interface Requests {
  readonly openLab: LabOptions
  readonly generate: GenerateRequest
  readonly verify: VerifyRequest
  readonly audit: AuditRequest
  readonly auditGrid: AuditGridRequest
  readonly overlap: OverlapRequest
  readonly check: CheckRequest
  readonly plan: Pick<RunRequest, 'experiment' | 'limit' | 'prices' | 'shard'>
  readonly run: RunRequest
  readonly runImported: AskImportedRequest
  readonly judge: JudgeRequest
  readonly resume: ResumeRequest
  readonly push: StoreRequest
  readonly pull: StoreRequest
  readonly work: WorkRequest
  readonly storeStatus: Pick<WorkRequest, 'store' | 'run'>
  readonly seal: SealRequest
  readonly score: ScoreRequest
  readonly responses: ResponsesRequest
  readonly compare: CompareRequest
  readonly compareMeasure: CompareMeasureRequest
  readonly contamination: ContaminationRequest
  readonly select: SelectRequest
  readonly import: ImportRequest
  readonly export: ExportRequest
  readonly exportLines: LinesRequest
  readonly commit: ExamRequest
  readonly announce: ExamRequest
  readonly reveal: RevealRequest
  readonly prove: Pick<RevealRequest, 'secret'>
  readonly report: ReportRequest
  readonly reproduce: ReproduceRequest
  readonly grade: GradeRequest
  readonly serve: ServeRequest
}

/** Every key of a request, and no other, with what it may hold. */
type Shape<Request> = {
  readonly [Key in keyof Request]-?: object extends Pick<Request, Key> ? z.ZodOptional : z.ZodType
}

const text = z.string()
const name = z.string().min(1)
const texts = z.array(text)
const yes = z.boolean()
const count = z.int().min(1)
const wholeFrom0 = z.int().min(0)
const seed = z.union([text, z.int()])
const mapping = z.record(text, z.unknown())
const call = z.custom((value) => typeof value === 'function', 'expected a function')
const signal = z.custom(
  (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  'expected an AbortSignal, such as that of an AbortController',
)
/** Objects of any make. */
const object = z.custom((value) => typeof value === 'object' && value !== null, 'expected an object')
/** What has a reader of its own: that says where something in it is wrong. */
const experiment = z.custom(
  (value) => typeof value === 'object' && value !== null,
  'expected an experiment: { items, models }',
)
const part = z.strictObject({ index: wholeFrom0, of: count })
const FORMATS = ['html', 'md', 'json', 'csv', 'svg', 'png'] as const satisfies readonly ReportFormat[]
const formats = z.array(z.enum(FORMATS))

const watched = { onProgress: call.optional(), signal: signal.optional() }
const content = { task: name, preset: text.optional(), config: mapping.optional() }
const auditing = {
  style: text.optional(),
  minEffect: z.number().gt(0).lt(1).optional(),
  maxGain: z.number().gt(0).lt(1).optional(),
  alpha: z.number().gt(0).lt(1).optional(),
  crossFit: z.enum(['across', 'within', 'both']).optional(),
  ignoreDeclared: yes.optional(),
}
const asking = {
  stop: signal.optional(),
  abort: signal.optional(),
  onPlan: call.optional(),
  onProgress: call.optional(),
  concurrency: count.max(10_000).optional(),
  usd: z.number().gt(0).optional(),
  ask: yes.optional(),
  poll: z.number().gt(0).optional(),
  settling: z.number().min(0).optional(),
  wait: yes.optional(),
  cache: text.optional(),
  offline: yes.optional(),
}
const running = { ...asking, preflight: yes.optional(), limit: count.optional(), prices: object.optional() }
const sides = { models: texts.optional(), styles: texts.optional(), where: text.optional() }
const exam = {
  ...content,
  split: text.optional(),
  count,
  beacon: text.optional(),
  secret: text.optional(),
  out: name,
}
const store = { store: text.optional() }

const shapes: { readonly [Name in keyof Requests]: Shape<Requests[Name]> } = {
  openLab: {
    plugins: texts.optional(),
    folder: text.optional(),
    tasks: texts.optional(),
    providers: z.array(object).optional(),
    env: object.optional(),
  },
  generate: {
    ...content,
    ...watched,
    split: text.optional(),
    seed: seed.optional(),
    count: count.optional(),
    shard: part.optional(),
    out: name,
    format: z.enum(['parquet', 'jsonl']).optional(),
    prompts: z.union([text, z.literal(true)]).optional(),
    solutions: z.union([yes, z.enum(solutionDetails)]).optional(),
    witnesses: yes.optional(),
    threads: wholeFrom0.optional(),
  },
  verify: {
    ...watched,
    quick: yes.optional(),
    sample: count.optional(),
    oracles: yes.optional(),
    audit: yes.optional(),
    threads: wholeFrom0.optional(),
  },
  audit: { ...auditing, ...watched, onProfile: call.optional(), write: yes.optional() },
  auditGrid: {
    ...content,
    ...auditing,
    ...watched,
    knobs: z.record(text, z.array(z.unknown())),
    count: count.optional(),
    split: text.optional(),
    seed: seed.optional(),
  },
  overlap: {
    ...watched,
    other: text.optional(),
    write: yes.optional(),
    out: name.optional(),
    scratch: text.optional(),
  },
  check: { ...watched, presets: texts.optional() },
  plan: { experiment, limit: count.optional(), prices: object.optional(), shard: part.optional() },
  run: {
    ...running,
    experiment,
    out: name,
    shard: part.optional(),
    durable: yes.optional(),
    onReach: call.optional(),
  },
  runImported: { ...running, experiment, out: name, durable: yes.optional(), styles: texts.optional() },
  judge: {
    ...asking,
    preflight: yes.optional(),
    prices: object.optional(),
    experiment,
    out: name,
    durable: yes.optional(),
    perStratum: count.nullable().optional(),
    respondents: texts.optional(),
    seed: text.optional(),
  },
  resume: {
    ...asking,
    cancel: yes.optional(),
    lost: texts.optional(),
    restart: yes.optional(),
    retry: z.union([z.literal('all'), texts]).optional(),
  },
  push: store,
  pull: store,
  work: {
    ...store,
    stop: signal.optional(),
    abort: signal.optional(),
    onProgress: call.optional(),
    concurrency: asking.concurrency,
    poll: asking.poll,
    settling: asking.settling,
    wait: asking.wait,
    lost: texts.optional(),
    run: text.optional(),
    onRun: call.optional(),
  },
  storeStatus: { ...store, run: text.optional() },
  seal: { out: name.optional() },
  score: { rescue: yes.optional(), onProgress: call.optional() },
  responses: {
    item: text.optional(),
    where: text.optional(),
    model: text.optional(),
    wrong: yes.optional(),
    differ: z.tuple([text, text]).optional(),
    parser: text.optional(),
    limit: count.optional(),
  },
  compare: { ...sides, parser: text.optional(), margin: z.number().min(0).max(1).optional() },
  compareMeasure: { ...sides, measure: text },
  contamination: {
    model: text,
    before: z.array(text).min(1),
    strata: texts.optional(),
    parser: text.optional(),
    key: text.optional(),
  },
  select: { force: yes.optional() },
  import: { out: name, items: text.optional(), model: text.optional() },
  export: {
    preset: text.optional(),
    config: mapping.optional(),
    to: name,
    out: name,
    style: text.optional(),
    model: text.optional(),
    maxTokens: count.optional(),
    detail: z.enum(solutionDetails).optional(),
    perPerson: count.optional(),
    scripts: text.optional(),
    seed: text.optional(),
    format: z.literal('parquet').optional(),
  },
  exportLines: { to: z.enum(['prompts', 'rows']), style: text.optional() },
  commit: exam,
  announce: exam,
  reveal: { secret: text.optional(), proof: text.optional(), announced: text.optional() },
  prove: { secret: text.optional() },
  report: {
    parser: text.optional(),
    only: texts.optional(),
    where: text.optional(),
    reference: z.union([yes, texts]).optional(),
    out: name.optional(),
    formats: formats.optional(),
  },
  reproduce: {
    ...running,
    shard: part.optional(),
    onReach: call.optional(),
    out: name.optional(),
    models: texts.optional(),
    samples: count.optional(),
    formats: formats.optional(),
    judges: texts.optional(),
    reference: yes.optional(),
  },
  grade: { secret: text.optional(), rawSeeds: yes.optional(), parser: text.optional() },
  serve: {
    host: text.optional(),
    port: wholeFrom0.max(65_535).optional(),
    secret: text.optional(),
    key: text.optional(),
    tasks: texts.optional(),
    splits: texts.optional(),
    plainSeeds: yes.optional(),
    threads: wholeFrom0.optional(),
    timeout: z.number().gt(0).optional(),
    onError: call.optional(),
  },
}

/**
 * A request of a lab's function, as it came: whoever calls from JavaScript may have misspelt a key, or left one out.
 *
 * @throws UsageError that names the function, the key, what was expected and what came.
 */
export function requested<Name extends keyof Requests>(of: Name, request: Requests[Name]): Requests[Name] {
  const shape: z.ZodRawShape = shapes[of]
  if (typeof request !== 'object' || request === null)
    throw new UsageError(`${of} is asked with a mapping of ${Object.keys(shape).join(', ')}; came ${String(request)}`)
  parseWithSchema(z.strictObject(shape), request, () => `${of}: `)
  return request
}

/** A path, or a name, that a function of a lab is given. @throws UsageError */
export function textGiven(given: unknown, what = 'the path of a folder or file'): string {
  if (typeof given === 'string' && given !== '') return given
  throw new UsageError(`expected ${what}, came ${given === '' ? 'an empty text' : typeof given}`)
}

/** Parts that are joined. @throws UsageError */
export function foldersGiven(folders: readonly string[]): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(folders) ? folders : []
  if (first !== undefined) return [first, ...others]
  throw new UsageError('expected a list of folders, the parts of one dataset or run')
}

/** One run or two, that are compared. @throws UsageError */
export function runsGiven<Runs extends readonly string[]>(runs: Runs): Runs {
  if (Array.isArray(runs) && runs.length > 0 && runs.length < 3) return runs
  throw new UsageError('expected a list of one run or two: [run] or [run, other]')
}
