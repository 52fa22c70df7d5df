import { type Model, settingsText } from '../models/index.ts'
import type { ExecuteOptions } from './execute-options.ts'
import { Gate } from './gate.ts'
import { Lane } from './lane.ts'
import { RouteLimiter } from './limiter.ts'
import { trafficKey } from './neighbours.ts'
import type { RunModel } from './resolve.ts'
import type { WorkRun } from './run.ts'
import { LocalTurnstile } from './turnstile.ts'

/** A lane for each model; those of one route share its limiter. */
export function openLanes(
  { file, ledger }: WorkRun,
  models: readonly { readonly model: Model; readonly spec: RunModel }[],
  routes: Map<string, RouteLimiter>,
  { concurrency: most = file.limits.concurrency, preflight = true }: ExecuteOptions,
): readonly Lane[] {
  const turnstile = ledger.traffic ?? new LocalTurnstile()
  return models.map(({ model, spec }) => {
    const { start, most: own } = model.concurrency
    const limiter = routes.get(model.route) ?? new RouteLimiter(start, Math.min(own, most))
    routes.set(model.route, limiter)
    const settings = new Map(spec.settings.map((each) => [settingsText(each), each]))
    const gate = spec.rate === undefined ? null : new Gate(turnstile, trafficKey(model.route, spec.spec), spec.rate)
    return new Lane(model, spec, limiter, settings, preflight, gate)
  })
}
