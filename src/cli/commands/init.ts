import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { jsonFlag, text } from '../words.ts'

interface Flags {
  readonly out?: string
  readonly json: boolean
}

export const init = buildCommand<Flags, [string, string], Context>({
  docs: { brief: 'Write a working task of your own, with its test' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: 'What to write: task', parse: text, placeholder: 'task' },
        { brief: 'family/task, or a name in the family "my"', parse: text, placeholder: 'name' },
      ],
    },
    flags: {
      out: { kind: 'parsed', parse: text, optional: true, brief: 'The folder; left out: the name of the task' },
      json: jsonFlag,
    },
  },
  async func({ out, json }, what, name) {
    if (what !== 'task') throw new UsageError(`init writes a task: touchstone init task NAME; got "${what}"`)
    const started = await (await labOf({})).init(name, out)
    if (json) return printJson(this, started)
    const { task, folder, files } = started
    print(
      this,
      `${folder}: ${files.join(', ')}`,
      '',
      `next: touchstone check ${task} --plugin ${folder}/task.js`,
      `      touchstone show ${task} --plugin ${folder}/task.js --preset easy --index 0`,
    )
  },
})
