import type { Chosen } from '../../report/index.ts'
import type { FlagsOf, selectFlags } from '../command-flags.ts'
import { labOf } from '../lab.ts'
import { aligned, type Context, print, printError, printJson } from '../output.ts'

export default async function select(
  context: Context,
  { force, json, plugins }: FlagsOf<typeof selectFlags>,
  dir: string,
): Promise<void> {
  const { out, selection } = await (await labOf({ plugins }, dir)).select(dir, { force })
  for (const reason of selection.objections) printError(context, `selected anyway: ${reason}`)
  if (json) return printJson(context, selection)
  print(context, ...table(selection.choices), '', costLine(selection.cost))
  print(context, `ties: ${selection.rule}`, `${out} written; next: touchstone run ... --split test --selection ${out}`)
}

function table(choices: readonly Chosen[]): string[] {
  const head = [
    'task',
    'model',
    'settings',
    'style',
    'parser',
    'accuracy',
    '95 % interval',
    'parsed',
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
  `cost of the selection: ${calls} calls, ${inputTokens ?? 'unknown'} input tokens, ${outputTokens ?? 'unknown'} output tokens, ` +
  (usd === null ? 'unknown cost' : `$${usd.toFixed(4)}`)
