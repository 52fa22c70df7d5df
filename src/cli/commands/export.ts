import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { print } from '../output.ts'
import { runContext } from '../runs.ts'
import { pluginFlag, text } from '../words.ts'

interface Flags {
  readonly to: 'prompts' | 'rows'
  readonly style?: string
  readonly out?: string
  readonly plugin?: readonly string[]
}

/** Lines of JSON to a file, or to standard output. */
async function writeLines(
  context: Context,
  out: string | undefined,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<number> {
  const stream = out === undefined ? context.process.stdout : createWriteStream(out, { flags: 'wx' })
  let lines = 0
  for await (const page of pages) {
    lines += page.length
    if (!stream.write(page.map((line) => `${JSON.stringify(line)}\n`).join(''))) await once(stream, 'drain')
  }
  if (out !== undefined) {
    stream.end()
    await once(stream, 'close')
  }
  return lines
}

export const exportCommand = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Prompts of a run or dataset, or rows of a run, as JSON lines' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'A run or dataset folder', parse: text, placeholder: 'from' }] },
    flags: {
      to: {
        kind: 'enum',
        values: ['prompts', 'rows'],
        default: 'prompts',
        brief: 'prompts: {item, style, messages}; rows: one a response',
      },
      style: { kind: 'parsed', parse: text, optional: true, brief: 'Of a dataset: how the question is put' },
      out: { kind: 'parsed', parse: text, optional: true, brief: 'The file to write; left out: standard output' },
      plugin: pluginFlag,
    },
  },
  async func(flags, folder) {
    const isRun = await access(join(folder, 'run.json')).then(
      () => true,
      () => false,
    )
    const pages = isRun ? runPages(folder, flags) : datasetPages(folder, flags)
    const lines = await writeLines(this, flags.out, pages)
    if (flags.out !== undefined) print(this, `${flags.out}: ${lines} lines`)
  },
})

async function* runPages(folder: string, flags: Flags): AsyncGenerator<readonly unknown[]> {
  const { openRun, refreshRunRows, runPrompts, withRun } = await import('../../runner/index.ts')
  const { readParquet } = await import('../../store/index.ts')
  const run = await openRun(folder, await runContext(flags.plugin), { mode: 'read' })
  try {
    yield* flags.to === 'rows' ? readParquet(await refreshRunRows(run)) : runPrompts(run)
  } finally {
    await withRun(run, async () => undefined)
  }
}

async function* datasetPages(folder: string, flags: Flags): AsyncGenerator<readonly unknown[]> {
  if (flags.to === 'rows') throw new UsageError(`${folder} is no run: rows are of runs; its items are in items-*`)
  const { datasetPrompts, openDataset } = await import('../../datasets/index.ts')
  const { findTask, loadTasks } = await import('../tasks.ts')
  const dataset = await openDataset(folder)
  const task = findTask(await loadTasks(flags.plugin), dataset.manifest.task)
  const style = flags.style ?? task.styles[0]
  if (!task.styles.includes(style))
    throw new UsageError(`${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`)
  yield* datasetPrompts(dataset, task, style)
}
