import { z } from 'zod'
import * as requests from '../lab/requests/index.ts'
import { count, text, texts, whole, yes } from '../lab/requests/index.ts'
import { metaOf } from './flags.ts'

/*
 * The flags of each command: keys of the request that it makes, and those that only the command line has. The keys of a request
 * keep their names, so that a command hands its flags to the lab. Schemas are made for the one command that runs.
 */

/** Flags of nearly every command; help lists them with `--help-all`. */
const json = { json: yes('Print one JSON document') }
const plugins = { plugins: requests.openLabRequest.shape.plugins }
const global = { ...json, ...plugins }

const configuration = {
  preset: requests.generateRequest.shape.preset,
  config: text('FILE', 'YAML or JSON file with the configuration'),
  set: texts('set', 'KEY=VALUE', 'Change a parameter; repeatable (VALUE: YAML, @FILE)'),
}
export type ConfigurationFlags = z.output<z.ZodObject<typeof configuration>>

const { split, style } = requests.generateRequest.shape
const seedText = requests.exportRequest.shape.seed
const dataset = { ...configuration, split, seed: seedText }

/** A value that is read from text; help is that of the key of the request. */
const read = <T>(like: z.ZodType, parse: (text: string) => T) =>
  z
    .string()
    .transform((input, context): T => {
      try {
        return parse(input)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .optional()
    .meta(metaOf(like))

/** `I/N` */
function parseShard(input: string): { readonly index: number; readonly of: number } {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(input)
  const [index, of] = match === null ? [0, 0] : [Number(match[1]), Number(match[2])]
  if (index >= of) throw new Error(`expected I/N, part I of N from 0 to N-1, got "${input}". Example: --shard 0/4`)
  return { index, of }
}
const shard = read(requests.generateRequest.shape.shard, parseShard)

/** The values of the flags of a command. */
export type FlagsOf<Make extends () => z.ZodType> = z.output<ReturnType<Make>>

// ---- Benchmarks

export const listFlags = () => z.strictObject({ all: yes('Also list presets of figures and sweeps'), ...global })

export const showFlags = () =>
  z.strictObject({
    ...dataset,
    index: whole(0, 0, 'Index of the item (default: 0)'),
    style,
    template: text('FILE', 'Prompt template instead of a style (docs/running.md)'),
    ...requests.responsesRequest.omit({ disagree: true }).shape,
    disagree: texts('disagree', 'MODEL', '(twice) Items where exactly one of two models is correct'),
    ...global,
  })

export const generateFlags = () =>
  z.strictObject({
    ...dataset,
    ...requests.generateRequest.pick({
      count: true,
      out: true,
      format: true,
      prompts: true,
      solutions: true,
      detail: true,
      style: true,
      witnesses: true,
      threads: true,
    }).shape,
    shard,
    ...global,
  })

export const verifyFlags = () =>
  z.strictObject({
    ...requests.verifyRequest.omit({ onProgress: true, signal: true }).shape,
    disjointFrom: requests.overlapRequest.shape.other,
    write: requests.overlapRequest.shape.write,
    out: text('FILE', 'With --disjoint-from: file to write (default: overlap.json in the dataset)'),
    ...global,
  })

export const auditFlags = () =>
  z.strictObject({
    ...requests.auditRequest.omit({ onProgress: true, onProfile: true, signal: true, fields: true, also: true }).shape,
    field: texts(
      'field',
      'NAME=COLUMN',
      'For a file: column of the question, answer, group or choices (default: guessed); repeatable',
    ),
    locality: text('FILE.svg', 'Print and draw the locality profile'),
    grid: texts(
      'grid',
      'KEY=A,B,C',
      'Audit a task (the argument) for each combination of parameter values; repeatable',
    ),
    count: requests.auditGridRequest.shape.count,
    ...dataset,
    ...global,
  })

// ---- Runs

/** Which models, and how they are called: `run` and `analyze judge`. */
const models = {
  models: texts('model', 'MODEL', 'provider:model, e.g. openai:NAME; repeatable'),
  samples: count(3, 'Responses per item (default: 1)'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .meta({ placeholder: 'T', description: "Sampling temperature (default: the provider's)", example: 0.7 })
    .optional(),
  maxTokens: count(1000, 'Maximum output tokens per call'),
  baseUrl: text('URL|env:VAR', 'Base URL of an OpenAI-compatible server'),
  apiKeyEnv: text('VAR', 'Variable that holds the API key'),
  setModel: texts('set-model', 'KEY=VALUE', 'Any setting, body.KEY or headers.NAME; repeatable'),
}
const limits = {
  price: text('FILE|IN,OUT', 'Prices: a price file, or USD per 1M input and output tokens'),
  concurrency: requests.runRequest.shape.concurrency,
  timeout: z
    .number()
    .gt(0)
    .meta({ placeholder: 'SECONDS', description: 'Time limit per call', example: 60 })
    .optional(),
  retries: whole(0, 8, 'Retries after a temporary failure', 100),
  maxUsd: requests.runRequest.shape.maxUsd,
}
const batch = yes('Use provider batch APIs (slower, half price)')
const modelRun = z.strictObject({ ...models, ...limits, batch, ...requests.execution })
export type ModelRunFlags = z.output<typeof modelRun>

export const runFlags = () =>
  z.strictObject({
    ...configuration,
    count: requests.runRequest.shape.count,
    seed: seedText,
    styles: requests.runImportedRequest.shape.styles,
    templates: requests.runImportedRequest.shape.templates,
    ...modelRun.shape,
    split,
    perStratum: count(2, 'Maximum items per stratum'),
    shard,
    selection: text('FILE', 'Prompt style and parser per model, from analyze select'),
    until: text('RULE', 'Stop early: "A>B" (two models), "width<0.05" (all models); with --adapt "x50 width<2"'),
    alpha: z
      .number()
      .gt(0)
      .lt(0.5)
      .meta({ placeholder: 'P', description: 'Error rate of the stopping rule (default: 0.05)', example: 0.05 })
      .optional(),
    checkEvery: count(25, 'Groups between interim analyses (default: 25; with --adapt: items per step, 5)', 1_000_000),
    adapt: text('PARAM[=FROM..TO[/STEP]]', "Choose items adaptively to locate each model's threshold"),
    maxItems: count(300, 'With --adapt: maximum items per model (default: 300)', 10_000),
    out: text('DIR', 'Run folder (default: runs/latest)'),
    dryRun: yes('Print items, calls, tokens and cost; call nothing'),
    ...global,
  })

const callKeys = { stop: true, abort: true, onPlan: true, onProgress: true, settling: true, confirm: true } as const
export const resumeFlags = () => z.strictObject({ ...requests.resumeRequest.omit(callKeys).shape, ...global })

export const reportFlags = () =>
  z.strictObject({
    ...requests.reportRequest.omit({ withPaper: true }).shape,
    withPaper: yes("Print the papers' numbers beside yours"),
    to: z
      .literal('text')
      .meta({ placeholder: 'text', description: 'Print the report as compact Markdown; write no files' })
      .optional(),
    verbose: yes('List skipped analyses'),
    ...global,
  })

export const compareFlags = () => z.strictObject({ ...requests.compareRequest.shape, ...global })

export const viewFlags = () =>
  z.strictObject({
    port: whole(0, 8080, 'Port on 127.0.0.1 (default: fixed per folder; 0: any)', 65_535),
    export: text('DIR', 'Write static pages instead'),
    allowStop: yes('Allow the page to stop runs'),
    ...global,
  })

export const reproduceFlags = () =>
  z.strictObject({
    ...requests.reproduceRequest.pick({
      models: true,
      judges: true,
      samples: true,
      count: true,
      out: true,
      folder: true,
      ancestor: true,
      withPaper: true,
    }).shape,
    setModel: models.setModel,
    ...json,
  })

// ---- Exchange

export const importFlags = () =>
  z.strictObject({
    ...requests.importRequest.shape,
    from: text('TOOL', 'Tool that wrote the response files'),
    ...global,
  })

export const exportFlags = () =>
  z.strictObject({
    to: requests.exportRequest.shape.to.optional(),
    ...configuration,
    ...requests.exportRequest.omit({ to: true, preset: true, config: true, out: true }).shape,
    out: requests.exportRequest.shape.out.optional(),
    ...plugins,
  })

/** The key itself never stands on a command line. */
const secretEnv = text('VAR', 'Variable with the token secret (default: TOUCHSTONE_SECRET)')
export const serveFlags = () =>
  z.strictObject({
    ...requests.serveRequest.omit({ secret: true, apiKey: true, timeout: true, onError: true }).shape,
    secretEnv,
    apiKeyEnv: text('VAR', 'Variable with the key that clients must send'),
    ...plugins,
  })

// ---- task, exam, cluster, analyze

export const taskInitFlags = () =>
  z.strictObject({
    out: text('DIR', 'Folder to write (default: the name of the task)'),
    ...json,
  })
export const taskCheckFlags = () => z.strictObject({ presets: requests.checkTaskRequest.shape.presets, ...global })

export const examFlags = () =>
  z.strictObject({
    ...configuration,
    ...requests.examRequest.omit({ task: true, preset: true, config: true }).shape,
    ...global,
  })
export const examRevealFlags = () => z.strictObject({ ...requests.revealRequest.shape, ...global })
export const examProveFlags = () =>
  z.strictObject({
    index: z.int().min(0).meta({ placeholder: 'N', description: 'Index of the item', example: 0 }),
    ...requests.proveRequest.shape,
    ...plugins,
  })
export const examSealFlags = () =>
  z.strictObject({
    out: text('FILE', 'File to write (default: seal.json in the run)'),
    signKey: requests.sealRequest.shape.signKey,
    ...global,
  })

export const clusterFlags = () => z.strictObject({ ...requests.storeRequest.shape, ...global })
export const clusterStatusFlags = () => z.strictObject({ ...requests.storeStatusRequest.shape, ...json })
export const clusterWorkerFlags = () =>
  z.strictObject({
    ...requests.workerRequest.omit({ stop: true, abort: true, onProgress: true, settling: true, onRun: true }).shape,
    ...global,
  })
export const clusterMergeFlags = () => z.strictObject({ out: requests.generateRequest.shape.out, ...global })

export const scoreFlags = () =>
  z.strictObject({
    ...requests.scoreRequest.omit({ onProgress: true }).shape,
    parser: text('NAME', 'Lines: parser that decides the reward (default: strict)'),
    secretEnv,
    rawSeeds: yes('Lines: the server that made the tokens used client seeds unchanged'),
    ...global,
  })
export const judgeFlags = () =>
  z.strictObject({
    ...modelRun.shape,
    ...requests.judgeRequest.pick({ judgedModels: true, rubric: true, seed: true, out: true }).shape,
    perStratum: count(2, 'Responses per model, length and class (default: 2; own questions: all)'),
    all: yes('Judge all responses'),
    ...global,
  })
export const agreementFlags = () =>
  z.strictObject({
    judge: text('RATER', 'Compare this rater with the majority of the others'),
    run: text('RUN', 'Judge run, whose models are also raters and whose items are the units'),
    ...json,
  })
export const selectFlags = () => z.strictObject({ ...requests.selectRequest.shape, ...global })
export const contaminationFlags = () => z.strictObject({ ...requests.contaminationRequest.shape, ...global })
