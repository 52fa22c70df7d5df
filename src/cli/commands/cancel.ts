import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { amount } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { execute, exitAs, nextLine, printOutcome } from '../runs.ts'
import { jsonFlag, lostFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly poll?: number
  readonly lost?: readonly string[]
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const cancel = buildCommand<Flags, [string], Context>({
  docs: { brief: 'End the batches of a run that are with providers, and collect what they have done' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
    flags: {
      poll: {
        kind: 'parsed',
        parse: amount(30),
        optional: true,
        brief: 'Seconds between two looks at a batch; left out: 30',
      },
      lost: lostFlag,
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, dir) {
    const lab = await labOfTasks(flags)
    const result = await execute(this, (options) =>
      lab.resume(dir, {
        ...options,
        cancel: true,
        ...(flags.lost === undefined ? {} : { lost: flags.lost }),
        ...(flags.poll === undefined ? {} : { poll: flags.poll }),
      }),
    )
    exitAs(this, result)
    if (flags.json) return printJson(this, result)
    printOutcome(this, result)
    print(this, '', nextLine(result))
  },
})
