import { UsageError } from '../../core/index.ts'
import { type LeasedCell, type QueuedItem, written } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { blindItem } from '../scoring/item-references.ts'
import { rightness } from '../scoring/score.ts'
import { type AdaptState, type Choices, choicesSchema, Pilot } from './adaptive-plan.ts'
import { Path, type PathAnswer, type PathLevel } from './model-schedule.ts'
import type { Adapt } from './stop-rule.ts'

/** The fact in the ledger that holds what was chosen. */
const ADAPT_MARK = 'adapt'

/** Items of a value of the knob whose chance is worked out: the mean of all is that of these. */
const CHANCE_ITEMS = 50

/** A run that chooses what it asks, and how that is handed out and written down. */
export interface Steering {
  readonly pilot: Pilot
  lease(model: string, n: number, owner: string, ms: number): Promise<readonly LeasedCell[]>
  note(): Promise<void>
}

/** The steering of a run whose file says that it is adaptive, with all that ended before; null for others. */
export async function openSteering(run: Run): Promise<Steering | null> {
  const pilot = await pilotOf(run)
  if (pilot === null) return null
  pilot.begin()
  const { ledger } = run
  const note = (): Promise<void> => ledger.setMeta(ADAPT_MARK, JSON.stringify(pilot.choices))
  await note()
  return {
    pilot,
    lease: (model, n, owner, ms) => ledger.leaseItems(pilot.take(model, n), owner, ms, model),
    note,
  }
}

/** What an adaptive run chose and knows; null where it is none, or has no plan yet. */
export async function adaptOf(run: Run): Promise<AdaptState | null> {
  if ((await run.ledger.meta(ADAPT_MARK)) === null) return null
  return (await pilotOf(run))?.state ?? null
}

/**
 * The choices of an adaptive run as they are written down: cheap enough to be asked every second.
 *
 * @throws StoreError for a note that somebody else wrote.
 */
export async function choicesOf(run: Run): Promise<Choices | null> {
  const text = await run.ledger.meta(ADAPT_MARK)
  return text === null ? null : written(choicesSchema, text, 'what the ledger says of the choices of `adapt`')
}

async function pilotOf(run: Run): Promise<Pilot | null> {
  const { adapt, models } = run.file
  if (adapt === undefined) return null
  const before = await choicesOf(run)
  const answers = new Map<string, Map<string, PathAnswer>>(models.map(({ name }) => [name, new Map()]))
  for await (const page of run.ledger.ended())
    for (const { item, model, outcome, response } of page)
      answers.get(model)?.set(item.id, { right: rightness(outcome), usd: response?.usage.usd ?? null })
  const queues = await queuesOf(run, adapt)
  const paths = models.map(({ name }) => {
    const rounds = before?.models.find(({ model }) => model === name)?.rounds ?? []
    return [name, new Path(adapt, queues.get(name) ?? [], rounds, answers.get(name))] as const
  })
  return new Pilot(adapt, new Map(paths))
}

/** The values of the knob with their items, for each model. @throws UsageError where fewer than three values are there. */
async function queuesOf(run: Run, adapt: Adapt): Promise<ReadonlyMap<string, readonly PathLevel[]>> {
  const items: (QueuedItem & { readonly at: number })[] = []
  for await (const page of run.ledger.queue())
    for (const item of page) {
      const at = placeOn(run, adapt, item)
      if (at !== null) items.push({ ...item, at })
    }
  // One group has nothing to be compared with: then the item is the unit, as everywhere.
  const byItem = new Set(items.map(({ group }) => group)).size === 1
  const chances = new Map(
    [...Map.groupBy(items, ({ at }) => at)].map(([at, here]) => [at, chanceOf(run, here)] as const),
  )
  if (chances.size < 3)
    throw new UsageError(
      `adapt: the items of this run have ${chances.size} values of "${adapt.knob}", a curve needs three: is it a number of the config or a feature of the items (touchstone show TASK), and the range wide enough?`,
    )
  const queues = [...Map.groupBy(items, ({ model }) => model)].map(([model, mine]) => {
    const levels = [...Map.groupBy(mine, ({ at }) => at)].map(([at, here]): PathLevel => {
      const inTurn = here.toSorted((one, other) => one.turn - other.turn || one.ord - other.ord)
      return {
        at,
        chance: chances.get(at) ?? 0,
        items: inTurn.map(({ item, group }) => ({ id: item, unit: byItem ? item : group })),
      }
    })
    return [model, levels.toSorted((one, other) => one.at - other.at)] as const
  })
  return new Map(queues)
}

/** Where an item lies on the knob: its feature, else the config of its source; null: nowhere, or outside the range. */
function placeOn({ file }: Run, { knob, from, to }: Adapt, { features, source }: QueuedItem): number | null {
  const feature = Object.hasOwn(features, knob) ? features[knob] : undefined
  const config = file.sources[source]
  const value = feature ?? (config?.kind === 'generated' ? config.config[knob] : undefined)
  if (typeof value !== 'number') return null
  return value < (from ?? value) || value > (to ?? value) ? null : value
}

/** The share right of who guesses, of the first items of a value; 0 where answers are not closed. */
function chanceOf({ ledger, sources }: Run, items: readonly QueuedItem[]): number {
  const places = new Map(items.map(({ item, ord }) => [item, ord]))
  const first = [...places].sort(([, one], [, other]) => one - other).slice(0, CHANCE_ITEMS)
  const chances = first.flatMap(([id]) => {
    const stored = ledger.item(id)
    if (stored === null) return []
    const { source } = stored.item
    return blindItem(sources.scorer(source), sources.problem(stored.item, stored.shared))?.chance ?? []
  })
  return chances.length === 0 ? 0 : chances.reduce((sum, chance) => sum + chance, 0) / chances.length
}
