import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  type ChangedPlugin,
  changedPlugins,
  describeChangedPlugins,
  type Outcome,
  type ParserResult,
  type PluginRecord,
  requireSamePlugins,
  type Task,
  UsageError,
} from '../../core/index.ts'
import { readBody } from '../../models/index.ts'
import { explained, settingsIn } from '../../store/index.ts'
import { responseEvent } from '../calls/call.ts'
import { RUN_FILES, type Run } from '../folder/run.ts'
import { writeRunFile } from '../folder/run-file.ts'
import { reserveCost } from '../money/cost-reservation.ts'
import { evenlySpaced } from '../plan/call-order.ts'
import { hashPrompts, PROMPTS_KEY } from '../plan/prompts.ts'
import { scoreResponse } from './score.ts'

export interface RescoreResult {
  readonly responses: number
  /** Responses whose score differs from the newest one before, or that had none. */
  readonly changed: number
  readonly scorers: { readonly [task: string]: number }
}

/**
 * Scores every response again, offline, by the parsers installed now. Scores of other scorer versions stay; tables use the
 * newest.
 *
 * @example
 * import { openRun, rescoreRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const rescore = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => rescoreRun(run))
 */
export async function rescoreRun(run: Run, onProgress?: (responses: number) => void): Promise<RescoreResult> {
  const scorers: { [task: string]: number } = {}
  const people = readPeople(run.dir)
  let responses = 0
  let changed = 0
  for await (const page of run.ledger.responses()) {
    const before = run.ledger.outcomes(page[0]?.call ?? 0, page.at(-1)?.call ?? 0)
    const events = page.flatMap(({ call, item, shared, response }) => {
      const task = run.sources.scorer(item.source)
      const truth = people.get(call)
      // Scores of a log are not ours to repeat.
      const isGiven = task.asGiven === 'scores'
      if (isGiven && truth === undefined) return []
      scorers[task.name] = task.scorerVersion
      const found = isGiven
        ? (JSON.parse(before.get(call) ?? 'null') as Outcome)
        : scoreResponse(task, run.sources.problem(item, shared), response)
      return [
        { kind: 'score', call, scored: { scorer: task.scorerVersion, outcome: withTruth(found, truth) } } as const,
      ]
    })
    for (const { call, scored } of events) if (before.get(call) !== JSON.stringify(scored.outcome)) changed++
    await run.ledger.commit(events)
    responses += page.length
    onProgress?.(responses)
  }
  return { responses, changed, scorers }
}

export interface ReparseResult {
  /** Stored bodies of calls without a response. */
  readonly bodies: number
  /** Calls that have one now. */
  readonly reparsed: number
}

/**
 * Parses stored unreadable bodies again, more leniently than a run does: nothing is called or paid. A call that gets a
 * response this way is done.
 */
export async function reparseBodies(run: Run): Promise<ReparseResult> {
  let bodies = 0
  const rescued = new Set<number>()
  for await (const page of run.ledger.unparsedBodies()) {
    for (const body of page) {
      bodies++
      const model = run.file.models.find(({ name }) => name === body.model)
      const request = run.sources.request(body.item, body.shared, body.style)
      const messages = request.kind === 'chat' ? request.messages : []
      const answer = rescued.has(body.call) ? null : readBody(body.body(), true, messages)
      if (answer === null || model === undefined) continue
      const { started, ended, http, requestId, maxUsd } = body
      const reply = { ...answer, http, requestId }
      const call = { ...body, id: body.call, sample: 0 }
      const settings = settingsIn(body.settings) as (typeof model.settings)[number]
      const { bounds } = reserveCost(run.sources, { model: { kind: 'chat' }, spec: model }, call, settings)
      const event = responseEvent(run, model, call, { reply, started, ended }, { maxUsd: maxUsd ?? 0, bounds })
      await run.ledger.commit([event])
      rescued.add(body.call)
    }
  }
  return { bodies, reparsed: rescued.size }
}

/** Items of a source that are regenerated before another plugin scores its responses. */
const LOOKED = 32

/**
 * Lets plugins score a run that have changed since it was made, if their authors raised the `scorer` of each task: run.json
 * names the new content from then on, and the old one as previous.
 *
 * @param tasksOf - the tasks of an installed plugin.
 * @throws UsageError if a plugin is missing, a scorer was not raised, or items or prompts differ under the same version
 */
export async function takeChangedScorers(run: Run, tasksOf: (plugin: PluginRecord) => readonly Task[]): Promise<void> {
  const { plugins: made = [] } = run.file
  const here = run.context.plugins ?? []
  const changed = changedPlugins(made, here)
  if (changed.length === 0) return
  for (const one of changed) {
    if (one.here === null) return requireSamePlugins(made, here, 'this command')
    const asked = tasksOf(one.here).filter(({ name }) => run.file.sources.some(({ task }) => task === name))
    if (asked.length === 0) return requireSamePlugins(made, here, 'this command')
    for (const task of asked) rejectSameScorer(run, task, one)
  }
  for (const number of run.file.sources.keys()) rejectOtherItems(run, number)
  await rejectOtherPrompts(run)
  const replaced = new Map(changed.map((one) => [one.made, one.here ?? one.made]))
  const file = {
    ...run.file,
    plugins: made.map((plugin) => replaced.get(plugin) ?? plugin),
    previousPlugins: [...(run.file.previousPlugins ?? []), ...replaced.keys()],
  }
  await writeRunFile(join(run.dir, RUN_FILES.run), file, run.redact.shapes)
}

function rejectSameScorer({ ledger }: Run, { name, scorerVersion: scorer }: Task, changed: ChangedPlugin): void {
  const [row] = ledger.query(
    'SELECT MAX(s.scorer) AS newest FROM score s JOIN call c ON c.id = s.call JOIN item i ON i.id = c.item WHERE i.task = ?',
    name,
  )
  const newest = row?.['newest'] ?? null
  if (newest === null || scorer > Number(newest)) return
  throw new UsageError(
    `${describeChangedPlugins(changed, 'the run', 'this command')}. Responses are graded by another plugin only if its author states that it grades ` +
      `differently: raise scorer of ${name} above ${newest} (it is ${scorer}), or name the same plugin with --plugin`,
  )
}

/** A plugin that generates other items may not score earlier responses, whatever its scorer. */
function rejectOtherItems(run: Run, number: number): void {
  const source = run.file.sources[number]
  if (source?.kind !== 'generated' || run.sources.scorer(number).version !== source.version) return
  const [row] = run.ledger.query(
    'SELECT MIN(position) AS first, MAX(position) AS last FROM item WHERE source = ?',
    number,
  )
  if (row === undefined || row['first'] === null) return
  const [first, last] = [Number(row['first']), Number(row['last'])]
  const items = run.sources.source(number)
  for (const at of evenlySpaced(last - first + 1, LOOKED)) {
    const [item] = run.ledger.query(
      'SELECT item_index, item_hash FROM item WHERE source = ? AND position = ?',
      number,
      first + at,
    )
    if (item === undefined || items?.item(Number(item['item_index'])).hash === item['item_hash']) continue
    throw new UsageError(
      `the installed plugin generates a different item ${item['item_index']} of ${source.task} than the run used. Raise its version and start a new run`,
    )
  }
}

async function rejectOtherPrompts(run: Run): Promise<void> {
  const planned = await run.ledger.meta(PROMPTS_KEY)
  const { sources } = run.file
  const known = sources.every((source, number) => {
    const { version, promptVersion } = run.sources.scorer(number)
    return source.kind === 'generated' && version === source.version && promptVersion === source.promptVersion
  })
  if (planned === null || !known || (await hashPrompts(run)) === planned) return
  throw new UsageError(
    'the installed plugin makes different prompts for this run. Raise its promptVersion and start a new run',
  )
}

const file = z.strictObject({
  schema: z.literal('touchstone/people/1'),
  /** By call: the share of them who call its response right. */
  truth: z.record(z.string(), z.number().min(0).max(1)),
})

/** The truth of responses by call, 0..1; empty where nobody has labelled any. */
export type PeoplesLabels = ReadonlyMap<number, number>

export function readPeople(dir: string): PeoplesLabels {
  const path = join(dir, RUN_FILES.people)
  if (!existsSync(path)) return new Map()
  const { truth } = file.parse(JSON.parse(readFileSync(path, 'utf8')))
  return new Map(Object.entries(truth).map(([call, value]) => [Number(call), value]))
}

export async function writePeople(dir: string, labels: PeoplesLabels): Promise<void> {
  const document: z.infer<typeof file> = { schema: 'touchstone/people/1', truth: Object.fromEntries(labels) }
  await explained(dir, () => writeFile(join(dir, RUN_FILES.people), `${JSON.stringify(document, null, 1)}\n`))
}

/** An outcome whose scores have the truth beside them, as a subscore; undefined: nobody has labelled it. */
export function withTruth(outcome: Outcome, truth: number | undefined): Outcome {
  if (truth === undefined || outcome.kind !== 'answered') return outcome
  const results = Object.entries(outcome.results).map(([name, result]): [string, ParserResult] => [
    name,
    result.kind === 'graded' ? { ...result, parts: { ...result.parts, truth } } : result,
  ])
  return { ...outcome, results: Object.fromEntries(results) }
}
