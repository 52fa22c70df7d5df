import { once } from 'node:events'
import { access, type FileHandle, open } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { hint, UsageError } from '../../core/errors.ts'
import { printableJson } from '../../core/printable.ts'
import type { Detail } from '../../core/solution.ts'
import type { Context } from '../context.ts'
import { folderOf } from '../mirror.ts'
import { print } from '../output.ts'
import { runContext } from '../runs.ts'
import {
  type ConfigFlags,
  configFlags,
  detailFlag,
  optionalSeedFlag,
  pluginFlag,
  refuseFlags,
  resolveConfig,
  text,
  wholeNumber,
} from '../words.ts'

interface Flags extends ConfigFlags {
  readonly to: string
  readonly seed?: string
  readonly style?: string
  readonly out?: string
  readonly model?: string
  readonly maxTokens?: number
  readonly detail?: Detail
  readonly plugin?: readonly string[]
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Lines of JSON to a file, or to standard output. */
async function writeLines(
  context: Context,
  out: string | undefined,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<number> {
  const { explained } = await import('../../store/index.ts')
  const file = out === undefined ? null : await newFile(out)
  const { stdout } = context.process
  let lines = 0
  try {
    for await (const page of pages) {
      lines += page.length
      const text = page.map((line) => `${JSON.stringify(line)}\n`).join('')
      if (file !== null) await explained(out as string, () => file.appendFile(text))
      else if (!stdout.write(printableJson(text))) await once(stdout, 'drain')
    }
  } finally {
    await file?.close()
  }
  return lines
}

/** @throws UsageError for a path that is taken or in no folder. */
async function newFile(path: string): Promise<FileHandle> {
  const { explained, isStoreError } = await import('../../store/index.ts')
  return explained(path, () => open(path, 'wx')).catch((error: unknown) => {
    throw isStoreError(error) && (error.code === 'exists' || error.code === 'missing')
      ? new UsageError(error.message)
      : error
  })
}

export const exportCommand = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Prompts of a run or dataset, or rows of a run, as JSON lines; files that a task makes',
    fullDescription:
      'touchstone export RUN --to rows and touchstone export RUN|DATASET --to prompts write JSON lines. ' +
      'touchstone export RUN|DATASET --to TOOL --out DIR writes the files of another tool (docs/exchange.md). ' +
      'touchstone export TASK|DATASET --to NAME --out DIR writes what the task offers under that name, such as training sets.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'A run or dataset folder, or a task', parse: text, placeholder: 'from' }],
    },
    flags: {
      to: {
        kind: 'parsed',
        parse: text,
        default: 'prompts',
        brief:
          'prompts: {item, style, messages}; rows: one a response; a tool (docs/exchange.md); or a name of the task',
      },
      ...configFlags,
      seed: optionalSeedFlag,
      style: { kind: 'parsed', parse: text, optional: true, brief: 'Of a dataset: how the question is put' },
      out: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The file to write (a folder for what a task makes); left out: standard output',
      },
      model: { kind: 'parsed', parse: text, optional: true, brief: 'Of requests: the model that they name' },
      maxTokens: { kind: 'parsed', parse: wholeNumber, optional: true, brief: 'Of requests: most tokens of an answer' },
      detail: detailFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, from) {
    const folder = await folderOf(this, from, flags.plugin)
    const isRun = await isThere(join(folder, 'run.json'))
    if (flags.to !== 'prompts' && flags.to !== 'rows') {
      const { isExchange } = await import('../../lab/exchange.ts')
      return isExchange(flags.to) ? exportExchange(this, folder, isRun, flags) : exportFiles(this, folder, flags)
    }
    refuseFlags(flags, ['model', 'maxTokens'], `--to ${flags.to} names no model`)
    refuseFlags(flags, ['detail'], `--to ${flags.to} has no worked solutions`)
    refuseFlags(flags, OF_CONFIG, `${folder} says this itself`)
    if (isRun) refuseFlags(flags, ['style'], 'a run is exported in the styles it asks in')
    const pages = isRun ? runPages(folder, flags) : datasetPages(folder, flags)
    const lines = await writeLines(this, flags.out, pages)
    if (flags.out !== undefined) print(this, `${flags.out}: ${lines} lines`)
  },
})

/** Writes questions or answers in the form of another tool. */
async function exportExchange(context: Context, folder: string, isRun: boolean, flags: Flags): Promise<void> {
  const { exportDataset, exportRun, folderSink } = await import('../../lab/exchange.ts')
  refuseFlags(flags, OF_CONFIG, `${folder} says this itself`)
  const { out, to, model = 'MODEL', maxTokens = 16_384, detail = 'full' } = flags
  if (to !== 'sft') refuseFlags(flags, ['detail'], `--to ${to} has no worked solutions`)
  if (out === undefined) throw new UsageError(`--to ${to} writes files: give --out DIR`)
  const sink = await folderSink(out)
  const more = { to, model, maxTokens, detail }
  let describe: string
  if (isRun) {
    refuseFlags(flags, ['style'], 'a run is exported in the styles it asks in')
    const { openRun, withRun } = await import('../../runner/index.ts')
    const run = await openRun(folder, await runContext(flags.plugin, folder), { mode: 'read' })
    describe = await withRun(run, () => exportRun(run, sink, more))
  } else {
    if (!(await isThere(join(folder, 'manifest.json'))))
      throw new UsageError(`--to ${to} is of a run or a dataset, and ${folder} is neither`)
    const { openDataset } = await import('../../datasets/index.ts')
    const { findTask, loadTasks } = await import('../../lab/plugins.ts')
    const dataset = await openDataset(folder)
    const task = findTask(await loadTasks(flags.plugin, folder), dataset.manifest.task)
    describe = await exportDataset(dataset, task, flags.style, sink, more)
  }
  print(context, `${out}: ${sink.files.size} files (${describe})`)
}

/** What a dataset or a run says of its items. */
const OF_CONFIG = ['preset', 'config', 'set', 'seed'] as const

/** Writes the files that a task makes of a config: that of a dataset, or one described by the flags. */
async function exportFiles(context: Context, from: string, flags: Flags): Promise<void> {
  refuseFlags(flags, ['style', 'detail'], `--to ${flags.to} has no style and no worked solutions`)
  const { makeFolder, writeFileAtomic } = await import('../../store/index.ts')
  const { task, config, seed } = await contentOf(from, flags)
  const { exporters = {} } = task
  const exporter = exporters[flags.to]
  const { exchangeNames } = await import('../../lab/exchange.ts')
  const names = ['prompts', 'rows', ...Object.keys(exporters), ...exchangeNames]
  if (exporter === undefined)
    throw new UsageError(
      `cannot export ${task.name} to "${flags.to}"${hint(flags.to, names)}; there are ${names.join(', ')}`,
    )
  const { out } = flags
  if (out === undefined) throw new UsageError(`--to ${flags.to} writes several files: give --out DIR`)
  const { plan } = task.source(config, { split: exporter.split, seed })
  let files = 0
  for (const { path, text } of exporter.files(config, plan)) {
    if (isAbsolute(path) || path.split('/').includes('..'))
      throw new Error(`${task.name} exports to ${path}, outside ${out}`)
    await makeFolder(dirname(join(out, path)))
    await writeFileAtomic(join(out, path), text)
    files++
  }
  print(context, `${out}: ${files} files (${exporter.describe})`)
}

async function contentOf(from: string, flags: Flags) {
  const { findTask, loadTasks } = await import('../../lab/plugins.ts')
  const tasks = await loadTasks(flags.plugin, from)
  if (await isThere(join(from, 'manifest.json'))) {
    refuseFlags(flags, OF_CONFIG, `${from} says this itself`)
    const { openDataset } = await import('../../datasets/index.ts')
    const { manifest } = await openDataset(from)
    const task = findTask(tasks, manifest.task)
    if (!('text' in manifest.seed)) throw new UsageError(`the seed of ${from} is sealed: export by the task's name`)
    return { task, config: task.configure(manifest.config), seed: manifest.seed.text }
  }
  const task = findTask(tasks, from)
  return { task, config: (await resolveConfig(task, flags)).config, seed: flags.seed ?? '1' }
}

async function* runPages(folder: string, flags: Flags): AsyncGenerator<readonly unknown[]> {
  const { openRun, refreshRunRows, runPrompts, withRun } = await import('../../runner/index.ts')
  const { readParquet } = await import('../../store/index.ts')
  const run = await openRun(folder, await runContext(flags.plugin, folder), { mode: 'read' })
  try {
    yield* flags.to === 'rows' ? readParquet(await refreshRunRows(run)) : runPrompts(run)
  } finally {
    await withRun(run, async () => undefined)
  }
}

async function* datasetPages(folder: string, flags: Flags): AsyncGenerator<readonly unknown[]> {
  if (flags.to === 'rows') throw new UsageError(`${folder} is no run: rows are of runs; its items are in items-*`)
  const { datasetPrompts, openDataset } = await import('../../datasets/index.ts')
  const { findTask, loadTasks } = await import('../../lab/plugins.ts')
  const dataset = await openDataset(folder)
  const task = findTask(await loadTasks(flags.plugin, folder), dataset.manifest.task)
  const style = flags.style ?? task.styles[0]
  if (!task.styles.includes(style))
    throw new UsageError(`${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`)
  yield* datasetPrompts(dataset, task, style)
}
