import type { Layout } from '../core/index.ts'
import { settingsText } from '../models/index.ts'
import type { Experiment } from './experiment.ts'
import { estimateTokens, mostOutput, needPrices } from './money.ts'
import { type GeneratedSource, type RunModel, resolveExperiment, stylesOf } from './resolve.ts'
import type { RunContext } from './run.ts'
import { needTask, secretNames } from './run.ts'

export interface DryRunModel {
  readonly model: string
  /** At most: holes are counted as items. */
  readonly calls: number
  /** Estimated at four characters a token, from a sample of prompts. */
  readonly inputTokens: number
  /** What the settings allow, or 4,096 a call (and the budget for thinking) where they set no limit. */
  readonly outputTokens: number
  readonly usd: number | null
}

export interface DryRun {
  readonly name: string
  readonly items: number
  readonly sources: readonly {
    readonly task: string
    readonly config: string
    readonly indices: number
    readonly holesSeen: number
  }[]
  readonly calls: number
  readonly models: readonly DryRunModel[]
}

/** How many items of each source are rendered to estimate the length of prompts. */
const SAMPLE = 20

/** What a run would ask, without asking: items, calls, tokens, money. Needs no key and writes nothing. */
export function dryRun(
  experiment: Experiment,
  context: Pick<RunContext, 'tasks' | 'taskNames' | 'providers'>,
  limit?: number,
): DryRun {
  const resolved = resolveExperiment(experiment, context.tasks, context.taskNames, limit)
  secretNames(resolved.models, context)
  needPrices(resolved.models, resolved.limits.usd, context.providers)
  const measured = resolved.sources.map((source) => {
    const task = needTask(context.tasks, source.task)
    const opened = task.source(source.config, { split: source.split, seed: source.seed }, source.plan)
    let characters = 0
    let prompts = 0
    let holes = 0
    for (let k = 0; k < Math.min(SAMPLE, source.count); k++) {
      const item = opened.item(Math.floor((k * source.count) / Math.min(SAMPLE, source.count)))
      if (item.kind === 'hole') {
        holes++
        continue
      }
      for (const style of source.styles) {
        const request = opened.request(item, style)
        characters +=
          request.kind === 'chat'
            ? request.messages.reduce((sum, message) => sum + message.content.length, 0)
            : request.context.length + request.text.length
        prompts++
      }
    }
    return {
      source,
      tokens: prompts === 0 ? 0 : estimateTokens(characters / prompts),
      holes,
      layout: opened.layout,
    }
  })
  const models = resolved.models.map((model) => estimate(model, measured))
  return {
    name: resolved.name,
    items: resolved.sources.reduce((sum, source) => sum + source.count, 0),
    sources: measured.map(({ source, holes }) => ({
      task: source.task,
      config: source.label,
      indices: source.count,
      holesSeen: holes,
    })),
    calls: models.reduce((sum, model) => sum + model.calls, 0),
    models,
  }
}

interface Measured {
  readonly source: GeneratedSource
  readonly tokens: number
  readonly layout: Layout
}

function estimate(model: RunModel, measured: readonly Measured[]): DryRunModel {
  let calls = 0
  let inputTokens = 0
  let outputTokens = 0
  for (const { source, tokens, layout } of measured) {
    const items = chosen(model, source.count, layout)
    for (const settings of model.settings) {
      const each = items * stylesOf(model, source, settingsText(settings)).length * model.samples
      calls += each
      inputTokens += each * tokens
      outputTokens += each * mostOutput(settings)
    }
  }
  const usd = model.price === null ? null : (inputTokens * model.price.input + outputTokens * model.price.output) / 1e6
  return { model: model.name, calls, inputTokens, outputTokens, usd }
}

function chosen({ subsample }: RunModel, count: number, layout: Layout): number {
  if (subsample === null) return count
  if ('share' in subsample) return Math.round(count * subsample.share)
  const { perStratum } = subsample
  if (layout.layout !== 'group-major') return Math.min(count, perStratum * layout.strata.length)
  const held = new Map<number, number>()
  let items = 0
  for (let index = 0; index < count; index++) {
    const place = layout.at(index)
    if ('kind' in place) continue
    const stratum = place.group * layout.strata.length + place.stratum
    const before = held.get(stratum) ?? 0
    held.set(stratum, before + 1)
    if (before < perStratum) items++
  }
  return items
}
