import { z } from 'zod'
import { type UnitSize, written } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { type Look, type UntilState, Watch } from './sequential-test.ts'

/** The fact in the ledger that holds the looks of a rule. */
const UNTIL_MARK = 'until'

const modelLook = z.object({
  model: z.string(),
  units: z.number(),
  accuracy: z.number(),
  low: z.number(),
  high: z.number(),
})
// An e-value may have no end, which JSON writes as null.
const eValue = z.number().nullable()
const look = z.union([
  z.object({
    kind: z.literal('better'),
    units: z.number(),
    difference: z.number().nullable(),
    above: eValue,
    below: eValue,
  }),
  z.object({ kind: z.literal('width'), units: z.number(), models: z.array(modelLook) }),
])
const noted = z.object({ looks: z.array(look), verdict: z.string().nullable() })

/** A watch over a run whose file has a rule, with all that ended before; null where it has none. */
export async function openWatch(run: Run): Promise<Watch | null> {
  const { until, models } = run.file
  if (until === undefined) return null
  const groups = run.ledger.unitSizes()
  // One group has nothing to be compared with: then the item is the unit, as everywhere.
  const byItem = new Set(groups.map(({ unit }) => unit)).size === 1
  const sizes = await inTurn(run, byItem ? run.ledger.unitSizes('item') : groups, byItem)
  const before = await untilOf(run)
  const names = models.map(({ name }) => name)
  const watch = new Watch(until, names, sizes, byItem, before ?? undefined)
  for await (const page of run.ledger.ended())
    for (const { item, model, outcome } of page) watch.ended(item, model, outcome, 'before')
  return watch
}

/** Units in the order in which they are asked. */
async function inTurn(run: Run, sizes: readonly UnitSize[], byItem: boolean): Promise<readonly UnitSize[]> {
  const turns = new Map<string, number>()
  for await (const page of run.ledger.queue())
    for (const { item, group, turn } of page) {
      const unit = byItem ? item : group
      turns.set(unit, Math.min(turn, turns.get(unit) ?? Number.POSITIVE_INFINITY))
    }
  return sizes.toSorted((a, b) => (turns.get(a.unit) as number) - (turns.get(b.unit) as number))
}

/**
 * What a run's looks saw, and what it knows; null where it has no rule.
 *
 * @throws StoreError for a note that somebody else wrote.
 */
export async function untilOf(run: Run): Promise<UntilState | null> {
  const { until } = run.file
  if (until === undefined) return null
  const text = await run.ledger.meta(UNTIL_MARK)
  if (text === null) return { ...until, looks: [], verdict: null }
  const { looks, verdict } = written(noted, text, 'what the ledger says of the looks of `until`')
  return { ...until, looks: looks as readonly Look[], verdict }
}

/** Looks are written down as they are made. */
export async function noteLooks(run: Run, { state }: Watch): Promise<void> {
  await run.ledger.setMeta(UNTIL_MARK, JSON.stringify({ looks: state.looks, verdict: state.verdict }))
}
