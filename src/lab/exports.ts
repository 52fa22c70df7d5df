import { existsSync } from 'node:fs'
import { appendFile, readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { hint, type RunContent, type Task, UsageError } from '../core/index.ts'
import { columnsOf, type Dataset, datasetPrompts, openDataset } from '../datasets/index.ts'
import { answerExports } from '../extras/exchange/answer-exports.ts'
import { datasetExports } from '../extras/exchange/dataset-exports.ts'
import { datasetQuestions } from '../extras/exchange/dataset-questions.ts'
import { type About, promptOf, type Sink } from '../extras/exchange/line.ts'
import { questionExports } from '../extras/exchange/questions.ts'
import { runAnswers, runQuestions } from '../extras/exchange/run-questions.ts'
import { csvLine } from '../report/index.ts'
import { openRun, type Run, runPrompts, withRun } from '../runner/index.ts'
import {
  type ColumnSpec,
  explained,
  linesWriter,
  loadFrames,
  makeFolder,
  type Row,
  rowWriter,
  writeFileAtomic,
} from '../store/index.ts'
import { configOf, styleOf } from './datasets.ts'
import type { Environment } from './environment.ts'
import { version } from './package.ts'
import { type exportLinesRequest, type exportRequest, rejectOptions, type Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** What a path of `export` is; neither: the name of a task. */
export type Exportable = 'run' | 'dataset' | 'neither'

export const exportable = (path: string): Exportable =>
  existsSync(join(path, 'run.json')) ? 'run' : existsSync(join(path, 'manifest.json')) ? 'dataset' : 'neither'

/** The number of files written, and what they are. */
export interface Exported {
  readonly files: number
  readonly describe: string
}

type Request = Valid<typeof exportRequest>

/** Names of `--to` for the formats of other tools. */
const TOOLS: readonly string[] = [questionExports, answerExports, datasetExports].flatMap(Object.keys)
/** Options of jsPsych experiments only. */
const OF_PEOPLE = ['itemsPerPerson', 'jspsychDir'] as const
/** Fixed by a dataset or run. */
const OF_CONFIG = ['preset', 'config', 'seed'] as const

/** Writes the files of another tool, or files that a task offers. @throws UsageError */
export async function exportTo(here: Environment, from: string, request: Request): Promise<Exported> {
  const { to } = request
  const kind = exportable(from)
  if (kind !== 'neither') rejectOptions(request, OF_CONFIG, `${from} has its own configuration`)
  if (kind === 'run') rejectOptions(request, ['style'], 'a run is exported in its own prompt styles')
  if (isTable(to, kind)) return exportResponses(here, from, to, request)
  if (to !== 'jspsych') rejectOptions(request, OF_PEOPLE, `only for --to jspsych, got --to ${to}`)
  if (to !== 'sft') rejectOptions(request, ['detail'], `only for --to sft, got --to ${to}`)
  if (to === 'prompts' || to === 'rows') throw new UsageError(`"${to}" are lines, not files: use exportLines`)
  if (!TOOLS.includes(to)) {
    rejectOptions(request, ['style', 'model', 'maxTokens'], `--to ${to} has no prompts`)
    return kind === 'run' ? exportRunFiles(here, from, request) : exportFiles(here, from, request)
  }
  if (kind === 'neither') throw new UsageError(`--to ${to} exports a run or a dataset, and ${from} is neither`)
  const sink = await folderSink(request.out)
  if (kind === 'run') {
    const describe = await onRun(here, from, { mode: 'read' }, (run) => exportRun(run, sink, request))
    return { files: sink.files.size, describe }
  }
  const dataset = await openDataset(from)
  const describe = await exportDataset(dataset, here.task(dataset.manifest.task), sink, request)
  return { files: sink.files.size, describe }
}

/** One flat table of the responses of a run. A dataset has questions as CSV. */
const isTable = (to: string, kind: Exportable): to is 'csv' | 'parquet' =>
  kind === 'run' && (to === 'csv' || to === 'parquet')

async function exportResponses(here: Environment, from: string, to: 'csv' | 'parquet', request: Request) {
  rejectOptions(request, ['model', 'maxTokens', 'detail', ...OF_PEOPLE], `not for --to ${to} of a run`)
  const { out } = request
  if (existsSync(out)) throw new UsageError(`${out} exists. Choose another name, or remove it`)
  await makeFolder(dirname(out))
  const rows = await onRun(here, from, { mode: 'read' }, (run) => writeResponses(run, out, to))
  return { files: 1, describe: `${rows} responses, one a row` }
}

const unknownForm = (from: string, to: string, own: readonly string[]): UsageError => {
  const names = ['prompts', 'rows', 'parquet', ...own, ...TOOLS]
  return new UsageError(`cannot export ${from} to "${to}"${hint(to, names)}; choose one of ${names.join(', ')}`)
}

/** Writes into a new or empty folder. @throws UsageError where it is not empty. */
export async function folderSink(folder: string): Promise<Sink & { readonly files: ReadonlySet<string> }> {
  await makeFolder(folder)
  if ((await explained(folder, () => readdir(folder))).length > 0)
    throw new UsageError(`${folder} is not empty. Give a new or an empty folder`)
  const files = new Set<string>()
  const place = async (path: string): Promise<string> => {
    files.add(path)
    const full = join(folder, path)
    await makeFolder(join(full, '..'))
    return full
  }
  return {
    files,
    async append(path, text) {
      const full = await place(path)
      await explained(full, () => appendFile(full, text))
    },
    async whole(path, bytes) {
      await writeFileAtomic(await place(path), bytes)
    },
  }
}

type Form = Pick<Request, 'to' | 'style' | 'model' | 'maxTokens' | 'detail' | 'itemsPerPerson' | 'jspsychDir'>

const about = (name: string, split: string, form: Form): About => ({
  name,
  split,
  version,
  created: new Date().toISOString(),
  model: form.model ?? 'MODEL',
  maxTokens: form.maxTokens ?? 16_384,
  detail: form.detail ?? 'full',
  perPerson: form.itemsPerPerson ?? null,
  scripts: form.jspsychDir ?? null,
})

const own = <T>(record: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Writes the prompts or responses of a run for another tool. @returns a description of the files. */
export async function exportRun(run: Run, sink: Sink, form: Form): Promise<string> {
  const facts = about(run.file.name, 'run', form)
  const answers = own(answerExports, form.to)
  if (answers !== undefined) {
    await answers.write(runAnswers(run), sink, facts)
    return answers.describe
  }
  const questions = own(questionExports, form.to)
  if (questions === undefined) throw new UsageError(`--to ${form.to} exports datasets, and ${run.dir} is a run`)
  await questions.write(runQuestions(run), sink, facts)
  return questions.describe
}

/** Writes the questions of a dataset, or a file about it, for another tool. @returns a description of the files. */
export async function exportDataset(dataset: Dataset, task: Task, sink: Sink, form: Form): Promise<string> {
  const facts = about(basename(resolve(dataset.folder)), dataset.manifest.split, form)
  const whole = own(datasetExports, form.to)
  if (whole !== undefined) {
    const columns = columnsOf(task, 'items', dataset.manifest).map(({ name }) => name)
    for (const { path, text } of whole.files(dataset, task, columns, facts)) await sink.append(path, text)
    return whole.describe
  }
  const questions = own(questionExports, form.to)
  if (questions === undefined)
    throw new UsageError(
      `--to ${form.to} exports runs, and ${dataset.folder} is a dataset${hint(form.to, Object.keys(questionExports))}`,
    )
  const unformatted = task.styles.find((name) => name === 'bare' || name === 'as-given')
  const style = form.style ?? (form.to === 'jspsych' ? unformatted : undefined)
  await questions.write(datasetQuestions(dataset, task, styleOf(task, style)), sink, facts)
  return questions.describe
}

/** A path of an exporter. @throws Error for one outside the folder. */
function inside(path: string, folder: string): string {
  if (isAbsolute(path) || path.split('/').includes('..')) throw new Error(`cannot write ${path}, outside ${folder}`)
  return path
}

/** Writes files that a task offers. */
async function exportFiles(here: Environment, from: string, request: Request): Promise<Exported> {
  const { task, config, seed } = await contentOf(here, from, request)
  const { to, out } = request
  const exporter = own(task.exporters ?? {}, to)
  if (exporter === undefined) throw unknownForm(task.name, to, Object.keys(task.exporters ?? {}))
  const { plan } = task.source(config, { split: exporter.split, seed })
  let files = 0
  for (const { path, text } of exporter.files(config, plan)) {
    const full = join(out, inside(path, out))
    await makeFolder(join(full, '..'))
    await writeFileAtomic(full, text)
    files++
  }
  return { files, describe: exporter.describe }
}

/** Writes a run in a format that its task offers. */
async function exportRunFiles(here: Environment, from: string, { to, out }: Request): Promise<Exported> {
  return onRun(here, from, { mode: 'read' }, async (run) => {
    const offers = run.file.sources.flatMap(({ task }) =>
      Object.entries(here.runnable.find(({ name }) => name === task)?.runExporters ?? {}),
    )
    const exporter = offers.find(([name]) => name === to)?.[1]
    if (exporter === undefined)
      throw unknownForm(
        from,
        to,
        offers.map(([name]) => name),
      )
    const sink = await folderSink(out)
    for await (const { path, text } of exporter.files(runContent(run))) await sink.append(inside(path, out), text)
    return { files: sink.files.size, describe: exporter.describe }
  })
}

/** A run as exporters of a task see it. */
const runContent = (run: Run): RunContent => ({
  async *items() {
    for await (const page of run.ledger.items())
      for (const { item, shared } of page) {
        const { id, group, given, answer, features } = item
        yield { id, group, shared, given, answer, features }
      }
  },
  async *responses() {
    for await (const page of run.ledger.finishedCalls())
      for (const { item, shared, style, model, response } of page) {
        const request = run.sources.request(item, shared, style)
        yield {
          item: item.id,
          model,
          style,
          messages: request.kind === 'chat' ? request.messages : [],
          text: response?.text ?? null,
          finish: response?.finish ?? 'unknown',
          usage: response?.usage ?? {},
        }
      }
  },
})

/** The configuration to export: that of a dataset, or one of the request. */
async function contentOf(here: Environment, from: string, request: Request) {
  if (exportable(from) !== 'dataset') {
    const task = here.task(from)
    return { task, config: configOf(task, request).config, seed: request.seed ?? '1' }
  }
  const { manifest } = await openDataset(from)
  const task = here.task(manifest.task)
  if (!('text' in manifest.seed)) throw new UsageError(`the seed of ${from} is secret. Export by the name of the task`)
  return { task, config: task.configure(manifest.config), seed: manifest.seed.text }
}

/** Prompts or rows as plain objects, in pages. */
export async function* exportLines(
  here: Environment,
  from: string,
  { to, style }: Valid<typeof exportLinesRequest>,
): AsyncGenerator<readonly (Row | object)[]> {
  if (exportable(from) === 'run') {
    rejectOptions({ style }, ['style'], 'a run is exported in its own prompt styles')
    const run = await openRun(from, await here.runContext(), { mode: 'read' })
    try {
      yield* to === 'rows' ? (await loadFrames(run)).pages() : runPrompts(run)
    } finally {
      await withRun(run, async () => undefined)
    }
    return
  }
  if (to === 'rows') throw new UsageError(`--to rows exports runs, and ${from} is a dataset (its items are in items-*)`)
  const dataset = await openDataset(from)
  const task = here.task(dataset.manifest.task)
  yield* datasetPrompts(dataset, task, styleOf(task, style))
}

// ---- The responses of a run as a table

/**
 * Writes the responses of a run as one flat table, a row each: the columns of its rows by the strict parser, prompt and response.
 * Columns without a value in any row are not written.
 *
 * @returns the number of rows.
 */
async function writeResponses(run: Run, path: string, format: 'csv' | 'parquet'): Promise<number> {
  const frames = await loadFrames(run)
  const used = new Set<string>()
  for (const page of frames.pages())
    for (const row of page) for (const [name, value] of Object.entries(row)) if (value !== null) used.add(name)
  const kept = frames.specs.filter(({ name }) => used.has(name) && !name.includes('@'))
  const columns: readonly ColumnSpec[] = [...kept, { name: 'prompt', type: 'text' }, { name: 'response', type: 'text' }]
  const names = columns.map(({ name }) => name)
  const writer = await (format === 'csv'
    ? linesWriter(path, csvLine(names), (row) => csvLine(names.map((name) => row[name])))
    : rowWriter(path, 'parquet', columns))
  try {
    const rows = rowsOf(frames.pages())
    for await (const page of runAnswers(run)) {
      const batch = page.map((answer): Row => {
        const row = rows.next().value
        if (row === undefined || row['item'] !== answer.item || row['model'] !== answer.model)
          throw new Error(`rows and responses of ${run.dir} differ at ${answer.item}`)
        return {
          ...Object.fromEntries(kept.map(({ name }) => [name, row[name] ?? null])),
          prompt: promptOf(answer.request),
          response: answer.response?.text ?? null,
        }
      })
      await writer.write(batch)
    }
    return (await writer.close()).rows
  } catch (error) {
    await writer.abort()
    throw error
  }
}

function* rowsOf(pages: Iterable<readonly Row[]>): Generator<Row, undefined> {
  for (const page of pages) yield* page
}
