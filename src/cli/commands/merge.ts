import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const merge = buildCommand<Flags, string[], Context>({
  docs: { brief: 'Join the shards of one dataset, given in any order' },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'Folders made by generate --shard', parse: text, placeholder: 'shard' },
      minimum: 1,
    },
    flags: {
      out: { kind: 'parsed', parse: text, brief: 'The folder to write' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, ...folders) {
    const { findTask, loadTasks } = await import('../../lab/plugins.ts')
    const { merge: join, openDataset } = await import('../../datasets/index.ts')
    const datasets = await Promise.all(folders.map((folder) => openDataset(folder)))
    const task = findTask(await loadTasks(flags.plugin, folders[0]), datasets[0]?.manifest.task ?? '')
    const manifest = await join(datasets, task, flags.out)
    if (flags.json) return printJson(this, manifest)
    const { count, first, indices, root } = manifest
    print(
      this,
      `${flags.out}: ${count} items from ${folders.length} shards, indices ${first} to ${first + indices - 1}`,
      `root ${root}`,
    )
  },
})
