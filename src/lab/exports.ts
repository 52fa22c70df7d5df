import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { type Detail, hint, type JsonObject, type Task, UsageError } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { type Content, configOf, styleOf } from './datasets.ts'
import type { Installed } from './installed.ts'
import { refuse } from './refuse.ts'
import { onRun } from './runs.ts'

/** What `export` finds at a path: a run, a dataset, or neither, which is then the name of a task. */
export type Exportable = 'run' | 'dataset' | 'neither'

export const exportable = (path: string): Exportable =>
  existsSync(join(path, 'run.json')) ? 'run' : existsSync(join(path, 'manifest.json')) ? 'dataset' : 'neither'

/** The form of another tool that a dataset or a run is written in, and where to. */
export interface ExportRequest extends Omit<Content, 'task'> {
  /** The form of another tool (docs/exchange.md), or a name under which the task offers files of its own. */
  readonly to: string
  /** The folder to write: new or empty for the form of a tool. */
  readonly out: string
  /** Of a dataset: how the question is put; left out: the first style of the task. */
  readonly style?: string
  /** Of requests: the model that they name; left out: `MODEL`. */
  readonly model?: string
  /** Of requests: the most tokens of an answer; left out: 16,384. */
  readonly maxTokens?: number
  /** Of worked solutions (`sft`): how much is said; left out: `full`. */
  readonly detail?: Detail
  /** Of experiments (`jspsych`): most questions that a person is asked, at least 1; left out: all. */
  readonly perPerson?: number
  /** Of experiments: a folder that holds the scripts; left out: the network. */
  readonly scripts?: string
  /** Of a task: left out: `1`. */
  readonly seed?: string
  /** Of `to` `rows`: `parquet` writes the one file `out`. */
  readonly format?: 'parquet'
}

/** How many files were written, and what they are, in words. */
export interface Exported {
  readonly files: number
  readonly describe: string
}

/** Writes the files of another tool, or those that a task offers under a name. */
export async function exportTo(here: Installed, from: string, request: ExportRequest): Promise<Exported> {
  const { isExchange } = await import('./exchange.ts')
  if (request.to === 'rows' && request.format === 'parquet') return exportRows(here, from, request)
  refuse(request, ['format'], 'rows are exported as Parquet')
  if (isExchange(request.to)) return exportExchange(here, from, request)
  return exportable(from) === 'run' ? exportRunFiles(here, from, request) : exportFiles(here, from, request)
}

/** Writes the rows of a run as one Parquet file. */
async function exportRows(here: Installed, from: string, request: ExportRequest): Promise<Exported> {
  refuse(request, OF_NO_RUN, 'rows are exported as they are')
  const { out } = request
  if (exportable(from) !== 'run') throw notRun(from)
  if (existsSync(out)) throw new UsageError(`${out} is there already: choose another name or remove it`)
  const { loadFrames, rowWriter } = await import('../store/index.ts')
  return onRun(here, from, { mode: 'read' }, async (run) => {
    const frames = await loadFrames(run)
    const writer = await rowWriter(out, 'parquet', frames.specs)
    try {
      for (const page of frames.pages()) await writer.write(page)
    } catch (error) {
      await writer.abort()
      throw error
    }
    const { rows } = await writer.close()
    return { files: 1, describe: `${rows} rows as Parquet` }
  })
}

const notRun = (from: string): UsageError =>
  new UsageError(`${from} is no run: rows are of runs; its items are in items-*`)

/** What only an experiment has. */
const OF_PEOPLE = ['perPerson', 'scripts'] as const

/** What a dataset or a run says of its items. */
const OF_CONFIG = ['preset', 'config', 'seed'] as const

/** What is not asked of a run that is written as it is. */
const OF_NO_RUN = ['style', 'model', 'maxTokens', 'detail', ...OF_PEOPLE, ...OF_CONFIG] as const

async function exportExchange(here: Installed, folder: string, request: ExportRequest): Promise<Exported> {
  const { exportDataset, exportRun, folderSink } = await import('./exchange.ts')
  refuse(request, OF_CONFIG, `${folder} says this itself`)
  const {
    out,
    to,
    style,
    model = 'MODEL',
    maxTokens = 16_384,
    detail = 'full',
    perPerson = null,
    scripts = null,
  } = request
  if (to !== 'jspsych') refuse(request, OF_PEOPLE, `\`to\` ${to} is no experiment`)
  if (to !== 'sft') refuse(request, ['detail'], `\`to\` ${to} has no worked solutions`)
  const more = { to, model, maxTokens, detail, perPerson, scripts }
  const kind = exportable(folder)
  if (kind === 'neither') throw new UsageError(`\`to\` ${to} is of a run or a dataset, and ${folder} is neither`)
  const sink = await folderSink(out)
  if (kind === 'run') {
    refuse(request, ['style'], 'a run is exported in the styles it asks in')
    const describe = await onRun(here, folder, { mode: 'read' }, (run) => exportRun(run, sink, more))
    return { files: sink.files.size, describe }
  }
  const { openDataset } = await import('../datasets/index.ts')
  const dataset = await openDataset(folder)
  const describe = await exportDataset(dataset, here.task(dataset.manifest.task), style, sink, more)
  return { files: sink.files.size, describe }
}

/** Lines are handed over, not written into a folder. */
function rejectLines({ to }: ExportRequest): void {
  if (to === 'prompts' || to === 'rows') throw new UsageError(`"${to}" are lines, not files: ask exportLines for them`)
}

async function exportFiles(here: Installed, from: string, request: ExportRequest): Promise<Exported> {
  refuse(request, ['style', 'detail'], `\`to\` ${request.to} has no style and no worked solutions`)
  refuse(request, OF_PEOPLE, `\`to\` ${request.to} is no experiment`)
  rejectLines(request)
  const { makeFolder, writeFileAtomic } = await import('../store/index.ts')
  const { exchangeNames } = await import('./exchange.ts')
  const { task, config, seed } = await contentOf(here, from, request)
  const { exporters = {} } = task
  const { to, out } = request
  const exporter = Object.hasOwn(exporters, to) ? exporters[to] : undefined
  const names = ['prompts', 'rows', ...Object.keys(exporters), ...exchangeNames]
  if (exporter === undefined)
    throw new UsageError(`cannot export ${task.name} to "${to}"${hint(to, names)}; there are ${names.join(', ')}`)
  const { plan } = task.source(config, { split: exporter.split, seed })
  let files = 0
  for (const { path, text } of exporter.files(config, plan)) {
    if (isAbsolute(path) || path.split('/').includes('..'))
      throw new Error(`${task.name} exports to ${path}, outside ${out}`)
    await makeFolder(dirname(join(out, path)))
    await writeFileAtomic(join(out, path), text)
    files++
  }
  return { files, describe: exporter.describe }
}

/** Writes a run in a form of its task's own. */
async function exportRunFiles(here: Installed, from: string, request: ExportRequest): Promise<Exported> {
  refuse(request, OF_NO_RUN, `${from} says this itself`)
  rejectLines(request)
  const { exchangeNames, folderSink, runContent } = await import('./exchange.ts')
  const { to, out } = request
  return onRun(here, from, { mode: 'read' }, async (run) => {
    const offers = run.file.sources.flatMap(({ task }) =>
      Object.entries(here.runnable.find(({ name }) => name === task)?.runExporters ?? {}),
    )
    const exporter = offers.find(([name]) => name === to)?.[1]
    const names = ['prompts', 'rows', ...offers.map(([name]) => name), ...exchangeNames]
    if (exporter === undefined)
      throw new UsageError(`cannot export ${from} to "${to}"${hint(to, names)}; there are ${names.join(', ')}`)
    const sink = await folderSink(out)
    for await (const { path, text } of exporter.files(runContent(run))) {
      if (isAbsolute(path) || path.split('/').includes('..'))
        throw new Error(`"${to}" exports to ${path}, outside ${out}`)
      await sink.append(path, text)
    }
    return { files: sink.files.size, describe: exporter.describe }
  })
}

/** What is exported of a task: that of a dataset, or a config of its own. */
async function contentOf(
  here: Installed,
  from: string,
  request: ExportRequest,
): Promise<{ readonly task: Task; readonly config: JsonObject; readonly seed: string }> {
  if (exportable(from) !== 'dataset') {
    const task = here.task(from)
    return { task, config: configOf(task, request).config, seed: request.seed ?? '1' }
  }
  refuse(request, OF_CONFIG, `${from} says this itself`)
  const { openDataset } = await import('../datasets/index.ts')
  const { manifest } = await openDataset(from)
  const task = here.task(manifest.task)
  if (!('text' in manifest.seed)) throw new UsageError(`the seed of ${from} is sealed: export by the task's name`)
  return { task, config: task.configure(manifest.config), seed: manifest.seed.text }
}

/** Which lines of a run or dataset are wanted. */
export interface LinesRequest {
  /** `prompts`: {item, style, messages} of a run or dataset; `rows`: one a response of a run. */
  readonly to: 'prompts' | 'rows'
  /** Of a dataset: how the question is put; left out: the first style of the task. */
  readonly style?: string
}

/** Prompts or rows as plain objects, in pages: what `export` writes as lines of JSON. */
export async function* exportLines(
  here: Installed,
  from: string,
  { to, style }: LinesRequest,
): AsyncGenerator<readonly (Row | object)[]> {
  if (exportable(from) === 'run') {
    refuse({ style }, ['style'], 'a run is exported in the styles it asks in')
    const { openRun, runPrompts, withRun } = await import('../runner/index.ts')
    const { loadFrames } = await import('../store/index.ts')
    const run = await openRun(from, await here.runContext(), { mode: 'read' })
    try {
      yield* to === 'rows' ? (await loadFrames(run)).pages() : runPrompts(run)
    } finally {
      await withRun(run, async () => undefined)
    }
    return
  }
  if (to === 'rows') throw notRun(from)
  const { datasetPrompts, openDataset } = await import('../datasets/index.ts')
  const dataset = await openDataset(from)
  const task = here.task(dataset.manifest.task)
  yield* datasetPrompts(dataset, task, styleOf(task, style))
}
