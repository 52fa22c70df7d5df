import { below, between, Sfc32, type Stream } from '../../../core/index.ts'
import { cascadeCategory, type Rule, replaceAll } from '../../../rewriting/index.ts'
import { type Corpus, corpusOf, drawLeft, wordsOf } from './left-sides.ts'
import { drawRight, drawWords, type Instance, type Setting } from './setting.ts'

/** The released generator, rebuilt for comparison: whole instances are proposed and accepted or thrown away. */

const RESTARTS = 50
const RULE_TRIES = 50

/** The state of a step's own generator: a step can be made again from these four numbers. */
export type StepSeed = readonly [number, number, number, number]

export const stepSeed = (stream: Stream): StepSeed => [stream.u32(), stream.u32(), stream.u32(), stream.u32()]

/** One step: an instance of random length, or null where 50 restarts failed. */
export function proposeStep(seed: StepSeed, setting: Setting, lengths: readonly number[]): Instance | null {
  const stream = new Sfc32(...seed)
  const length = lengths[below(stream, lengths.length)] as number
  return propose(stream, setting, length)
}

/** An unconditioned instance of a given length. */
export function propose(stream: Stream, setting: Setting, length: number): Instance | null {
  for (let restart = 0; restart < RESTARTS; restart++) {
    const inputs = drawWords(stream, setting)
    const first = corpusOf(inputs)
    let now = first
    const rules: Rule[] = []
    while (rules.length < length) {
      const rule = drawRule(stream, setting, now, first)
      if (rule === null) break
      rules.push(rule)
      now = replaceAll(now, rule)
    }
    if (rules.length === length && now !== first) return { inputs, outputs: wordsOf(now), rules }
  }
  return null
}

/** The released step draws the length of the left side once; where nothing of it changes enough, the cascade fails. */
function drawRule(stream: Stream, setting: Setting, now: Corpus, inputs: Corpus): Rule | null {
  const length = between(stream, ...setting.side)
  for (let tries = 0; tries < RULE_TRIES; tries++) {
    const left = drawLeft(stream, now, inputs, setting, length)
    if (left === null) return null
    const right = drawRight(stream, setting)
    if (right !== left) return [left, right]
  }
  return null
}

export interface PublishedRules {
  readonly size: number
  readonly lengths: readonly number[]
  /** Category bits that have a quota; size is divided evenly and rounded down. */
  readonly categories: readonly number[]
  /** Steps after which anything new is accepted; null: never. */
  readonly patience: number | null
  readonly maxSteps: number
}

export interface PublishedRun {
  readonly accepted: readonly { readonly seed: StepSeed; readonly length: number; readonly category: number }[]
  readonly steps: number
  /** 100 * accepted / steps, as in the published files. */
  readonly efficiencyPercent: number
  readonly counts: readonly number[]
  readonly complete: boolean
}

/**
 * The published acceptance: quotas a category while patience lasts, then everything new. An instance is remembered
 * before its quota is asked. `admits` leaves steps out of the count altogether (the fence of a split).
 */
export function runPublished(
  stream: Stream,
  setting: Setting,
  rules: PublishedRules,
  admits: (instance: Instance) => boolean = () => true,
): PublishedRun {
  const quota = Math.floor(rules.size / rules.categories.length)
  const counts = Array.from({ length: 16 }, () => 0)
  const accepted: { seed: StepSeed; length: number; category: number }[] = []
  const seen = new Set<string>()
  let steps = 0
  let open = rules.categories.length
  while (accepted.length < rules.size && steps < rules.maxSteps) {
    const gated = rules.patience === null || steps < rules.patience
    if (gated && open === 0) break
    const seed = stepSeed(stream)
    const instance = proposeStep(seed, setting, rules.lengths)
    if (instance !== null && !admits(instance)) continue
    steps++
    if (instance === null) continue
    const key = [...instance.inputs, '', ...instance.outputs, '', ...instance.rules.flat()].join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    const category = cascadeCategory(instance.rules, setting.classifier)
    if (gated && (!rules.categories.includes(category) || (counts[category] as number) >= quota)) continue
    counts[category] = (counts[category] as number) + 1
    if (counts[category] === quota) open--
    accepted.push({ seed, length: instance.rules.length, category })
  }
  return {
    accepted,
    steps,
    efficiencyPercent: steps === 0 ? 0 : (100 * accepted.length) / steps,
    counts: rules.categories.map((category) => counts[category] as number),
    complete: accepted.length >= quota * rules.categories.length && open <= 0,
  }
}
