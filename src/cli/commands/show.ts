import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { print, printJson } from '../output.ts'
import { type DatasetFlags, datasetFlags, jsonFlag, pluginFlag, resolveConfig, text, wholeNumber } from '../words.ts'

interface Flags extends DatasetFlags {
  readonly index: number
  readonly style?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const show = buildCommand<Flags, [string], Context>({
  docs: { brief: 'One item: prompt, answer, features, witness' },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The task', parse: text, placeholder: 'task' }] },
    flags: {
      ...datasetFlags,
      index: { kind: 'parsed', parse: wholeNumber, default: '0', brief: 'Which item' },
      style: { kind: 'parsed', parse: text, optional: true, brief: 'How the question is put (touchstone list)' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, name) {
    const { findTask, loadTasks } = await import('../../lab/plugins.ts')
    const task = findTask(await loadTasks(flags.plugin), name)
    const { config } = await resolveConfig(task, flags)
    const style = flags.style ?? task.styles[0]
    if (!task.styles.includes(style))
      throw new UsageError(`${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`)
    const source = task.source(config, { split: flags.split, seed: flags.seed })
    const item = source.item(flags.index)
    if (item.kind === 'hole') {
      if (flags.json) return printJson(this, { schema: 'touchstone/show/1', ...item })
      return print(this, `${item.id} is a hole, ${item.proved ? 'proved' : 'given up'}: ${item.reason}`)
    }
    const problem = { shared: item.shared, given: item.given, answer: item.answer }
    const witness = task.witness(problem)
    const request = source.request(item, style)
    const view = task.view?.(problem) ?? []
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
