import type { EmptyIndex, Item, Json, Problem, Source, Task } from '../../../core/index.ts'

/** An item generated in this browser: prompt, drawing and proof. */
export interface GeneratedItem {
  readonly kind: 'item'
  readonly index: number
  readonly id: string
  readonly prompt: string
  readonly problem: Problem<Json, Json, Json>
  readonly gold: string | null
  readonly features: { readonly [name: string]: Json }
  readonly version: number
}

export type Generated =
  | { readonly kind: 'hole'; readonly index: number; readonly reason: string; readonly proved: boolean }
  | GeneratedItem

export function generate(task: Task, source: Source, item: Item): GeneratedItem {
  const request = source.request(item, task.styles[0])
  const problem = { shared: item.shared, given: item.given, answer: item.answer }
  return {
    kind: 'item',
    index: item.index,
    id: item.id,
    prompt:
      request.kind === 'chat'
        ? request.messages.map(({ content }) => content).join('\n\n')
        : `${request.context}${request.text}`,
    problem,
    gold: task.gold?.(problem) ?? null,
    features: { ...item.features },
    version: task.version,
  }
}

export const generateAt = (task: Task, source: Source, item: Item | EmptyIndex): Generated =>
  item.kind === 'hole'
    ? { kind: 'hole', index: item.index, reason: item.reason, proved: item.proved }
    : generate(task, source, item)
