import { z } from 'zod'
import type { Settings } from '../../models/index.ts'
import {
  callback,
  count,
  formats,
  object,
  out,
  parser,
  shard,
  signal,
  store,
  text,
  texts,
  watched,
  where,
  yes,
} from './fields.ts'
import { allowed, batchIds, calls, newRun, runRequest } from './runs.ts'

export const responsesRequest = z.strictObject({
  item: text('ID', 'Responses to this item (id, start of an id, or index)'),
  where,
  model: text('MODEL', 'Responses of this model'),
  wrong: yes('Parsed but incorrect responses'),
  disagree: z
    .tuple([z.string(), z.string()])
    .readonly()
    .meta({ placeholder: 'MODEL', description: '(twice) Items where exactly one of two models is correct' })
    .optional(),
  parser,
  limit: count(5, 'Maximum number of responses (default: 1)'),
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

export const group = text('FIELD', 'For logs: sample field that names the group of dependent samples')

export const compareRequest = z.strictObject({
  group,
  models: texts('model', 'MODEL', 'Twice: A and B; once: this model in both runs'),
  styles: texts('style', 'NAME', 'Twice: A and B; once: this style in both runs'),
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

/** Older languages of word lists that do not say which they are. */
export const ancestor = texts(
  'ancestor',
  'NAME',
  'For word lists: ancestor language, or NAME=DESCENDANT,DESCENDANT; repeatable',
)

export const reproduceRequest = z.strictObject({
  ...newRun,
  shard,
  onReach: runRequest.shape.onReach,
  /** Default: `runs/reproduce/EXPERIMENT`, shared by the items of one experiment. */
  out: out('Run folder (default: runs/reproduce/EXPERIMENT)').optional(),
  /** `provider:model`, instead of the embedded models of the experiment; its local learners stay. */
  models: texts('model', 'MODEL', 'provider:model, instead of the embedded models; repeatable'),
  samples: count(1, 'Responses per item (default: as in the experiment file)'),
  /** Settings of every model, over those of the experiment file. */
  settings: object<Settings>().optional(),
  /** At most this many items of each source, or steps of a computation. */
  count: count(10, 'Items of each source, or steps of a computation'),
  formats,
  judges: texts('judge', 'MODEL', 'Judge of chains of thought; repeatable (default: an embedded one)'),
  folder: text('DIR', 'Published data that the item needs (word lists, for Tables 13 and 14 of PBEBench)'),
  ancestor,
  withPaper: yes("Print the paper's numbers beside yours"),
})
/** Models and size for a table or figure of a paper. */
export type ReproduceRequest = z.input<typeof reproduceRequest>

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
  reparse: yes('Parse stored response bodies again that could not be parsed'),
  judgements: texts('judgements', 'RUN', 'Own questions: judge run that grades them; repeatable'),
  labels: text('FILE', 'Own questions: CSV file of human labels, as the view writes it, to correct the judge'),
  onProgress: watched.onProgress,
})
/** How responses are scored again. */
export type ScoreRequest = z.input<typeof scoreRequest>

export const selectRequest = z.strictObject({ force: yes('Select even on test items or an unfinished run') })
/** Whether to select on a biased run. */
export type SelectRequest = z.input<typeof selectRequest>

export const contaminationRequest = z.strictObject({
  model: z.string().meta({ placeholder: 'MODEL', description: 'Model that may have seen the published items' }),
  references: z
    .array(z.string())
    .readonly()
    .meta({ flag: 'reference', placeholder: 'MODEL', description: 'Model released before publication; repeatable' })
    .refine((models) => models.length > 0, 'expected at least one model'),
  within: texts('within', 'COLUMN', 'Compare within values of this column, e.g. feature_length; repeatable'),
  parser,
  answerKey: text('FILE', 'Also count matches with the published answers: JSON lines {item, answer, right}'),
})
/** The model in question, its references, and what is compared within. */
export type ContaminationRequest = z.input<typeof contaminationRequest>
