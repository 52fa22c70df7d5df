import type { WorkRun } from '../run.ts'
import { MAX_READ, ModelMeter } from './model-meter.ts'

/** A meter for each model of a run, with what happened before. */
export async function openMeters({ file, ledger }: WorkRun): Promise<ReadonlyMap<string, ModelMeter>> {
  const { done } = await ledger.counts()
  const seen = done === 0 || (done <= MAX_READ && ledger.verdicts !== undefined)
  const spent = new Map(ledger.spentByModel?.())
  const meters = new Map<string, ModelMeter>()
  for (const { name } of file.models)
    meters.set(name, new ModelMeter(name, await ledger.counts(name), spent.get(name) ?? 0, seen))
  if (seen && ledger.verdicts !== undefined)
    for await (const page of ledger.verdicts())
      for (const { model, group, outcome } of page) meters.get(model)?.before(group, outcome)
  return meters
}
