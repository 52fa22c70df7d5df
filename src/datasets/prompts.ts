import type { Json, Message, Task } from '../core/index.ts'
import { type Dataset, datasetRows, sourceOf } from './open.ts'

/** One question as `export --to prompts` writes it. */
export type Prompt = { readonly item: string; readonly style: string } & (
  | { readonly messages: readonly Message[] }
  | { readonly context: string; readonly text: string }
)

/** The prompts of a dataset in one style, in the order of its items. */
export async function* datasetPrompts(dataset: Dataset, task: Task, style: string): AsyncGenerator<readonly Prompt[]> {
  const source = sourceOf(task, dataset)
  for await (const rows of datasetRows(dataset, task, 'items')) {
    const page: Prompt[] = []
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const group = source.group(row['group'] as number)
      if (group.kind === 'unreachable') continue
      const question = { shared: group.shared, given: row['given'] as Json }
      const request = task.request(question, style, source.viewDraws(row['index'] as number))
      const item = row['id'] as string
      page.push(
        request.kind === 'chat'
          ? { item, style, messages: request.messages }
          : { item, style, context: request.context, text: request.text },
      )
    }
    yield page
  }
}
