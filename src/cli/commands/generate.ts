import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Detail } from '../../core/solution.ts'
import type { GenerateRequest } from '../../lab/index.ts'
import type { Context } from '../context.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { countOf, threadCount } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import {
  type DatasetFlags,
  datasetFlags,
  detailFlag,
  jsonFlag,
  pluginFlag,
  resolveConfig,
  shardFlag,
  text,
} from '../words.ts'

interface Flags extends DatasetFlags {
  readonly count?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly out: string
  readonly format: 'parquet' | 'jsonl'
  readonly prompts: boolean
  readonly solutions: boolean
  readonly detail?: Detail
  readonly style?: string
  readonly witnesses: boolean
  readonly threads: number
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const generate = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Make a dataset: items, groups, manifest and card' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The task', parse: text, placeholder: 'task' }] },
    flags: {
      ...datasetFlags,
      count: {
        kind: 'parsed',
        parse: countOf(100),
        optional: true,
        brief: 'Indices 0..N-1; left out: all of a finite config',
      },
      shard: { kind: 'parsed', parse: shardFlag, optional: true, brief: 'Only part i of n (i/n); join with merge' },
      out: { kind: 'parsed', parse: text, brief: 'The folder to write' },
      format: { kind: 'enum', values: ['parquet', 'jsonl'], default: 'parquet', brief: 'File format' },
      prompts: { kind: 'boolean', default: false, brief: 'Also write rendered prompts' },
      solutions: { kind: 'boolean', default: false, brief: 'Also write prompts, each with a worked solution' },
      detail: detailFlag,
      style: { kind: 'parsed', parse: text, optional: true, brief: 'The style of the prompts' },
      witnesses: { kind: 'boolean', default: true, brief: 'Store a proof with every item' },
      threads: { kind: 'parsed', parse: threadCount, default: '1', brief: 'Worker threads; 0: one a core' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, name) {
    const lab = await labOfTasks(flags, [name])
    const { preset, config } = await resolveConfig(lab.task(name), flags)
    const bar = progress(this, `generate ${name}`)
    try {
      const manifest = await interruptible(
        this,
        (signal) =>
          lab.generate({
            task: name,
            ...(preset === null ? { config } : { preset }),
            split: flags.split,
            seed: flags.seed,
            ...(flags.count === undefined ? {} : { count: flags.count }),
            ...(flags.shard === undefined ? {} : { shard: flags.shard }),
            out: flags.out,
            format: flags.format,
            witnesses: flags.witnesses,
            ...promptsOf(flags),
            threads: flags.threads,
            onProgress: bar.update,
            signal,
          }),
        'stopping; the unfinished dataset is removed (once more: at once)',
      )
      bar.end()
      if (flags.json) return printJson(this, manifest)
      const { empty: holes } = manifest
      print(
        this,
        `${flags.out}: ${manifest.count} items in ${manifest.groups.count} groups, ` +
          `${holes.proved} indices proved empty, ${holes.notFound} given up`,
        `root ${manifest.root}`,
        `next: touchstone verify ${flags.out}`,
      )
    } finally {
      bar.end()
    }
  },
})

function promptsOf({ prompts, solutions, detail, style }: Flags): Pick<GenerateRequest, 'prompts' | 'solutions'> {
  if (style !== undefined && !prompts && !solutions) throw new UsageError('--style: of prompts; add --prompts')
  if (detail !== undefined && !solutions) throw new UsageError('--detail: of worked solutions; add --solutions')
  return { ...(prompts || solutions ? { prompts: style ?? true } : {}), solutions: solutions && (detail ?? 'full') }
}
