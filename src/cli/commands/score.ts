import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { print, printJson } from '../output.ts'
import { progress } from '../progress.ts'
import { runContext } from '../runs.ts'
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
    const { openRun, refreshRunRows, rescoreRun, rescueRun, withRun } = await import('../../runner/index.ts')
    const run = await openRun(dir, await runContext(flags.plugin), { mode: 'write' })
    await withRun(run, async (open) => {
      const rescue = flags.rescue ? await rescueRun(open) : null
      const counts = await open.ledger.counts()
      const bar = progress(this, 'score', 'responses')
      const result = await rescoreRun(open, (done) => bar.update(done, counts.done))
      bar.end()
      await refreshRunRows(open)
      if (flags.json) return printJson(this, { schema: 'touchstone/score/1', run: dir, ...result, ...rescue })
      if (rescue !== null)
        print(this, `${dir}: ${rescue.rescued} responses rescued from ${rescue.bodies} bodies that could not be read`)
      print(this, `${dir}: ${result.responses} responses scored, ${result.changed} changed`)
    })
  },
})
