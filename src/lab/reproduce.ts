import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type AnalysisResult, type PaperItem, type PrintedTable, UsageError } from '../core/index.ts'
import type { ReportFormat } from '../report/index.ts'
import type { Experiment } from '../runner/index.ts'
import { type Computed, writeComputed } from './computed.ts'
import type { Installed } from './installed.ts'
import { judgeRun } from './judge.ts'
import { type Shown, shownItem } from './papers.ts'
import { refuse } from './refuse.ts'
import {
  newRun,
  type ReportResult,
  type ResumeRequest,
  type RunRequest,
  type RunResult,
  reportRun,
  resumeRun,
} from './runs.ts'

/** Who is asked for an item of a paper, and how much of it. */
export interface ReproduceRequest extends Omit<RunRequest, 'experiment' | 'out' | 'durable'> {
  /** The run folder; left out: `runs/reproduce/` and the name of the experiment, which items share. */
  readonly out?: string
  /**
   * `provider:model`, instead of the embedded ones of the experiment and with their number of samples and settings; its readers
   * without reasoning stay beside.
   */
  readonly models?: readonly string[]
  /** Responses to each item by every model; left out: as many as the experiment takes, which is at times fewer than the paper. */
  readonly samples?: number
  readonly formats?: readonly ReportFormat[]
  /** Who judges chains of thought where the item needs a judge, `provider:model`; left out: the embedded ones of the item. */
  readonly judges?: readonly string[]
  /** Put what the paper prints for the item beside what was made. */
  readonly reference?: boolean
}

/** A table or figure of a paper, made anew. */
export interface Reproduction {
  readonly item: PaperItem
  /** What the paper prints; null where it prints no numbers. */
  readonly printed: PrintedTable | null
  /** The run behind it and its report, cut to the analyses of the item; null where nothing is run for it. */
  readonly made: { readonly run: RunResult; readonly report: ReportResult } | null
  /** The run in which judges were asked about its responses, and its report; null where no judge is needed, or the run is not done. */
  readonly judged: { readonly run: RunResult; readonly report: ReportResult } | null
  /** Where nobody is asked: what was computed, and the files it was written to. */
  readonly computed: (Computed & { readonly result: AnalysisResult }) | null
}

/**
 * Runs the experiment behind a table or figure of a paper, or goes on with it, and makes the analyses that show it; or
 * computes it, where no model is asked: `limit` then bounds the steps.
 *
 * @throws UsageError where no paper has that item, and where a folder that is there was asked otherwise.
 */
export async function reproduce(here: Installed, id: string, request: ReproduceRequest = {}): Promise<Reproduction> {
  const found = shownItem(here.families, id)
  const { item, printed } = found
  if (item.made.by === 'computation')
    return { item, printed, made: null, judged: null, computed: await compute(found, request) }
  if (item.made.by !== 'run') return { item, printed, made: null, judged: null, computed: null }
  const { experiment, analyses, judged } = item.made
  if (judged === undefined) refuse(request, ['judges'], `${id} needs no judge`)
  const {
    out = `runs/reproduce/${experiment}`,
    models,
    samples,
    limit,
    formats,
    prices,
    judges,
    reference = false,
    ...options
  } = request
  const run = existsSync(out)
    ? await goOn(here, out, { models, samples, limit }, options)
    : await newRun(here, {
        ...options,
        experiment: await experimentOf(experiment, models, samples),
        out,
        ...(limit === undefined ? {} : { limit }),
        ...(prices === undefined ? {} : { prices }),
      })
  const shown = {
    ...(formats === undefined ? {} : { formats }),
    ...(reference && printed !== null ? { reference: [id] } : {}),
  }
  const report = await reportRun(here, out, { ...shown, only: ['core/accuracy', ...analyses] })
  const made = { run, report }
  if (judged === undefined || run.status !== 'done') return { item, printed, made, judged: null, computed: null }
  const asked = await judge(here, out, judges ?? judged.judges, options)
  const judgement = await reportRun(here, asked.run, { ...shown, only: judged.analyses })
  return { item, printed, made, judged: { run: asked, report: judgement }, computed: null }
}

/** Responses of each model, length and class that judges are asked about. */
const JUDGED_PER_STRATUM = 4

/** Asks the judges in a folder of their own beside that of the run, or goes on with it. */
function judge(here: Installed, from: string, judges: readonly string[], options: ResumeRequest): Promise<RunResult> {
  const names = judges.map((judge) => judge.replaceAll(/[^\w.]+/gu, '-')).join('+')
  const out = `${from}-judged-by-${names}`
  if (existsSync(out)) return resumeRun(here, out, options)
  const experiment = { name: 'judged', seed: '1', models: judges.map((model) => ({ model })) }
  return judgeRun(here, from, { ...options, experiment, out, perStratum: JUDGED_PER_STRATUM })
}

async function compute({ paper, item: { id, made }, printed }: Shown, request: ReproduceRequest) {
  const { out, models, samples, judges, limit, formats, reference = false } = request
  if (made.by !== 'computation') return null
  if (judges !== undefined)
    throw new UsageError(`${id} is computed, and no judge is asked for it: leave \`judges\` out`)
  if (models !== undefined)
    throw new UsageError(`${id} is computed, and no model is asked for it: leave \`models\` out`)
  if (samples !== undefined) throw new UsageError(`${id} is computed, and nothing is sampled: leave \`samples\` out`)
  const computed = made.compute({ steps: limit ?? null })
  const { paperTable } = await import('../report/index.ts')
  const beside = reference && printed !== null ? paperTable(paper, printed, computed.tables) : null
  const result = beside === null ? computed : { ...computed, tables: [...computed.tables, beside] }
  return { result, ...(await writeComputed(result, out ?? `runs/reproduce/${id.replace('/', '-')}`, formats)) }
}

async function goOn(
  here: Installed,
  out: string,
  asked: { readonly [option: string]: unknown },
  options: ResumeRequest,
): Promise<RunResult> {
  const [named] = Object.entries(asked).find(([, value]) => value !== undefined) ?? []
  if (named !== undefined)
    throw new UsageError(
      `${out} is there already, with ${named} of its own: leave ${named} out, or name another folder`,
    )
  return resumeRun(here, out, options)
}

/** The experiment file of the package by its name. */
export const experimentPath = (name: string): string =>
  fileURLToPath(new URL(`../../experiments/${name}.yaml`, import.meta.url))

/** Baselines that were fitted to what stands near the terms asked about: what they reach tells nothing of reasoning. */
const LOCAL = 'baseline:local-'

async function experimentOf(name: string, models: readonly string[] | undefined, samples: number | undefined) {
  const { readExperiment } = await import('../runner/index.ts')
  const path = experimentPath(name)
  const written = readExperiment(await readFile(path, 'utf8'), path)
  const asked = models === undefined ? written.models : asExperimentAsks(written.models, models)
  return { ...written, models: samples === undefined ? asked : asked.map((model) => ({ ...model, samples })) }
}

/** These models as often and with the settings that the item is about (one sample shows no curve over samples), and its local readers. */
function asExperimentAsks(written: Experiment['models'], models: readonly string[]): Experiment['models'] {
  const { samples = 1, settings = [{}] } = written[0] ?? {}
  const unreasoned = written.filter(({ model }) => model.startsWith(LOCAL) && !models.includes(model))
  return [...models.map((model) => ({ model, samples, settings })), ...unreasoned]
}
