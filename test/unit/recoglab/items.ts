import type { Item, Json, JsonObject, Source, Task } from '../../../src/core/index.ts'

export const sourceOf = (task: Task, config: JsonObject, split = 'test', seed = 'unit'): Source =>
  task.source(task.configure(config), { split, seed })

/** The first `count` items; holes are skipped. */
export function itemsOf(source: Source, count: number): Item[] {
  const items: Item[] = []
  for (let index = 0; items.length < count && index < 4 * count; index++) {
    if (source.layout.size !== null && index >= source.layout.size) break
    const item = source.item(index)
    if (item.kind === 'item') items.push(item)
  }
  return items
}

export const promptOf = (source: Source, item: Item, style: string): string => {
  const request = source.request(item, style)
  return request.kind === 'chat' ? request.messages.map((message) => message.content).join('\n') : request.text
}

export const questionOf = ({ shared, given }: Item): { shared: Json; given: Json } => ({ shared, given })
