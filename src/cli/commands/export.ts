import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../../core/errors.ts'
import { printableJson } from '../../core/text.ts'
import { exportable } from '../../lab/exports.ts'
import type { Lab } from '../../lab/index.ts'
import { rejectOptions } from '../../lab/requests/index.ts'
import { explained, isStoreError } from '../../store/index.ts'
import type { exportFlags, FlagsOf } from '../command-flags.ts'
import { specFromFlags } from '../configuration.ts'
import { folderOf, labOf } from '../lab.ts'
import { type Context, plural, print, writeWithBackpressure } from '../output.ts'

/** Fixed by a dataset or run. */
const OF_CONFIG = ['preset', 'config', 'set', 'seed'] as const

export default async function exportCommand(
  context: Context,
  flags: FlagsOf<typeof exportFlags>,
  path: string,
): Promise<void> {
  const { plugins: _, preset, config, set, to = 'prompts', out, ...options } = flags
  const from = await folderOf(context, path, flags)
  const lab = await labOf(flags, from)
  const kind = exportable(from)
  if (kind !== 'neither') rejectOptions(flags, OF_CONFIG, `${from} has its own configuration`)
  if (kind === 'run') rejectOptions(flags, ['style'], 'a run is exported in its own prompt styles')
  if (to === 'prompts' || to === 'rows') {
    rejectOptions(flags, ['model', 'maxTokens', 'detail', 'itemsPerPerson', 'jspsychDir'], `not for --to ${to}`)
    const lines = await writeLines(context, out, lab.exportLines(from, { to, style: options.style }))
    if (out !== undefined) print(context, `${out}: ${lines} lines`)
    return
  }
  if (out === undefined)
    throw new UsageError(`missing --out: --to ${to} writes files. Example: --to csv --out responses.csv`)
  const spec =
    kind === 'neither' && isTask(lab, from) ? await specFromFlags(lab.task(from), { preset, config, set }) : {}
  const { files, describe } = await lab.export(from, { ...options, ...spec, to, out })
  print(context, `${out}: ${plural(files, 'file')} (${describe})`)
}

const isTask = ({ families }: Lab, name: string): boolean =>
  families.some(({ tasks }) => tasks.some((task) => task.name === name))

/** Writes lines of JSON to a new file, or to standard output. */
async function writeLines(
  context: Context,
  out: string | undefined,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<number> {
  const file = out === undefined ? null : await newFile(out)
  const { stdout } = context.process
  let lines = 0
  try {
    for await (const page of pages) {
      lines += page.length
      const text = page.map((line) => `${JSON.stringify(line)}\n`).join('')
      if (file !== null) await explained(out as string, () => file.appendFile(text))
      else await writeWithBackpressure(stdout, printableJson(text))
    }
  } finally {
    await file?.close()
  }
  return lines
}

/** @throws UsageError for a path that exists, or whose folder does not. */
async function newFile(path: string): Promise<FileHandle> {
  return explained(path, () => open(path, 'wx')).catch((error: unknown) => {
    throw isStoreError(error) && (error.code === 'exists' || error.code === 'missing')
      ? new UsageError(error.message)
      : error
  })
}
