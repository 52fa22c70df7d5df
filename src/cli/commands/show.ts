import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { countOf, wholeFrom0 } from '../numbers.ts'
import { print, printJson } from '../output.ts'
import { showRun } from '../show-run.ts'
import { folderOf } from '../stored.ts'
import { type DatasetFlags, datasetFlags, jsonFlag, pluginFlag, rejectFlags, resolveConfig, text } from '../words.ts'

interface Flags extends DatasetFlags {
  readonly index?: number
  readonly style?: string
  readonly item?: string
  readonly where?: string
  readonly model?: string
  readonly wrong: boolean
  readonly differ?: readonly string[]
  readonly parser?: string
  readonly limit?: number
  readonly json: boolean
  readonly plugin?: readonly string[]
}

const ofRuns = ['item', 'where', 'model', 'wrong', 'differ', 'parser', 'limit'] as const
const ofTasks = ['preset', 'config', 'set', 'index', 'style'] as const

export const show = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'One item of a task, or what models said in a run: prompt, answer, reading, truth',
    fullDescription:
      'touchstone show TASK --preset P --index 3 shows an item: prompt, answer, features, witness. touchstone show RUN shows ' +
      'responses: what was asked, what came with the part that was read marked [[so]], how it was graded, and the truth. ' +
      '--wrong, --differ A --differ B, --item, --model and --where choose among them.',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The task, a run folder, or store:RUN', parse: text, placeholder: 'what' }],
    },
    flags: {
      ...datasetFlags,
      index: { kind: 'parsed', parse: wholeFrom0(0), optional: true, brief: 'Of a task: which item; left out: 0' },
      style: { kind: 'parsed', parse: text, optional: true, brief: 'How the question is put (touchstone list)' },
      item: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of a run: responses to this item (id, its start, or its index)',
      },
      where: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of a run: a SQL condition over its rows, such as "value < 1"',
      },
      model: { kind: 'parsed', parse: text, optional: true, brief: 'Of a run: responses of this model' },
      wrong: { kind: 'boolean', default: false, brief: 'Of a run: responses that were read, and are wrong' },
      differ: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Of a run, twice: where one of two models is right and the other is not',
      },
      parser: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Of a run: whose readings count; left out: strict',
      },
      limit: { kind: 'parsed', parse: countOf(5), optional: true, brief: 'Of a run: at most so many; left out: 1' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, what) {
    const name = await folderOf(this, what, flags.plugin)
    if (existsSync(join(name, 'run.json'))) {
      rejectFlags(flags, ofTasks, `${name} is a run; these flags are of tasks`)
      return showRun(this, name, flags)
    }
    rejectFlags(flags, ofRuns, `${name} is no run folder; these flags are of runs`)
    const { findTask, loadTasks } = await import('../../lab/plugins.ts')
    const task = findTask(await loadTasks(flags.plugin), name)
    const { config } = await resolveConfig(task, flags)
    const style = flags.style ?? task.styles[0]
    if (!task.styles.includes(style))
      throw new UsageError(`${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`)
    const source = task.source(config, { split: flags.split, seed: flags.seed })
    const item = source.item(flags.index ?? 0)
    if (item.kind === 'hole') {
      if (flags.json) return printJson(this, { schema: 'touchstone/show/1', ...item })
      return print(this, `${item.id} is a hole, ${item.proved ? 'proved' : 'given up'}: ${item.reason}`)
    }
    const problem = { shared: item.shared, given: item.given, answer: item.answer }
    const witness = task.witness(problem)
    const request = source.request(item, style)
    const view = task.drawings?.(problem) ?? []
    const gold = task.gold?.(problem) ?? null
    if (flags.json)
      return printJson(this, {
        schema: 'touchstone/show/1',
        ...item,
        style,
        request,
        gold,
        witness,
        checked: task.check(problem, witness),
        view,
      })
    print(this, `${item.id}`, '')
    if (request.kind === 'chat')
      for (const message of request.messages) print(this, `── ${message.role} ──`, message.content, '')
    else print(this, '── context ──', request.context, '── text to be scored ──', request.text, '')
    print(this, `answer   ${JSON.stringify(item.answer)}`)
    if (gold !== null) print(this, `gold     ${gold}`)
    print(this, `oracle   ${task.oracle(problem, item.answer) ? 'agrees' : 'DISAGREES'}`)
    print(this, `witness  ${task.check(problem, witness) ? 'checks' : 'FAILS'}: ${cut(JSON.stringify(witness))}`)
    print(
      this,
      `features ${Object.entries(item.features)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`,
    )
    print(this, `hash     ${item.hash}`)
    for (const drawing of view)
      if (typeof drawing === 'object' && drawing !== null && 'text' in drawing) print(this, '', String(drawing['text']))
  },
})

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text)
