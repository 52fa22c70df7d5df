import {
  below,
  type DrawContext,
  type DrawResult,
  type EmptyDraw,
  type Json,
  type RandomStreams,
  type Stream,
} from '../../../core/index.ts'
import { cascadeCategory, categoryOf, type Rule } from '../../../libraries/rewriting/index.ts'
import { partitionKey } from '../canonical.ts'
import { drawConditional } from '../sampling/conditional.ts'
import { determinedBy, determinedWords } from '../sampling/determined.ts'
import { propose, proposeStep, type StepSeed } from '../sampling/published.ts'
import { type Instance, type Setting, settingOf } from '../sampling/settings.ts'
import type { Examples } from '../types.ts'
import type { Config } from './config.ts'
import { describeCascade, describeShortest, hypotheses, type ItemFeatures } from './features.ts'
import type { Plan } from './plan.ts'

/** Maximum draws until an instance lies in the split: 64 times the mean for the smallest partition bucket. */
const FENCE_TRIES = 512

/** Of a set that was drawn as a whole, the generator state of each item; null for items that are drawn one by one. */
export function group(_config: Config, plan: Plan, group: number): Json {
  if (plan.kind === 'conditional') return null
  const entry = plan.accepted[group]
  return entry === undefined ? null : { step: entry.slice(0, 4) }
}

export function draw(
  config: Config,
  shared: Json,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Examples, readonly Rule[], ItemFeatures> {
  const setting = settingOf(config)
  const found = shared === null ? drawFenced(config, setting, at, draws) : again(shared, setting, config, at)
  if ('kind' in found) return found
  const { instance, category } = found
  const length = instance.rules.length
  const limit = Math.max(1, config.limit.floor, length + config.limit.slack)
  const given: Examples = {
    inputs: instance.inputs,
    outputs: instance.outputs,
    limits: {
      rules: limit,
      side: config.side[1],
      letters: config.alphabet,
      count: 'code-points',
      ...(config.determined === true ? { determined: true } : {}),
    },
  }
  return {
    kind: 'drawn',
    given,
    answer: instance.rules,
    features: {
      ...describeCascade(instance, category, config.classifier, config.alphabet.length),
      ...describeShortest(given, instance.rules),
      limit,
      slack: limit - length,
      hypotheses: hypotheses(config.alphabet.length, config.side, config.emptyRight, length),
    },
  }
}

type Found = { readonly instance: Instance; readonly category: number } | EmptyDraw

function drawFenced(config: Config, setting: Setting, at: DrawContext, draws: RandomStreams): Found {
  const length = at.levels['length'] as number
  const wanted = categoryOf(at.levels['category'] as string)
  const stream = draws.stream('instance')
  for (let tries = 0; tries < FENCE_TRIES; tries++) {
    const instance = drawGated(stream, config, setting, length, wanted)
    if (instance === null) return unreachable(`not reached in ${config.attempts} attempts`)
    if (draws.inSplit(partitionKey(instance.inputs, instance.outputs))) return { instance, category: wanted }
  }
  return unreachable(`no instance of this split in ${FENCE_TRIES} draws`)
}

const unreachable = (reason: string): EmptyDraw => ({ kind: 'unreachable', proved: false, reason })

function drawGated(stream: Stream, config: Config, setting: Setting, length: number, wanted: number): Instance | null {
  if (config.determined === true) return drawDetermined(stream, config, setting, length, wanted)
  if (config.gate === 'exact' || wanted === 0) return drawConditional(stream, setting, length, wanted, config.attempts)
  // Relaxed: an instance with several relations counts as one of them, chosen at random.
  for (let attempt = 0; attempt < config.attempts; attempt++) {
    const instance = propose(stream, setting, length)
    if (instance === null) return null
    const bits = cascadeCategory(instance.rules, setting.classifier)
    const held = [8, 4, 2, 1].filter((bit) => (bits & bit) !== 0)
    if (held.length > 0 && held[below(stream, held.length)] === wanted) return instance
  }
  return null
}

/** Maximum cascades until one has words that determine it. */
const DETERMINED_TRIES = 60

function drawDetermined(
  stream: Stream,
  config: Config,
  setting: Setting,
  length: number,
  wanted: number,
): Instance | null {
  const roomy = { ...setting, words: determinedWords(config.words, length) }
  for (let tries = 0; tries < DETERMINED_TRIES; tries++) {
    const cascade = drawConditional(stream, roomy, length, wanted, config.attempts)
    if (cascade === null) return null
    const instance = determinedBy(stream, roomy, cascade.rules)
    if (instance !== null) return instance
  }
  return null
}

function again(shared: Json, setting: Setting, config: Config, at: DrawContext): Found {
  const { step } = shared as { readonly step: StepSeed }
  const instance = proposeStep(step, setting, config.eachLength ? [at.levels['length'] as number] : config.lengths)
  if (instance === null) return unreachable('the stored step gives no instance')
  return { instance, category: cascadeCategory(instance.rules, setting.classifier) }
}
