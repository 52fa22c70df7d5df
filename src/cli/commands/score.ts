import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly rescue: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const score = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Read and grade every response of a run again, offline' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
    flags: {
      rescue: {
        kind: 'boolean',
        default: false,
        brief: 'First read again what came of answers that could not be read; nothing is asked',
      },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, dir) {
    const lab = await labOfTasks(flags)
    const bar = progress(this, 'score', 'responses')
    try {
      const result = await lab.score(dir, { rescue: flags.rescue, onProgress: bar.update })
      bar.end()
      if (flags.json) return printJson(this, result)
      if (result.reparsed !== undefined)
        print(this, `${dir}: ${result.reparsed} responses rescued from ${result.bodies} bodies that could not be read`)
      print(this, `${dir}: ${result.responses} responses scored, ${result.changed} changed`)
    } finally {
      bar.end()
    }
  },
})
