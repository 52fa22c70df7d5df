import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const seal = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Seal a finished run in one file that anybody can verify offline',
    fullDescription:
      'The run is verified first. Publish the id with a date: a git tag, a timestamp service, a paper. touchstone verify FILE checks the file by itself.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The run folder, or store:RUN', parse: text, placeholder: 'run' }],
    },
    flags: {
      out: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'The file to write; left out: seal.json in the run folder',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func({ out: wanted, json, plugin = [] }, what) {
    const lab = await labOfTasks({ plugin })
    const { out, seal: made } = await lab.seal(what, wanted === undefined ? {} : { out: wanted })
    const { schema, id, summary, items, calls } = made
    if (json) return printJson(this, { schema, out, id, summary })
    print(this, `${out}: ${items.length} items, ${calls.length} calls`, `id ${id}`, `next: touchstone verify ${out}`)
  },
})
