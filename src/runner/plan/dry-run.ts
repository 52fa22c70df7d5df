import type { Layout } from '../../core/index.ts'
import { type Settings, settingsText } from '../../models/index.ts'
import { requireTask } from '../calls/open-models.ts'
import { type RunContext, secretNames } from '../folder/run.ts'
import { boundsOf, costOf, estimateTokens, maxCost, maxOutputTokens, requirePrices } from '../money/cost.ts'
import { checkShard, indicesOf, inShard, type RunShard } from './call-order.ts'
import type { Experiment } from './experiment.ts'
import { type GeneratedSource, type RunModel, resolveExperiment, stylesOf } from './resolve.ts'
import { roughIndices, type SourceCoverage, type SourceIndices, sourceCoverage } from './source-indices.ts'

/** One model with one of its settings. */
export interface DryRunModel {
  readonly model: string
  readonly settings: Settings
  /** At most these, unless the dry run is exact; rows of a file that cannot be asked are not among them. */
  readonly calls: number
  /** Estimated at four characters per token, from a sample of prompts. */
  readonly inputTokens: number
  /** What the settings or the model allow; null if neither sets a limit. */
  readonly outputTokens: number | null
  /** US dollars, with responses of common length; null without a price. */
  readonly usdLikely: number | null
  /** US dollars, if every response were as long as it may be, without failed attempts; null without a price or a limit. */
  readonly usdAtMost: number | null
}

/** The calls and cost of a run that has not been started. */
export interface DryRun {
  readonly name: string
  readonly items: number
  /** false: all indices of a source are asked for, and those that prove empty have no call. Of a part they are replaced. */
  readonly exact: boolean
  readonly sources: readonly SourceCoverage[]
  readonly calls: number
  readonly models: readonly DryRunModel[]
  /** Such as rows of a file that cannot be asked. */
  readonly warnings: readonly string[]
}

/** Items of each source whose prompts are made to estimate their length. */
const SAMPLE = 20

/**
 * Items, calls, tokens and cost of a run. Needs no key and writes nothing.
 *
 * @param shard - only this part: its share of all calls.
 *
 * @example
 * import { dryRun, parseExperiment, type RunContext } from '@touchstone-eval/touchstone/node'
 *
 * export const wouldAsk = (experiment: unknown, context: RunContext) => dryRun(parseExperiment(experiment), context)
 */
export function dryRun(
  experiment: Experiment,
  context: Pick<RunContext, 'tasks' | 'taskNames' | 'providers' | 'prices' | 'extensions'>,
  count?: number,
  shard?: RunShard,
): DryRun {
  const resolved = resolveExperiment(experiment, context, count)
  secretNames(resolved.models, context)
  requirePrices(resolved.models, resolved.limits.usd, context.providers)
  const indices = indicesOf(resolved)
  if (shard !== undefined) checkShard(shard, indices)
  const own = Array.from({ length: indices }, (_, ord) => inShard(shard, ord, indices)).filter(Boolean).length
  const measured = resolved.sources.map((source) => {
    const task = requireTask(context.tasks, source.task)
    const opened = task.source(source.config, { split: source.split, seed: source.seed }, source.plan, source.templates)
    let characters = 0
    let prompts = 0
    let bytes = 0
    const skipped = task.skipped?.(source.config) ?? null
    const asked = roughIndices(opened.layout, source.count, source.within, skipped?.indices)
    const sampled = Math.min(SAMPLE, asked.count)
    for (let k = 0; k < sampled; k++) {
      const item = opened.item(asked.at(Math.floor((k * asked.count) / sampled)))
      if (item.kind === 'hole') continue
      for (const style of source.styles) {
        const request = opened.request(item, style)
        characters +=
          request.kind === 'chat'
            ? request.messages.reduce((sum, message) => sum + message.content.length, 0)
            : request.context.length + request.text.length
        bytes = Math.max(bytes, boundsOf(request, null, null).input)
        prompts++
      }
    }
    return {
      source,
      tokens: prompts === 0 ? 0 : estimateTokens(characters / prompts),
      bytes,
      layout: opened.layout,
      asked,
      skipped,
    }
  })
  const models = resolved.models.flatMap((model) =>
    model.settings.map((settings) => {
      const whole = estimate(model, settings, measured)
      if (shard !== undefined) return atMost(whole, Math.ceil((whole.asked.calls * own) / indices))
      return resolved.adapt === undefined ? whole.asked : atMost(whole, resolved.adapt.maxItems)
    }),
  )
  return {
    name: resolved.name,
    items: own,
    exact: measured.every(({ source, layout }) => source.count !== (source.within ?? layout.size)),
    sources: measured.map(({ source, layout }) => sourceCoverage(source, layout)),
    calls: models.reduce((sum, model) => sum + model.calls, 0),
    models,
    warnings: [...new Set(measured.flatMap(({ skipped }) => skipped?.text ?? []))],
  }
}

interface Measured {
  readonly source: GeneratedSource
  readonly tokens: number
  /** Most tokens of the longest prompt of the sample. */
  readonly bytes: number
  readonly layout: Layout
  readonly asked: SourceIndices
}

/** Rough guesses: tokens of a common response, and of the reasoning before it by effort. */
const COMMON_ANSWER = 300
const COMMON_THOUGHT = { none: 0, minimal: 200, low: 1000, medium: 3000, high: 8000, xhigh: 16000 } as const

function commonOutput({ effort = 'none', thinkingBudget = 0 }: Settings): number {
  return COMMON_ANSWER + Math.max(COMMON_THOUGHT[effort], thinkingBudget / 2)
}

/** All planned calls of one model, and the most US dollars of a single one. */
interface Estimated {
  readonly asked: DryRunModel
  readonly dearestCall: number
}

function estimate(model: RunModel, settings: Settings, measured: readonly Measured[]): Estimated {
  let calls = 0
  let inputTokens = 0
  let dearest = 0
  let dearestCall = 0
  let likely = 0
  const most = maxOutputTokens(model, settings, {})
  const common = Math.min(most ?? Number.POSITIVE_INFINITY, commonOutput(settings))
  for (const { source, tokens, bytes, layout, asked } of measured) {
    const items = chosen(model, asked, layout)
    const each = items * stylesOf(model, source, settingsText(settings)).length * model.samples
    calls += each
    inputTokens += each * tokens
    likely += each * (costOf(model.price, { inputTokens: tokens, outputTokens: common }) ?? 0)
    const call = maxCost(model.price, { input: bytes, output: most })
    dearest += each * call
    dearestCall = Math.max(dearestCall, call)
  }
  const asked = {
    model: model.name,
    settings,
    calls,
    inputTokens,
    outputTokens: most === null ? null : calls * most,
    usdLikely: model.price === null ? null : likely,
    usdAtMost: model.price === null || (most === null && model.price.output > 0) ? null : dearest,
  }
  return { asked, dearestCall }
}

/** The same for `items` of these calls, whichever they are: a shard, or an adaptive run. */
function atMost({ asked, dearestCall }: Estimated, items: number): DryRunModel {
  const calls = Math.min(items, asked.calls)
  const share = asked.calls === 0 ? 0 : calls / asked.calls
  return {
    ...asked,
    calls,
    inputTokens: Math.round(asked.inputTokens * share),
    outputTokens: asked.outputTokens === null ? null : Math.round(asked.outputTokens * share),
    usdLikely: asked.usdLikely === null ? null : asked.usdLikely * share,
    usdAtMost: asked.usdAtMost === null ? null : Math.min(asked.usdAtMost, calls * dearestCall),
  }
}

function chosen({ subsample }: RunModel, asked: SourceIndices, layout: Layout): number {
  const { count } = asked
  if (subsample === null) return count
  if ('fraction' in subsample) return Math.round(count * subsample.fraction)
  const { perStratum } = subsample
  if (layout.layout !== 'group-major') return Math.min(count, perStratum * layout.strata.length)
  const held = new Map<number, number>()
  let items = 0
  for (let k = 0; k < count; k++) {
    const place = layout.at(asked.at(k))
    if ('kind' in place) continue
    const stratum = place.group * layout.strata.length + place.stratum
    const before = held.get(stratum) ?? 0
    held.set(stratum, before + 1)
    if (before < perStratum) items++
  }
  return items
}
