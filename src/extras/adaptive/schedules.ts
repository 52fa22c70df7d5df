import { z } from 'zod'
import { UsageError } from '../../core/index.ts'
import type { Run } from '../../runner/folder/run.ts'
import type { Adapt, AdaptedModel, AdaptiveStep, AdaptState, EndReason } from '../../runner/plan/experiment.ts'
import { referencesOf } from '../../runner/scoring/item-references.ts'
import { rightness } from '../../runner/scoring/score.ts'
import { parseStored, type WaitingCall } from '../../store/index.ts'
import { type ItemAnswer, ModelSchedule, type ParameterValue } from './model-schedule.ts'

/** Key of the fact in the ledger with the steps. */
const ADAPT_KEY = 'adapt'

/** Items per parameter value whose chance baseline is computed: their mean stands for all. */
const CHANCE_ITEMS = 50

/** What each model is called on next, by its name. */
export type Schedules = ReadonlyMap<string, ModelSchedule>

/** Saves the steps of an adaptive run. */
export const saveSteps = ({ ledger }: Run, schedules: Schedules): Promise<void> => {
  const steps: AdaptiveSteps = { models: [...schedules].map(([model, { steps, end }]) => ({ model, steps, end })) }
  return ledger.setMeta(ADAPT_KEY, JSON.stringify(steps))
}

/** Steps and estimates of an adaptive run. */
export const adaptState = (adapt: Adapt, schedules: Schedules): AdaptState => ({
  ...adapt,
  models: [...schedules].map(([model, schedule]): AdaptedModel => {
    const { levels, design } = schedule.curve()
    return { model, steps: schedule.steps, end: schedule.end, levels, design }
  }),
})

/** Steps and estimates of an adaptive run; null for other runs, and before it is planned. */
export async function loadAdaptive(run: Run): Promise<AdaptState | null> {
  const { adapt } = run.file
  if (adapt === undefined || (await run.ledger.meta(ADAPT_KEY)) === null) return null
  return adaptState(adapt, await openSchedules(run, adapt))
}

/** The steps of an adaptive run as the ledger stores them. */
export interface AdaptiveSteps {
  readonly models: readonly {
    readonly model: string
    readonly steps: readonly AdaptiveStep[]
    /** null: not ended; absent: not saved. */
    readonly end?: EndReason | null
  }[]
}

const threshold = z.union([
  z.object({
    kind: z.literal('inside'),
    value: z.number(),
    low: z.number(),
    high: z.number(),
    open: z.enum(['neither', 'low', 'high', 'both']),
  }),
  z.object({ kind: z.literal('outside'), solved: z.enum(['more', 'less']) }),
])
const step = z.object({
  at: z.number(),
  items: z.int().min(0),
  estimate: z.object({ answers: z.number(), threshold: threshold.nullable() }).nullable(),
})

const stepsSchema: z.ZodType<AdaptiveSteps> = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      steps: z.array(step),
      end: z.enum(['precise', 'max-items', 'no-items-left']).nullable().exactOptional(),
    }),
  ),
})

/**
 * The saved steps of an adaptive run: cheap enough to be read every second.
 *
 * @throws StoreError for steps that this program did not write
 */
export async function loadSteps(run: Run): Promise<AdaptiveSteps | null> {
  const text = await run.ledger.meta(ADAPT_KEY)
  return text === null ? null : parseStored(stepsSchema, text, 'what the ledger says of the steps of `adapt`')
}

/** The schedules of an adaptive run, with all earlier responses. */
export async function openSchedules(run: Run, adapt: Adapt): Promise<Schedules> {
  const { models } = run.file
  const before = await loadSteps(run)
  const answers = new Map<string, Map<string, ItemAnswer>>(models.map(({ name }) => [name, new Map()]))
  for await (const page of run.ledger.finishedCalls())
    for (const { item, model, outcome, response } of page)
      answers.get(model)?.set(item.id, { right: rightness(outcome), usd: response?.usage.usd ?? null })
  const queues = await queuesOf(run, adapt)
  return new Map(
    models.map(({ name }) => {
      const steps = before?.models.find(({ model }) => model === name)?.steps ?? []
      return [name, new ModelSchedule(adapt, queues.get(name) ?? [], steps, answers.get(name))]
    }),
  )
}

/** The parameter values with their items, for each model. @throws UsageError for fewer than three values */
async function queuesOf(run: Run, adapt: Adapt): Promise<ReadonlyMap<string, readonly ParameterValue[]>> {
  const items: (WaitingCall & { readonly at: number })[] = []
  for await (const page of run.ledger.waitingCalls())
    for (const item of page) {
      const at = placeOn(run, adapt, item)
      if (at !== null) items.push({ ...item, at })
    }
  // With one group the item is the unit, as everywhere.
  const byItem = new Set(items.map(({ group }) => group)).size === 1
  const chances = new Map(
    [...Map.groupBy(items, ({ at }) => at)].map(([at, here]) => [at, chanceOf(run, here)] as const),
  )
  if (chances.size < 3)
    throw new UsageError(
      `adapt: the items of this run have ${chances.size} values of "${adapt.parameter}"; at least 3 are needed. Use a numeric parameter or item feature (touchstone show TASK) and a wide enough range`,
    )
  const queues = [...Map.groupBy(items, ({ model }) => model)].map(([model, mine]) => {
    const levels = [...Map.groupBy(mine, ({ at }) => at)].map(([at, here]): ParameterValue => {
      const inTurn = here.toSorted((one, other) => one.priority - other.priority || one.position - other.position)
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

/** The parameter value of an item: its feature, else the config of its source; null: none, or outside the range. */
function placeOn({ file }: Run, { parameter, from, to }: Adapt, { features, source }: WaitingCall): number | null {
  const feature = Object.hasOwn(features, parameter) ? features[parameter] : undefined
  const config = file.sources[source]
  const value = feature ?? (config?.kind === 'generated' ? config.config[parameter] : undefined)
  if (typeof value !== 'number') return null
  return value < (from ?? value) || value > (to ?? value) ? null : value
}

/** Chance baseline of the first items of a value; 0 if answers are not closed. */
function chanceOf({ ledger, sources }: Run, items: readonly WaitingCall[]): number {
  const places = new Map(items.map(({ item, position }) => [item, position]))
  const first = [...places].sort(([, one], [, other]) => one - other).slice(0, CHANCE_ITEMS)
  const chances = first.flatMap(([id]) => {
    const stored = ledger.item(id)
    if (stored === null) return []
    const { source } = stored.item
    return referencesOf(sources.scorer(source), sources.problem(stored.item, stored.shared))?.chance ?? []
  })
  return chances.length === 0 ? 0 : chances.reduce((sum, chance) => sum + chance, 0) / chances.length
}
