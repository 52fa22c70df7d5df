import { buildCommand } from '@stricli/core'
import type { Chosen } from '../../report/index.ts'
import type { Context } from '../context.ts'
import { labOf } from '../lab.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly force: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const select = buildCommand<Flags, [string], Context>({
  docs: {
    brief: 'Choose the best style and parser for each model on a finished validation run',
    fullDescription:
      'touchstone run TASK --split validation --style A --style B --model M --out V, then touchstone select V, then ' +
      'touchstone run TASK --model M --selection V/selection.json --out T.',
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
    flags: {
      force: { kind: 'boolean', default: false, brief: 'Also from items of other splits, or from an unfinished run' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags, dir) {
    const lab = await labOf(flags, dir)
    const { out, selection } = await lab.select(dir, { force: flags.force })
    for (const reason of selection.objections) note(this, `chosen nevertheless: ${reason}`)
    if (flags.json) return printJson(this, selection)
    print(this, ...table(selection.choices), '', costLine(selection.cost))
    print(this, `ties: ${selection.rule}`, `${out} written; next: touchstone run ... --split test --selection ${out}`)
  },
})

function table(choices: readonly Chosen[]): string[] {
  const head = [
    'task',
    'model',
    'settings',
    'style',
    'parser',
    'accuracy',
    '95 % interval',
    'read',
    'tokens out',
    'tied',
  ]
  const rows = choices.map(({ task, model, settings, style, parser, accuracy, read, outputTokens, tied }) => [
    task,
    model,
    settings,
    style,
    parser,
    accuracy.value.toFixed(3),
    `${accuracy.low.toFixed(3)} to ${accuracy.high.toFixed(3)}`,
    read.toFixed(3),
    outputTokens === null ? '' : outputTokens.toFixed(0),
    String(tied.length),
  ])
  return aligned([head, ...rows], [5, 7, 8, 9])
}

const costLine = ({ calls, inputTokens, outputTokens, usd }: Chosen['cost']): string =>
  `choosing took ${calls} calls, ${inputTokens ?? 'unknown'} tokens in, ${outputTokens ?? 'unknown'} tokens out, ` +
  (usd === null ? 'at unknown cost' : `$${usd.toFixed(4)}`)
