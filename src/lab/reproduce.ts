import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined } from '../core/defined.ts'
import {
  type AnalysisResult,
  type Family,
  hint,
  type Paper,
  type PaperItem,
  type PaperSource,
  type PrintedTable,
  UsageError,
} from '../core/index.ts'
import { csvTable, figureSvg, paperTable, type ReportFormat } from '../report/index.ts'
import { type Experiment, readExperiment } from '../runner/index.ts'
import { folderTree, makeFolder, writeFileAtomic } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { judgeRun } from './judge.ts'
import { rejectOptions, type reproduceRequest, type resumeRequest, type Valid } from './requests/index.ts'
import { newRun, type ReportResult, type RunResult, reportRun, resumeRun } from './runs.ts'

type Request = Valid<typeof reproduceRequest>

/** A reproduced table or figure of a paper. */
export interface Reproduction {
  readonly item: PaperItem
  /** The numbers printed in the paper; null: none. */
  readonly printed: PrintedTable | null
  /** The run behind it and its report with the analyses of the item; null: it needs no run. */
  readonly made: { readonly run: RunResult; readonly report: ReportResult } | null
  /** The run of judges and its report; null: no judge is needed, or the run is not complete. */
  readonly judged: { readonly run: RunResult; readonly report: ReportResult } | null
  /** The result of a computation without models, and the files it was written to. */
  readonly computed: (WrittenFiles & { readonly result: AnalysisResult }) | null
}

/** An item of a paper with the numbers printed for it. */
export interface PaperEntry {
  readonly paper: Paper
  readonly item: PaperItem
  readonly printed: PrintedTable | null
}

/** An item of a paper by its id. @throws UsageError that names the nearest. */
export function paperEntry(families: readonly Family[], id: string): PaperEntry {
  const entries = families.flatMap(({ paper }) =>
    paper === undefined ? [] : paper.items.map((item) => ({ paper, item })),
  )
  const found = entries.find(({ item }) => item.id === id.toLowerCase())
  if (found === undefined) {
    const ids = entries.map(({ item }) => item.id)
    throw new UsageError(`no paper has the item "${id}"${hint(id, ids)}. List them: touchstone reproduce`)
  }
  return { ...found, printed: found.paper.printed.find((table) => table.id === found.item.id) ?? null }
}

/**
 * Runs or resumes the experiment behind a table or figure of a paper and computes its analyses; or computes it without a
 * model: `count` then bounds the steps.
 *
 * @throws UsageError for an unknown item, and where options differ from those of an existing run folder.
 */
export async function reproduce(here: Environment, id: string, request: Request): Promise<Reproduction> {
  const found = paperEntry(here.families, id)
  const { item, printed } = found
  const none = { item, printed, made: null, judged: null, computed: null }
  if (item.made.by === 'computation') return { ...none, computed: await compute(found, request) }
  if (item.made.by !== 'run') return none
  const { experiment, analyses, judged, sourceFrom } = item.made
  if (sourceFrom === undefined) rejectOptions(request, ['folder', 'ancestor'], `${id} uses no published data`)
  if (judged === undefined) rejectOptions(request, ['judges'], `${id} needs no judge`)
  if (request.folder === undefined) rejectOptions(request, ['ancestor'], 'only for word lists of --folder')
  const {
    folder,
    ancestor,
    // Folders of CLDF lists are all called "cldf".
    out = `runs/reproduce/${experiment}${folder === undefined ? '' : `-with-${resolve(folder).split(sep).slice(-2).join('-')}`}`,
    models,
    samples,
    settings,
    count,
    formats,
    prices,
    judges,
    withPaper = false,
    ...options
  } = request
  const sources =
    folder === undefined || sourceFrom === undefined ? [] : [await sourceFrom(folderTree(folder), ancestor)]
  const run = existsSync(out)
    ? await resume(here, out, { models, samples, settings, count }, options)
    : await newRun(here, {
        ...options,
        ...defined({ count, prices }),
        experiment: await experimentOf(experiment, models, defined({ samples, settings }), sources),
        out,
      })
  const shown = defined({ formats, withPaper: withPaper && printed !== null ? [id] : undefined })
  const report = await reportRun(here, out, { ...shown, analyses: ['core/accuracy', ...analyses] })
  const made = { run, report }
  if (judged === undefined || run.status !== 'completed') return { ...none, made }
  const judging = await judge(here, out, judges ?? judged.judges, options)
  const judgement = await reportRun(here, judging.run, { ...shown, analyses: judged.analyses })
  return { ...none, made, judged: { run: judging, report: judgement } }
}

/** Responses of each model, length and class that judges label. */
const JUDGED_PER_STRATUM = 4

type Options = Valid<typeof resumeRequest>

/** Runs the judges in a folder beside that of the run, or resumes it. */
function judge(here: Environment, from: string, judges: readonly string[], options: Options): Promise<RunResult> {
  const names = judges.map((name) => name.replaceAll(/[^\w.]+/gu, '-')).join('+')
  const out = `${from}-judged-by-${names}`
  if (existsSync(out)) return resumeRun(here, out, options)
  const experiment = { name: 'judged', seed: '1', models: judges.map((model) => ({ model })) }
  return judgeRun(here, from, { ...options, experiment, out, perStratum: JUDGED_PER_STRATUM })
}

/** Where something computed was written. */
interface WrittenFiles {
  readonly out: string
  /** Paths below `out`: tables as CSV, figures as SVG. */
  readonly files: readonly string[]
}

async function compute({ paper, item: { id, made }, printed }: PaperEntry, request: Request) {
  const { out, count, formats, withPaper = false } = request
  if (made.by !== 'computation') return null
  rejectOptions(request, ['judges', 'models', 'samples', 'settings'], `${id} is computed without a model`)
  const computed = made.compute({ steps: count ?? null })
  const beside = withPaper && printed !== null ? paperTable(paper, printed, computed.tables) : null
  const result = beside === null ? computed : { ...computed, tables: [...computed.tables, beside] }
  return { result, ...(await writeComputed(result, out ?? `runs/reproduce/${id.replace('/', '-')}`, formats)) }
}

/** Writes tables and figures that no run is behind. */
async function writeComputed(
  { tables, figures = [] }: AnalysisResult,
  out: string,
  formats: readonly ReportFormat[] = ['csv', 'svg'],
): Promise<WrittenFiles> {
  const name = (id: string): string => id.replaceAll('/', '-')
  const files: [path: string, text: string][] = []
  if (formats.includes('csv')) for (const table of tables) files.push([`${name(table.id)}.csv`, csvTable(table)])
  if (formats.includes('svg'))
    for (const figure of figures) files.push([`${name(figure.id)}.svg`, await figureSvg(figure, tables)])
  if (files.length > 0) await makeFolder(out)
  for (const [path, text] of files) await writeFileAtomic(join(out, path), text)
  return { out, files: files.map(([path]) => path) }
}

async function resume(
  here: Environment,
  out: string,
  fixed: { readonly [option in 'models' | 'samples' | 'settings' | 'count']: unknown },
  options: Options,
): Promise<RunResult> {
  rejectOptions(
    fixed,
    ['models', 'samples', 'settings', 'count'],
    `${out} exists already with its own. Leave them out to use that run, or choose another --out`,
  )
  return resumeRun(here, out, options)
}

/** The experiment file of the package by its name. */
export const experimentPath = (name: string): string =>
  fileURLToPath(new URL(`../../experiments/${name}.yaml`, import.meta.url))

/** Local learners: their accuracy says what needs no reasoning. */
const LOCAL = 'baseline:local-'

async function experimentOf(
  name: string,
  models: readonly string[] | undefined,
  { samples, settings }: Pick<Request, 'samples' | 'settings'>,
  sources: readonly PaperSource[],
) {
  const path = experimentPath(name)
  const written = readExperiment(await readFile(path, 'utf8'), path)
  const replaced = models === undefined ? written.models : withModels(written.models, models)
  const over = (arms: Experiment['models'][number]['settings'] = [{}]) => arms.map((arm) => ({ ...arm, ...settings }))
  return {
    ...written,
    items: [...written.items, ...sources],
    models: replaced.map((model) => ({ ...model, ...defined({ samples }), settings: over(model.settings) })),
  }
}

/** These models with the samples and settings of the experiment (one sample shows no curve over samples), and its local learners. */
function withModels(written: Experiment['models'], models: readonly string[]): Experiment['models'] {
  const { samples = 1, settings = [{}] } = written[0] ?? {}
  const local = written.filter(({ model }) => model.startsWith(LOCAL) && !models.includes(model))
  return [...models.map((model) => ({ model, samples, settings })), ...local]
}
