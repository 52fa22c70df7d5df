import type { Json, Request } from '../../core/index.ts'
import { importedRequest, type Run } from '../../runner/index.ts'
import type { FinishedCall, StoredItem } from '../../store/index.ts'
import { type ExportAnswer, type ExportQuestion, exportQuestion, keyOf } from './line.ts'

/** What the model of a response saw. */
const requestOf = (run: Run, { item, shared, response, isImported }: FinishedCall, made: Request): Request =>
  isImported ? importedRequest(run, item, shared, response?.raw ?? null, made) : made

function asked(run: Run, item: StoredItem, shared: Json, style: string): ExportQuestion {
  const { id, config, group, draw, stratum, given, answer, features } = item
  const request = run.sources.request(item, shared, style)
  const facts = { item: id, config, style, group, draw, stratum, request, features }
  return exportQuestion(run.sources.scorer(item.source), { shared, given, answer }, facts)
}

/** What a run asks, in the order of its items. */
export async function* runQuestions(run: Run): AsyncGenerator<readonly ExportQuestion[]> {
  for await (const page of run.ledger.items())
    yield page.flatMap(({ item, shared }) => run.sources.styles(item).map((style) => asked(run, item, shared, style)))
}

/** What came of a run, in the order of its plan. */
export async function* runAnswers(run: Run): AsyncGenerator<readonly ExportAnswer[]> {
  for await (const page of run.ledger.finishedCalls())
    yield page.map((ended) => {
      const { item, shared, style, ...cell } = ended
      const question = asked(run, item, shared, style)
      return { ...question, request: requestOf(run, ended, question.request), ...cell }
    })
}

/** Items and styles of a run by the keys that exported files name them by. */
export async function keysOfRun(
  run: Run,
): Promise<ReadonlyMap<string, { readonly item: string; readonly style: string }>> {
  const keys = new Map<string, { readonly item: string; readonly style: string }>()
  for await (const page of run.ledger.items())
    for (const { item } of page)
      for (const style of run.sources.styles(item)) keys.set(keyOf({ item: item.id, style }), { item: item.id, style })
  return keys
}
