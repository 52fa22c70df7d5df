import type { Item, JsonObject, Task, TokenLogprob } from '../../../src/core/index.ts'
import type { ScoringModel } from '../../../src/models/scoring/index.ts'
import { proficiency } from '../../../src/tasks/proficiency/index.ts'

export const discriminate = proficiency.tasks[0] as Task
export const generate = proficiency.tasks[1] as Task

export function itemsOf(task: Task, config: JsonObject, split = 'test', seed = '1'): Item[] {
  const source = task.source(task.configure(config), { split, seed })
  const size = source.layout.size ?? 100
  return Array.from({ length: size }, (_, i) => source.item(i)).filter((item) => item.kind === 'item')
}

/** The tokens of a baseline for an item, as the runner asks for them. */
export function scored(item: Item, name: string, style = 'lines'): readonly TokenLogprob[] {
  const request = discriminate.request(item, style, null as never)
  const baseline = discriminate.baselines?.[name]
  if (request.kind !== 'score' || baseline?.kind !== 'score') throw new Error(`${name} does not score`)
  return baseline.logprob(item, request.text)
}

export const natsOf = (tokens: readonly TokenLogprob[]): number => tokens.reduce((sum, t) => sum - t.logprob, 0)

type Row = { readonly [column: string]: string | number | boolean | null }

/** Rows as a run leaves them, for analyses. */
export async function rowsOf(
  items: readonly Item[],
  models: { readonly [name: string]: string | ScoringModel },
  style = 'lines',
): Promise<Row[]> {
  const rows: Row[] = []
  const inOrder = items.toSorted((a, b) => a.group - b.group || a.index - b.index)
  for (const [name, model] of Object.entries(models))
    for (const item of inOrder) {
      const request = discriminate.request(item, style, null as never)
      if (request.kind !== 'score') throw new Error('a scored request was expected')
      const tokens = typeof model === 'string' ? scored(item, model, style) : ((await model.score([request]))[0] ?? [])
      const measured = discriminate.metrics?.(item, tokens) ?? {}
      const prefixed = (prefix: string, values: object) =>
        Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}_${key}`, value]))
      rows.push({
        model: name,
        style,
        item: item.id,
        group: item.group,
        status: 'loglikelihood',
        ...prefixed('feature', { ...item.features, ...discriminate.itemFacts?.of(item)() }),
        ...prefixed('metric', measured),
      })
    }
  return rows
}
