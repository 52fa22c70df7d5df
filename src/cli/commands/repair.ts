import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const repair = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Check the ledger of a run, and make a damaged one anew from what can be read of it',
    fullDescription:
      'Pages and the chain of responses are checked. The damaged ledger is kept under another name; plan and scores are made anew; ' +
      'responses that are lost, or not what was recorded, wait to be asked again, and what they cost stays booked.',
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
    flags: { json: jsonFlag, plugin: pluginFlag },
  },
  async func(flags, dir) {
    const lab = await labOfTasks(flags)
    const result = await lab.repair(dir)
    if (flags.json) return printJson(this, { schema: 'touchstone/repair/1', run: dir, ...result })
    if (result.kind === 'whole') return print(this, `${dir}: the ledger is whole`)
    const { faults, salvaged, kept, waiting } = result
    const lost = Object.entries(salvaged.unreadable).filter(([, keys]) => keys > 0)
    print(
      this,
      ...faults.slice(0, 10).map((fault) => `found: ${fault}`),
      `kept: ${salvaged.kept['response']} responses, ${salvaged.kept['call']} calls, ${salvaged.kept['attempt']} attempts`,
      `lost: ${salvaged.dropped} responses that are not what was recorded${lost.map(([table, keys]) => `, ${keys} unreadable keys of ${table}`).join('')}`,
      `the damaged ledger is ${kept}`,
      waiting > 0 ? `${waiting} cells wait: touchstone resume ${dir}` : `next: touchstone verify ${dir}`,
    )
  },
})
