import { type Item, type Json, type Layout, UsageError } from '../../core/index.ts'
import { type Model, settingsText } from '../../models/index.ts'
import type { PlanBatch, PlannedCall, StoredGroup, StoredItem } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { callPriority, type ItemSampler, indicesOf, inShard, itemSampler } from './call-order.ts'
import { makeAhead } from './make-ahead.ts'
import { hashPrompts, PROMPTS_KEY } from './prompts.ts'
import { type GeneratedSource, type RunModel, type RunSource, stylesOf } from './resolve.ts'

export interface PlanProgress {
  readonly items: number
  /** All indices of all sources, empty ones included. */
  readonly indices: number
}

/** Items of one transaction. */
const CHUNK = 500
/** Group ids that are remembered as written. */
const GROUPS_REMEMBERED = 20_000

/**
 * Writes items and calls into the ledger, in chunks, so that memory does not grow with the number of items. Repeated
 * after an interruption it adds what is missing.
 *
 * @returns whether the plan is complete: false where `stop` ended it.
 */
export async function writePlan(
  run: Run,
  models: readonly Model[],
  stop?: AbortSignal,
  onProgress?: (progress: PlanProgress) => void,
): Promise<boolean> {
  if ((await run.ledger.meta('planned')) === 'yes') return true
  const indices = indicesOf(run.file)
  // A stopping rule counts whole groups, so these are called one after another.
  const together = run.file.until !== undefined
  let items = 0
  let empty = 0
  const chunks = chunksOf(run, (i) => (together ? 'group' : models[i]?.reusesContext === true ? 'context' : 'none'))
  const isStopped = (): boolean => stop?.aborted === true
  let made = 0
  const onMade = (more: number): void => {
    made += more
    onProgress?.({ items: made, indices })
  }
  await makeAhead(run, onMade, stop)
  if (isStopped()) return false
  for (const { batch, empty: without } of chunks) {
    items += batch.items.length
    empty += without
    await run.ledger.plan(batch)
    onProgress?.({ items: Math.max(items, made), indices })
    // Generation is synchronous: Ctrl-C is heard between chunks.
    await new Promise((resolve) => setImmediate(resolve))
    if (isStopped()) return false
  }
  const prompts = await hashPrompts(run, stop)
  if (prompts === null) return false
  await run.ledger.setMeta(PROMPTS_KEY, prompts)
  await run.ledger.setMeta('empty', String(empty))
  await run.ledger.setMeta('planned', 'yes')
  return true
}

/**
 * Writes the items of another run, and this run's calls on them.
 *
 * @param limit - at most this many items of each source.
 */
export async function writeCopiedPlan(
  run: Run,
  from: Run,
  models: readonly Model[],
  limit: number | null,
): Promise<void> {
  const plans = run.file.sources.map(() =>
    run.file.models.map((model, i) =>
      modelPlanFor(run, model, models[i]?.reusesContext === true ? 'context' : 'none', undefined),
    ),
  )
  const taken = run.file.sources.map(() => 0)
  let lastGroup: string | null = null
  let position = 0
  for await (const page of from.ledger.items()) {
    const batch: { groups: StoredGroup[]; items: StoredItem[]; calls: PlannedCall[] } = {
      groups: [],
      items: [],
      calls: [],
    }
    for (const { item, shared } of page) {
      const source = run.file.sources[item.source]
      const count = taken[item.source] ?? 0
      if (source === undefined || (limit !== null && count >= limit)) continue
      taken[item.source] = count + 1
      // Groups that share nothing are not remembered.
      if (shared !== null && lastGroup !== item.group) {
        lastGroup = item.group
        batch.groups.push({ id: item.group, shared })
      }
      const mine = { ...item, position: position++ }
      batch.items.push(mine)
      for (const plan of plans[item.source] ?? [])
        if (plan.chooser.offer(mine))
          batch.calls.push(...callsOf(run, source, plan, mine, contextsOf(run, mine, shared)))
    }
    await run.ledger.plan(batch)
  }
  for (const [k, source] of run.file.sources.entries())
    for (const plan of plans[k] ?? [])
      for (const calls of restOf(run, source, plan)) await run.ledger.plan({ groups: [], items: [], calls })
  await run.ledger.setMeta(PROMPTS_KEY, (await hashPrompts(run)) ?? '')
  await run.ledger.setMeta('planned', 'yes')
}

/** The plan of a run's experiment, computed again: nothing is written. Calls may come long after their items. */
export function* plannedCalls(run: Run): Generator<PlanBatch> {
  for (const { batch } of chunksOf(run, () => 'none')) yield batch
}

/** The plan of all generated sources, chunk by chunk. @param together - what stays together for the k-th model */
function* chunksOf(
  run: Run,
  together: (model: number) => ModelPlan['together'],
): Generator<{ readonly batch: PlanBatch; readonly empty: number }> {
  let position = 0
  for (const [number, source] of run.file.sources.entries()) {
    if (source.kind !== 'generated') continue
    const layout = run.sources.source(number)?.layout
    const plans = run.file.models.map((model, i) => modelPlanFor(run, model, together(i), layout))
    const written = new Set<string>()
    const count = run.sources.indices(number)?.count ?? 0
    for (let first = 0; first < count; first += CHUNK) {
      const chunk = readChunk(run, number, first, Math.min(first + CHUNK, count), position, written)
      position += chunk.items.length
      yield { batch: { groups: chunk.groups, ...asked(run, source, plans, chunk) }, empty: chunk.empty }
    }
    for (const plan of plans)
      for (const calls of restOf(run, source, plan)) yield { batch: { groups: [], items: [], calls }, empty: 0 }
  }
}

/** The items of a chunk that belong to this run's shard, and their calls. Samplers see all items, so that all shards sample alike. */
function asked(run: Run, source: GeneratedSource, plans: readonly ModelPlan[], { items, mine, shared }: Chunk) {
  const calls = items.flatMap((item) =>
    plans.flatMap((plan) =>
      plan.chooser.offer(item) && mine.has(item.id)
        ? callsOf(run, source, plan, item, contextsOf(run, item, shared.get(item.id) ?? null))
        : [],
    ),
  )
  return { items: items.filter(({ id }) => mine.has(id)), calls }
}

const modelPlanFor = (
  run: Run,
  model: RunModel,
  together: ModelPlan['together'],
  layout: Layout | undefined,
): ModelPlan => ({
  model,
  together,
  chooser: itemSampler(model.subsample, run.file.seed, layout?.layout === 'group-major', layout?.contrastSize ?? 1),
  settings: model.settings.map(settingsText),
})

interface ModelPlan {
  readonly model: RunModel
  /** What stays together in the order of its calls. */
  readonly together: 'group' | 'context' | 'none'
  readonly chooser: ItemSampler
  readonly settings: readonly string[]
}

interface Chunk {
  /** Those of this run's shard. */
  readonly groups: readonly StoredGroup[]
  /** Ids of the items of this run's shard. */
  readonly mine: ReadonlySet<string>
  /** What the items of this run's shard share with their groups, by id. */
  readonly shared: ReadonlyMap<string, Json>
  readonly items: readonly StoredItem[]
  readonly empty: number
}

/** The items at places `first` to `end` of the indices of a source. */
function readChunk(
  run: Run,
  number: number,
  first: number,
  end: number,
  position: number,
  written: Set<string>,
): Chunk {
  const asked = run.sources.indices(number)
  if (asked === null) throw new UsageError(`source ${number} of this run makes no items`)
  const groups: StoredGroup[] = []
  const items: StoredItem[] = []
  const mine = new Set<string>()
  const shared = new Map<string, Json>()
  const indices = indicesOf(run.file)
  let empty = 0
  if (written.size > GROUPS_REMEMBERED) written.clear()
  for (let k = first; k < end; k++) {
    const item = run.sources.take(number, asked.at(k))
    if (item.kind === 'hole') {
      empty++
      continue
    }
    const group = `${number}/${item.group}`
    const place = position + items.length
    const here = inShard(run.file.shard, place, indices)
    if (here) {
      mine.add(item.id)
      shared.set(item.id, item.shared)
    }
    if (here && item.groupHash !== null && !written.has(group)) {
      written.add(group)
      groups.push({ id: group, shared: item.shared })
    }
    items.push(stored(item, run.file.sources[number] as GeneratedSource, number, group, place))
  }
  return { groups, mine, shared, items, empty }
}

function stored(item: Item, source: GeneratedSource, number: number, group: string, position: number): StoredItem {
  return {
    id: item.id,
    position,
    source: number,
    index: item.index,
    stratum: item.stratum,
    task: source.task,
    version: source.version,
    config: source.label,
    draw: item.draw,
    group,
    given: item.given,
    answer: item.answer,
    features: item.features,
    itemHash: item.hash,
  }
}

/** The context of an item by style; null: it shares none. */
type Contexts = (style: string) => string | null

const contextsOf =
  (run: Run, item: StoredItem, shared: Json): Contexts =>
  (style) => {
    const request = run.sources.request(item, shared, style)
    return request.kind === 'score' ? request.context : null
  }

function callsOf(
  run: Run,
  source: RunSource,
  plan: ModelPlan,
  item: Pick<StoredItem, 'id' | 'position' | 'group'>,
  contexts: Contexts,
): PlannedCall[] {
  const calls: PlannedCall[] = []
  for (const settings of plan.settings)
    for (const style of stylesOf(plan.model, source, settings)) {
      const context = plan.together === 'context' ? contexts(style) : null
      for (let sample = 0; sample < plan.model.samples; sample++) {
        const rest = `${style}/${plan.model.name}/${settings}/${sample}`
        const priority = callPriority(
          run.file.seed,
          { group: item.group, ord: item.position, rest, context },
          plan.together !== 'none',
        )
        calls.push({ item: item.id, style, model: plan.model.name, settings, sample, priority })
      }
    }
  return calls
}

/** Calls on items that could be sampled only after all of a source had been seen, in chunks. */
function* restOf(run: Run, source: RunSource, plan: ModelPlan): Generator<PlannedCall[]> {
  let calls: PlannedCall[] = []
  for (const id of plan.chooser.rest()) {
    const found = run.ledger.item(id)
    if (found !== null) calls.push(...callsOf(run, source, plan, found.item, contextsOf(run, found.item, found.shared)))
    if (calls.length < CHUNK) continue
    yield calls
    calls = []
  }
  if (calls.length > 0) yield calls
}
