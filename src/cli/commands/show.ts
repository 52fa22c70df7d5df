import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Outcome, type ParserResult, type Task, UsageError } from '../../core/index.ts'
import type { RunStatus } from '../../lab/index.ts'
import { inStore } from '../../lab/provenance.ts'
import { rejectOptions, responsesRequest } from '../../lab/requests/index.ts'
import { askedStyles, type CallDetails, type Live } from '../../runner/index.ts'
import { duration } from '../../runner/progress/model-progress.ts'
import type { FlagsOf, showFlags } from '../command-flags.ts'
import { configuredBy } from '../configuration.ts'
import { folderOf, labOfTasks } from '../lab.ts'
import { modelLines } from '../live.ts'
import { aligned, type Context, print, printError, printJson } from '../output.ts'
import { batchRows, countRows, printSummary, stoppedLines } from '../run-output.ts'

type Flags = FlagsOf<typeof showFlags>

/** Flags that select responses of a run. */
const OF_RUNS = Object.keys(responsesRequest.shape) as (keyof typeof responsesRequest.shape)[]
const OF_TASKS = ['preset', 'config', 'set', 'split', 'seed', 'index', 'style', 'template'] as const

export default async function show(context: Context, flags: Flags, what: string): Promise<void> {
  const isRun = inStore(what) || existsSync(join(what, 'run.json'))
  if (!isRun) return showItem(context, flags, what)
  rejectOptions(flags, OF_TASKS, `only for tasks, and ${what} is a run`)
  const selects = OF_RUNS.some((name) => flags[name] !== undefined && flags[name] !== false)
  if (selects) await showResponses(context, flags, await folderOf(context, what, flags))
  else await showState(context, flags, what)
}

// ---- An item of a task

async function showItem(context: Context, flags: Flags, name: string): Promise<void> {
  rejectOptions(flags, OF_RUNS, `only for runs, and ${name} is not a run folder`)
  const task = (await labOfTasks(flags, [name])).task(name)
  const config = await configuredBy(task, flags)
  const { split = 'test', seed = '1', template } = flags
  if (template !== undefined) rejectOptions(flags, ['style'], 'the template is the style')
  const asked = askedStyles(task, flags.style === undefined ? undefined : [flags.style], [template ?? []].flat())
  const style = asked.styles[0] as string
  const source = task.source(config, { split, seed }, undefined, asked.templates)
  const item = source.item(flags.index ?? 0)
  if (item.kind === 'hole') {
    if (flags.json) return printJson(context, { schema: 'touchstone/show/1', ...item })
    return print(context, `${item.id} is empty (${item.proved ? 'proved' : 'search limit reached'}): ${item.reason}`)
  }
  const problem = { shared: item.shared, given: item.given, answer: item.answer }
  const witness = task.witness(problem)
  const request = source.request(item, style)
  const view = task.drawings?.(problem) ?? []
  const gold = task.gold?.(problem) ?? null
  const checked = task.check(problem, witness)
  if (flags.json)
    return printJson(context, { schema: 'touchstone/show/1', ...item, style, request, gold, witness, checked, view })
  print(context, `${item.id}`, '')
  printRequest(context, request, (text) => text)
  print(context, `answer   ${JSON.stringify(item.answer)}`)
  if (gold !== null) print(context, `gold     ${gold}`)
  print(
    context,
    ...(task.asGiven !== undefined
      ? ['proof    none: the answer is as given']
      : [
          `oracle   ${task.oracle(problem, item.answer) ? 'agrees' : 'DISAGREES'}`,
          `witness  ${checked ? 'valid' : 'INVALID'}: ${shortened(JSON.stringify(witness), 200, '')}`,
        ]),
    featureLine(item.features),
    `hash     ${item.hash}`,
  )
  printDrawings(context, view)
}

type Request = ReturnType<ReturnType<Task['source']>['request']>

function printRequest(context: Context, request: Request, text: (content: string) => string): void {
  if (request.kind === 'chat')
    for (const message of request.messages) print(context, `── ${message.role} ──`, text(message.content), '')
  else print(context, '── context ──', text(request.context), '── text to be scored ──', text(request.text), '')
}

const featureLine = (features: { readonly [name: string]: unknown }): string =>
  `features ${Object.entries(features)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')}`

function printDrawings(context: Context, drawings: readonly unknown[]): void {
  for (const drawing of drawings)
    if (typeof drawing === 'object' && drawing !== null && 'text' in drawing) print(context, '', String(drawing.text))
}

const shortened = (text: string, max: number, hint: string): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters${hint})` : text

// ---- The state of a run

async function showState(context: Context, flags: Flags, run: string): Promise<void> {
  const lab = await labOfTasks(flags)
  const status = await lab.status(run)
  if (flags.json) return printJson(context, status)
  print(context, ...stateLines(status))
  if (status.kind === 'store' || status.counts.done + status.counts.errors === 0 || status.live !== null) return
  print(context, '')
  await printSummary(context, lab, { run, counts: status.counts, warnings: [] })
}

function liveLines({ usd, limit, rate, left, models }: Live): readonly string[] {
  const money = usd > 0 || limit !== null ? [`$${usd.toFixed(2)}${limit === null ? '' : ` of $${limit}`}`] : []
  const time = left === null || left === 0 ? [] : [`${duration(left)} left`]
  return ['', [`${rate.toFixed(1)}/s`, ...time, ...money].join(' · '), ...modelLines(models, limit)]
}

function stateLines(status: RunStatus): readonly string[] {
  const counts = countRows(status.counts)
  if (status.kind === 'store')
    return [
      `${status.run} in ${status.place}: $${status.costUsd.toFixed(4)}`,
      ...aligned([...counts, ...batchRows(status.batches)]),
    ]
  const { name, run, batches, models, sources, moved, holder, stoppedModels, live } = status
  return [
    `${name} (${run})`,
    ...aligned([
      ...counts,
      ...batchRows(batches),
      ['  models', models.map((model) => model.replaceAll(/\s+/gu, ' ')).join(', ')],
      ['  items', sources.map(({ task, label }) => `${task} ${label}`).join(', ')],
      ...(moved === null ? [] : [['  calls in', `${moved}: touchstone cluster status`]]),
      ['  used by', holder === null ? 'no process' : JSON.stringify(holder)],
    ]),
    ...stoppedLines(stoppedModels, `touchstone resume ${run}`),
    ...(live === null ? [] : liveLines(live)),
  ]
}

// ---- Responses of a run

const selection = z.object(responsesRequest.omit({ disagree: true }).shape)

/** Most characters of a text on a terminal; `--json` prints all. */
const MAX_TEXT = 20_000

async function showResponses(context: Context, flags: Flags, dir: string): Promise<void> {
  const [a, b, ...more] = flags.disagree ?? []
  if (a !== undefined && (b === undefined || more.length > 0))
    throw new UsageError('--disagree must be given twice: --disagree A --disagree B')
  const disagree = a === undefined || b === undefined ? undefined : ([a, b] as const)
  // Where two models disagree, both responses are shown.
  const { limit = disagree === undefined ? 1 : 2, ...request } = selection.parse(flags)
  const found = await (await labOfTasks(flags)).responses(dir, { ...request, disagree, limit })
  if (flags.json) return printJson(context, found)
  for (const call of found.calls) printCall(context, call, found.parser)
  const { matched } = found
  if (matched === 0) return printError(context, `no response of ${dir} matches`)
  const shown = found.calls.length
  printError(
    context,
    `${shown} of ${matched} matching responses${shown < matched ? ` (--limit ${matched} shows all)` : ''}`,
  )
}

function printCall(context: Context, call: CallDetails, parser: string): void {
  const { item, request, response, outcome, gold } = call
  print(context, `${item.id}`, `${call.model}  ${call.style}  ${call.settings}  sample ${call.sample}`, '')
  if (request === null) print(context, '── prompt ──', 'of another task version than is installed', '')
  else printRequest(context, request, shortText)
  if (response !== null && response.reasoning !== null && response.reasoning !== '')
    print(context, '── reasoning ──', shortText(response.reasoning), '')
  const result = outcome?.kind === 'answered' ? outcome.results[parser] : undefined
  if (response !== null) print(context, '── response ──', marked(response.text, result), '')
  const target = JSON.stringify(item.answer)
  print(context, `result   ${resultText(outcome, result, target)}`)
  if (outcome?.kind === 'answered')
    for (const [other, one] of Object.entries(outcome.results))
      if (other !== parser && scoreOf(one) !== scoreOf(result))
        print(context, `         ${other}: ${resultText(outcome, one, target)}`)
  print(context, `target   ${gold ?? target}`, featureLine(item.features))
  printDrawings(context, call.view)
  print(context, '')
}

/** The text of a response, the parsed part between [[ and ]]. */
function marked(text: string, result: ParserResult | undefined): string {
  if (result?.kind !== 'graded') return shortText(text)
  const [start, end] = result.span
  const before = text.slice(0, start)
  // Of a long text the part around the prediction is shown.
  const head =
    before.length > MAX_TEXT ? `(${before.length - MAX_TEXT} characters before) …${before.slice(-MAX_TEXT)}` : before
  return `${head}${shortText(`[[${text.slice(start, end)}]]`)}${shortText(text.slice(end))}`
}

/** The score under a parser: parsers of equal score are shown once. */
const scoreOf = (result: ParserResult | undefined): number | null => (result?.kind === 'graded' ? result.value : null)

function resultText(outcome: Outcome | null, result: ParserResult | undefined, target: string): string {
  if (outcome === null) return 'no response yet'
  if (outcome.kind === 'error') return `error (${outcome.source}, ${outcome.code}): ${outcome.message}`
  if (outcome.kind === 'measured') return `loglikelihood ${JSON.stringify(outcome.values)}`
  const ended = outcome.finish === 'stop' || outcome.finish === 'unknown' ? '' : ` (${outcome.finish})`
  if (result === undefined) return `not parsed${ended}`
  if (result.kind === 'unparsed') return `unparsed: ${result.reason}${ended}`
  const parsed = `parsed ${JSON.stringify(result.answer)} (rule ${result.rule})`
  if (result.value >= 1) return `correct: ${parsed}${ended}`
  const verdict = result.value > 0 ? `partly correct (score ${result.value.toFixed(3)})` : 'incorrect'
  return `${verdict}: ${parsed}, target ${target}${ended}`
}

const shortText = (text: string): string => shortened(text, MAX_TEXT, '; --json prints all')
