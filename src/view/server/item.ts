import { isUsageError, type Json, type Problem, type Task, UsageError } from '../../core/index.ts'
import { callDetails, type Run } from '../../runner/index.ts'
import { adjacentItems, callsOfItem, type ItemCall } from '../../store/index.ts'
import { featureMeanings, type ItemDocument, itemDocument, type ShownResponse } from '../api/index.ts'
import { selectionOf, type ViewedRun } from './open-runs.ts'
import { queryOf, runDocument } from './run-document.ts'

/** Most characters of one text. */
const MAX_LENGTH = 200_000
const MAX = 400

/** One item with prompts, responses and target. @throws UsageError if the run has no such item */
export async function itemOf(viewed: ViewedRun, id: string): Promise<ItemDocument> {
  const { run } = viewed
  const found = run.ledger.item(id)
  if (found === null) throw new UsageError(`this run has no item ${id.slice(0, 200)}`)
  const { item, shared } = found
  const problem = { shared, given: item.given, answer: item.answer }
  const calls = await callsOfItem(run.ledger, id)
  const asked = promptsOf(viewed, found, calls)
  const task = viewed.here.runnable.find(({ name }) => name === item.task)
  return {
    schema: 'touchstone/view-item/1',
    id,
    index: item.index,
    task: item.task,
    version: item.version,
    config: item.config,
    group: item.group,
    features: { ...item.features },
    meanings: task === undefined ? {} : { ...featureMeanings(task) },
    problem,
    prompts: 'prompts' in asked ? asked.prompts : [],
    promptless: 'prompts' in asked ? null : asked.why,
    gold: goldOf(task, item.version, problem),
    responses: calls.slice(0, MAX).map((cell) => shown(cell, selectedParser(run, item.task, cell))),
    ...(await adjacentItems(run.ledger, item.position)),
  }
}

/** The gold response; null if the item has another task version or was edited. */
function goldOf(task: Task | undefined, version: number, problem: Problem<Json, Json, Json>): string | null {
  if (task?.version !== version) return null
  try {
    return task.gold?.(problem) ?? null
  } catch {
    return null
  }
}

type Found = NonNullable<ReturnType<ViewedRun['run']['ledger']['item']>>

/** The prompt of each style that was asked; where responses were imported, each that a model saw. */
function promptsOf(
  { run }: ViewedRun,
  { item, shared }: Found,
  calls: readonly ItemCall[],
): { readonly prompts: ItemDocument['prompts'] } | { readonly why: string } {
  try {
    const asked = new Set(calls.map(({ style }) => style))
    const styles = run.sources.styles(item).filter((style) => asked.size === 0 || asked.has(style))
    const isImported = run.file.sources[item.source]?.kind === 'imported'
    const prompts = styles.flatMap((style) => {
      const answered = calls.filter((one) => one.style === style && one.response !== null)
      const seen = answered.slice(0, isImported ? MAX : 1).map(({ call, model }) => ({
        request: callDetails(run, call)?.request ?? run.sources.request(item, shared, style),
        model,
      }))
      const models = Map.groupBy(seen, ({ request }) => JSON.stringify(request))
      if (models.size === 0) models.set(JSON.stringify(run.sources.request(item, shared, style)), [])
      return [...models].map(([request, list]) => ({
        style:
          models.size === 1 ? style : `${style}, seen by ${[...new Set(list.map(({ model }) => model))].join(', ')}`,
        request: JSON.parse(request) as ItemDocument['prompts'][number]['request'],
      }))
    })
    return { prompts }
  } catch (error) {
    return { why: isUsageError(error) ? error.message : `what is stored here is not an item of ${item.task}` }
  }
}

const shortened = (text: string): { text: string; length: number } => ({
  text: text.slice(0, MAX_LENGTH),
  length: text.length,
})

/** The parser selected for the model of a call, else strict. */
const selectedParser = (run: Run, task: string, { model, settings }: ItemCall): string =>
  selectionOf(run).find((one) => one.task === task && one.model === model && one.settings === settings)?.parser ??
  'strict'

function shown({ response, outcome, call, ...rest }: ItemCall, parser: string): ShownResponse {
  return {
    cell: call,
    ...rest,
    parser,
    finish: response?.finish ?? null,
    text: response === null ? null : shortened(response.text),
    reasoning: response?.reasoning == null ? null : shortened(response.reasoning),
    logprobs: response?.logprobs?.map(({ text, logprob }) => ({ text, logprob })) ?? null,
    usage: JSON.parse(JSON.stringify(response?.usage ?? {})) as ShownResponse['usage'],
    outcome: JSON.parse(JSON.stringify(outcome)) as ShownResponse['outcome'],
  }
}

export const itemRunDocument = runDocument({
  schema: itemDocument,
  answer: (viewed, query) => itemOf(viewed, query.get('id') ?? ''),
  exported: ({ items }) => items.map((id) => queryOf({ id })),
})
