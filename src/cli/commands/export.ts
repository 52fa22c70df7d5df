import { type FileHandle, open } from 'node:fs/promises'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Detail } from '../../core/solution.ts'
import { printableJson } from '../../core/text.ts'
import type { Lab } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { countOf } from '../numbers.ts'
import { print, written } from '../output.ts'
import { folderOf } from '../stored.ts'
import {
  type ConfigFlags,
  configFlags,
  detailFlag,
  optionalSeedFlag,
  pluginFlag,
  rejectFlags,
  resolveConfig,
  text,
} from '../words.ts'

interface Flags extends ConfigFlags {
  readonly to: string
  readonly seed?: string
  readonly style?: string
  readonly out?: string
  readonly model?: string
  readonly maxTokens?: number
  readonly detail?: Detail
  readonly perPerson?: number
  readonly scripts?: string
  readonly format: 'jsonl' | 'parquet'
  readonly plugin?: readonly string[]
}

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
      else await written(stdout, printableJson(text))
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
    brief: 'Prompts of a run or dataset, or rows of a run, as JSON lines or Parquet; files that a task makes',
    fullDescription:
      'touchstone export RUN --to rows and touchstone export RUN|DATASET --to prompts write JSON lines; rows also --format parquet. ' +
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
      maxTokens: {
        kind: 'parsed',
        parse: countOf(1000),
        optional: true,
        brief: 'Of requests: most tokens of an answer',
      },
      detail: detailFlag,
      perPerson: {
        kind: 'parsed',
        parse: countOf(20),
        optional: true,
        brief: 'Of jspsych: most questions that a person is asked; left out: all',
      },
      scripts: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of jspsych: a folder with its scripts; left out: the network, by their hashes',
      },
      format: {
        kind: 'enum',
        values: ['jsonl', 'parquet'],
        default: 'jsonl',
        brief: 'Of rows: the format of the file',
      },
      plugin: pluginFlag,
    },
  },
  async func(flags, from) {
    const folder = await folderOf(this, from, flags.plugin)
    const lab = await labOf(flags, folder)
    const { exportable } = await import('../../lab/exports.ts')
    const kind = exportable(folder)
    if (kind !== 'neither') rejectFlags(flags, OF_CONFIG, `${folder} says this itself`)
    if (kind === 'run') rejectFlags(flags, ['style'], 'a run is exported in the styles it asks in')
    const { to, out, style, model, maxTokens, seed, detail, perPerson, scripts, format } = flags
    if (format === 'parquet' && to !== 'rows') throw new UsageError('--format parquet is of --to rows')
    if (format === 'parquet') {
      if (out === undefined) throw new UsageError('--format parquet writes a file: give --out FILE')
      const { describe } = await lab.export(folder, { to, out, format })
      print(this, `${out}: ${describe}`)
      return
    }
    const asked = style === undefined ? {} : { style }
    if (to === 'prompts' || to === 'rows') {
      rejectFlags(flags, ['model', 'maxTokens'], `--to ${to} names no model`)
      rejectFlags(flags, ['detail'], `--to ${to} has no worked solutions`)
      rejectFlags(flags, ['perPerson', 'scripts'], `--to ${to} is no experiment`)
      const lines = await writeLines(this, out, lab.exportLines(folder, { to, ...asked }))
      if (out !== undefined) print(this, `${out}: ${lines} lines`)
      return
    }
    if (out === undefined) throw new UsageError(`--to ${to} writes files: give --out DIR`)
    const content = kind === 'neither' && isTask(lab, folder) ? await resolveConfig(lab.task(folder), flags) : null
    const { files, describe } = await lab.export(folder, {
      to,
      out,
      ...asked,
      ...(content === null ? {} : content.preset === null ? { config: content.config } : { preset: content.preset }),
      ...(seed === undefined ? {} : { seed }),
      ...(model === undefined ? {} : { model }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(detail === undefined ? {} : { detail }),
      ...(perPerson === undefined ? {} : { perPerson }),
      ...(scripts === undefined ? {} : { scripts }),
    })
    print(this, `${out}: ${files} files (${describe})`)
  },
})

/** What a dataset or a run says of its items. */
const OF_CONFIG = ['preset', 'config', 'set', 'seed'] as const

const isTask = ({ families }: Lab, name: string): boolean =>
  families.some(({ tasks }) => tasks.some((task) => task.name === name))
