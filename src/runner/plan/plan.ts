import { type Item, type Json, type Layout, UsageError } from '../../core/index.ts'
import { type Model, settingsText } from '../../models/index.ts'
import type { PlanBatch, PlannedCall, StoredGroup, StoredItem } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { callPriority } from './call-priority.ts'
import { hashPrompts, PROMPTS_KEY } from './prompts.ts'
import { type GeneratedSource, type RunModel, type RunSource, stylesOf } from './resolve.ts'
import { indicesOf, inShard } from './shard.ts'
import { type ItemSampler, itemSampler } from './subsample.ts'

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
  let ord = 0
  let holes = 0
  for (const [number, source] of run.file.sources.entries()) {
    if (source.kind !== 'generated') continue
    const layout = run.sources.source(number)?.layout
    const arms = run.file.models.map((model, i): Arm => {
      const reusesContext = models[i]?.reusesContext ?? false
      return armOf(run, model, together ? 'group' : reusesContext ? 'context' : 'none', layout)
    })
    const written = new Set<string>()
    const count = run.sources.indices(number)?.count ?? 0
    for (let first = 0; first < count; first += CHUNK) {
      if (stop?.aborted === true) return false
      const batch = readChunk(run, number, first, Math.min(first + CHUNK, count), ord, written)
      ord += batch.items.length
      holes += batch.holes
      await run.ledger.plan({ groups: batch.groups, ...asked(run, source, arms, batch) })
      onProgress?.({ items: ord, indices })
      // Generation is synchronous: Ctrl-C is heard between chunks.
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const arm of arms) await planRest(run, source, number, arm)
  }
  const prompts = await hashPrompts(run, stop)
  if (prompts === null) return false
  await run.ledger.setMeta(PROMPTS_KEY, prompts)
  await run.ledger.setMeta('holes', String(holes))
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
  const arms = run.file.sources.map(() =>
    run.file.models.map((model, i) =>
      armOf(run, model, models[i]?.reusesContext === true ? 'context' : 'none', undefined),
    ),
  )
  const taken = run.file.sources.map(() => 0)
  let lastGroup: string | null = null
  let ord = 0
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
      const mine = { ...item, ord: ord++ }
      batch.items.push(mine)
      for (const arm of arms[item.source] ?? [])
        if (arm.chooser.offer(mine)) batch.calls.push(...callsOf(run, source, arm, mine, contextsOf(run, mine, shared)))
    }
    await run.ledger.plan(batch)
  }
  for (const [k, source] of run.file.sources.entries())
    for (const arm of arms[k] ?? []) await planRest(run, source, k, arm)
  await run.ledger.setMeta(PROMPTS_KEY, (await hashPrompts(run)) ?? '')
  await run.ledger.setMeta('planned', 'yes')
}

/** The plan of a run's experiment, computed again: nothing is written. Calls may come long after their items. */
export async function* plannedCalls(run: Run): AsyncGenerator<PlanBatch> {
  let ord = 0
  for (const [number, source] of run.file.sources.entries()) {
    if (source.kind !== 'generated') continue
    const layout = run.sources.source(number)?.layout
    const arms = run.file.models.map((model): Arm => armOf(run, model, 'none', layout))
    const written = new Set<string>()
    const count = run.sources.indices(number)?.count ?? 0
    for (let first = 0; first < count; first += CHUNK) {
      const batch = readChunk(run, number, first, Math.min(first + CHUNK, count), ord, written)
      ord += batch.items.length
      yield { groups: batch.groups, ...asked(run, source, arms, batch) }
    }
    for (const arm of arms) yield { items: [], groups: [], calls: restOf(run, source, arm) }
  }
}

/** The items of a chunk that belong to this run's shard, and their calls. Samplers see all items, so that all shards sample alike. */
function asked(run: Run, source: GeneratedSource, arms: readonly Arm[], { items, mine, shared }: Chunk) {
  const calls = items.flatMap((item) =>
    arms.flatMap((arm) =>
      arm.chooser.offer(item) && mine.has(item.id)
        ? callsOf(run, source, arm, item, contextsOf(run, item, shared.get(item.id) ?? null))
        : [],
    ),
  )
  return { items: items.filter(({ id }) => mine.has(id)), calls }
}

const armOf = (run: Run, model: RunModel, together: Arm['together'], layout: Layout | undefined): Arm => ({
  model,
  together,
  chooser: itemSampler(model.subsample, run.file.seed, layout?.layout === 'group-major', layout?.contrastSize ?? 1),
  settings: model.settings.map(settingsText),
})

const restOf = (run: Run, source: GeneratedSource, arm: Arm): PlannedCall[] =>
  [...arm.chooser.rest()].flatMap((id) => {
    const place = run.ledger.positionOf(id)
    return place === null ? [] : callsOf(run, source, arm, { id, ...place }, () => null)
  })

interface Arm {
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
  readonly holes: number
}

/** The items at places `first` to `end` of the indices of a source. */
function readChunk(run: Run, number: number, first: number, end: number, ord: number, written: Set<string>): Chunk {
  const source = run.sources.source(number)
  const asked = run.sources.indices(number)
  if (source === null || asked === null) throw new UsageError(`source ${number} of this run makes no items`)
  const groups: StoredGroup[] = []
  const items: StoredItem[] = []
  const mine = new Set<string>()
  const shared = new Map<string, Json>()
  const indices = indicesOf(run.file)
  let holes = 0
  if (written.size > GROUPS_REMEMBERED) written.clear()
  for (let k = first; k < end; k++) {
    const item = source.item(asked.at(k))
    if (item.kind === 'hole') {
      holes++
      continue
    }
    const group = `${number}/${item.group}`
    const place = ord + items.length
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
  return { groups, mine, shared, items, holes }
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
  arm: Arm,
  item: Pick<StoredItem, 'id' | 'position' | 'group'>,
  contexts: Contexts,
): PlannedCall[] {
  const calls: PlannedCall[] = []
  for (const settings of arm.settings)
    for (const style of stylesOf(arm.model, source, settings)) {
      const context = arm.together === 'context' ? contexts(style) : null
      for (let sample = 0; sample < arm.model.samples; sample++) {
        const rest = `${style}/${arm.model.name}/${settings}/${sample}`
        const priority = callPriority(
          run.file.seed,
          { group: item.group, ord: item.position, rest, context },
          arm.together !== 'none',
        )
        calls.push({ item: item.id, style, model: arm.model.name, settings, sample, priority })
      }
    }
  return calls
}

/** The contexts of an item that was generated before: its id ends in its index. */
const contextsAgain =
  (run: Run, source: RunSource, number: number, id: string): Contexts =>
  (style) => {
    const item = run.sources.source(number)?.item(Number(id.slice(id.lastIndexOf('/') + 1)))
    if (item === undefined || item.kind === 'hole' || source.kind !== 'generated') return null
    return contextsOf(run, stored(item, source, number, '', 0), item.shared)(style)
  }

/** Calls on items that could be sampled only after all of a source had been seen. */
async function planRest(run: Run, source: RunSource, number: number, arm: Arm): Promise<void> {
  let calls: PlannedCall[] = []
  for (const id of arm.chooser.rest()) {
    const place = run.ledger.positionOf(id)
    if (place !== null)
      calls.push(...callsOf(run, source, arm, { id, ...place }, contextsAgain(run, source, number, id)))
    if (calls.length >= CHUNK) {
      await run.ledger.plan({ groups: [], items: [], calls })
      calls = []
    }
  }
  await run.ledger.plan({ groups: [], items: [], calls })
}
