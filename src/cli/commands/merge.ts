import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const merge = buildCommand<Flags, string[], Context>({
  docs: { brief: 'Join the shards of one dataset or of one run, given in any order' },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'Folders made by generate --shard or run --shard', parse: text, placeholder: 'shard' },
      minimum: 1,
    },
    flags: {
      out: { kind: 'parsed', parse: text, brief: 'The folder to write' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, ...folders) {
    const lab = await labOf(flags)
    const merged = await lab.merge(folders, flags.out)
    if (flags.json) return printJson(this, merged)
    if (merged.schema === 'touchstone/merged-run/1')
      return print(
        this,
        `${flags.out}: ${merged.responses} responses in ${merged.calls} cells from ${merged.shards} shards`,
        merged.waiting > 0
          ? `next: touchstone resume ${flags.out} asks the ${merged.waiting} cells that wait`
          : `next: touchstone report ${flags.out}`,
      )
    const { count, first, indices, root } = merged
    print(
      this,
      `${flags.out}: ${count} items from ${folders.length} shards, indices ${first} to ${first + indices - 1}`,
      `root ${root}`,
    )
  },
})
