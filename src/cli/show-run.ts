import { type Outcome, type ParserResult, UsageError } from '../core/index.ts'
import type { ResponsesRequest } from '../lab/index.ts'
import type { CallDetails } from '../runner/index.ts'
import type { Context } from './context.ts'
import { labOf } from './lab.ts'
import { note, print, printJson } from './output.ts'

export interface ShowRunFlags extends Pick<ResponsesRequest, 'item' | 'where' | 'model' | 'parser' | 'limit'> {
  readonly wrong: boolean
  readonly differ?: readonly string[]
  readonly json: boolean
  readonly plugin?: readonly string[]
}

/** Characters of one text that a terminal is given; `--json` has all of them. */
const MAX = 20_000

/** Prints responses of a run. */
export async function showRun(context: Context, dir: string, flags: ShowRunFlags): Promise<void> {
  const { item, where, model, wrong, parser, json } = flags
  const [a, b, ...more] = flags.differ ?? []
  if (a !== undefined && (b === undefined || more.length > 0))
    throw new UsageError('--differ is given twice: --differ A --differ B')
  // Where two models differ, both of a pair are shown.
  const { limit = a === undefined ? 1 : 2 } = flags
  const lab = await labOf(flags)
  const found = await lab.responses(dir, {
    ...(item === undefined ? {} : { item }),
    ...(where === undefined ? {} : { where }),
    ...(model === undefined ? {} : { model }),
    ...(a === undefined || b === undefined ? {} : { differ: [a, b] }),
    ...(parser === undefined ? {} : { parser }),
    wrong,
    limit,
  })
  if (json) return printJson(context, found)
  for (const cell of found.cells) printCell(context, cell, found.parser)
  if (found.matched === 0) return note(context, `no response of ${dir} fits`)
  note(
    context,
    `${found.cells.length} of ${found.matched} responses that fit${further(found.cells.length, found.matched)}`,
  )
}

const further = (shown: number, matched: number): string => (shown < matched ? `; --limit ${matched} shows all` : '')

function printCell(context: Context, cell: CallDetails, parser: string): void {
  const { item, request, response, outcome, gold } = cell
  print(context, `${item.id}`, `${cell.model}  ${cell.style}  ${cell.settings}  sample ${cell.sample}`, '')
  if (request === null) print(context, '── prompt ──', 'of another version of the task than is installed', '')
  else if (request.kind === 'chat')
    for (const message of request.messages) print(context, `── ${message.role} ──`, cut(message.content), '')
  else print(context, '── context ──', cut(request.context), '── text that was scored ──', cut(request.text), '')
  if (response !== null && response.reasoning !== null && response.reasoning !== '')
    print(context, '── reasoning ──', cut(response.reasoning), '')
  const verdict = outcome?.kind === 'answered' ? outcome.results[parser] : undefined
  if (response !== null) print(context, '── answer ──', marked(response.text, verdict), '')
  print(context, `outcome  ${told(outcome, verdict)}`)
  if (outcome?.kind === 'answered')
    for (const [other, read] of Object.entries(outcome.results))
      if (other !== parser && gradeOf(read) !== gradeOf(verdict))
        print(context, `         ${other}: ${told(outcome, read)}`)
  print(context, `truth    ${gold ?? JSON.stringify(item.answer)}`)
  print(
    context,
    `features ${Object.entries(item.features)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')}`,
  )
  for (const drawing of cell.view)
    if (typeof drawing === 'object' && drawing !== null && 'text' in drawing)
      print(context, '', String(drawing['text']))
  print(context, '')
}

/** The text of an answer, the part that was read between [[ and ]]. */
function marked(text: string, verdict: ParserResult | undefined): string {
  if (verdict?.kind !== 'graded') return cut(text)
  const [start, end] = verdict.span
  const inside = `[[${text.slice(start, end)}]]`
  // Of a long text what is around the part that was read is shown.
  const before = text.slice(0, start)
  const shownBefore = before.length > MAX ? `(${before.length - MAX} characters before) …${before.slice(-MAX)}` : before
  return `${shownBefore}${cut(inside)}${cut(text.slice(end))}`
}

/** What a reading comes to: a parser that comes to the same is not told of. */
const gradeOf = (verdict: ParserResult | undefined): number | null =>
  verdict?.kind === 'graded' ? verdict.value : null

function told(outcome: Outcome | null, verdict: ParserResult | undefined): string {
  if (outcome === null) return 'not answered yet'
  if (outcome.kind === 'error') return `failed (${outcome.source}, ${outcome.code}): ${outcome.message}`
  if (outcome.kind === 'measured') return `measured ${JSON.stringify(outcome.values)}`
  const ended = outcome.finish === 'stop' ? '' : ` (${outcome.finish})`
  if (verdict === undefined) return `not read${ended}`
  if (verdict.kind === 'unparsed') return `unparsed: ${verdict.reason}${ended}`
  const grade = verdict.value >= 1 ? 'right' : verdict.value > 0 ? `partly right, ${verdict.value.toFixed(3)}` : 'wrong'
  return `${grade}: read ${JSON.stringify(verdict.answer)} by the rule ${verdict.rule}${ended}`
}

const cut = (text: string): string =>
  text.length > MAX ? `${text.slice(0, MAX)}… (${text.length} characters; --json has all)` : text
