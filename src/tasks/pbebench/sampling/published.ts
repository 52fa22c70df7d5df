import { below, between, Sfc32, type Stream, sha256Hex } from '../../../core/index.ts'
import { cascadeCategory, type Rule, replaceAll } from '../../../libraries/rewriting/index.ts'
import { type Corpus, corpusOf, drawLeft, wordsOf } from './left-sides.ts'
import { drawRight, drawWords, type Instance, type Setting } from './settings.ts'

/** The released generator, rebuilt for comparison: whole instances are proposed and accepted or thrown away. */

const RESTARTS = 50
const RULE_TRIES = 50

/** The state of a step's own generator: a step can be made again from these four numbers. */
export type StepSeed = readonly [number, number, number, number]

const stepSeed = (stream: Stream): StepSeed => [stream.u32(), stream.u32(), stream.u32(), stream.u32()]

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

interface PublishedRules {
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
  readonly counts: readonly number[]
  readonly complete: boolean
}

/** A data set as it is being filled. */
interface Filling {
  readonly patience: number | null
  readonly counts: number[]
  readonly accepted: { seed: StepSeed; length: number; category: number }[]
  /** Categories whose quota is not full. */
  open: number
  steps: number
  finished: boolean
}

/**
 * The published acceptance: quotas per category while patience lasts, then everything new. An instance is remembered
 * before its quota is checked. `admits` excludes steps from the count (split partition).
 */
export function runPublished(
  stream: Stream,
  setting: Setting,
  rules: PublishedRules,
  admits: (instance: Instance) => boolean = () => true,
): PublishedRun {
  const [run] = runPatiences(stream, setting, rules, [rules.patience], admits)
  return run as PublishedRun
}

/** {@link runPublished} with several patiences over one sequence of proposals, at the cost of the longest. */
export function runPatiences(
  stream: Stream,
  setting: Setting,
  rules: Omit<PublishedRules, 'patience'>,
  patiences: readonly (number | null)[],
  admits: (instance: Instance) => boolean = () => true,
): readonly PublishedRun[] {
  const { size, categories, lengths, maxSteps } = rules
  const quota = Math.floor(size / categories.length)
  const runs = patiences.map(
    (patience): Filling => ({
      patience,
      counts: Array.from({ length: 16 }, () => 0),
      accepted: [],
      open: categories.length,
      steps: 0,
      finished: size === 0,
    }),
  )
  const seen = new Set<number>()
  for (let steps = 0; steps < maxSteps; ) {
    for (const run of runs) if (run.open === 0 && gated(run, steps)) run.finished = true
    const filling = runs.filter(({ finished }) => !finished)
    if (filling.length === 0) break
    const seed = stepSeed(stream)
    const instance = proposeStep(seed, setting, lengths)
    if (instance !== null && !admits(instance)) continue
    const at = steps++
    for (const run of filling) run.steps = steps
    if (instance === null || !isNew(seen, instance)) continue
    const category = cascadeCategory(instance.rules, setting.classifier)
    for (const run of filling) {
      const count = run.counts[category] as number
      if (gated(run, at) && (!categories.includes(category) || count >= quota)) continue
      run.counts[category] = count + 1
      if (count + 1 === quota) run.open--
      run.finished = run.accepted.push({ seed, length: instance.rules.length, category }) >= size
    }
  }
  return runs.map(({ accepted, steps, counts, open }) => ({
    accepted,
    steps,
    counts: categories.map((category) => counts[category] as number),
    complete: accepted.length >= quota * categories.length && open <= 0,
  }))
}

const gated = ({ patience }: Filling, steps: number): boolean => patience === null || steps < patience

/** By 52 bits of a hash: the texts of a million proposals would not fit in memory. */
function isNew(seen: Set<number>, { inputs, outputs, rules }: Instance): boolean {
  const hash = sha256Hex([...inputs, '', ...outputs, '', ...rules.flat()].join(' '))
  const { size } = seen
  return seen.add(Number.parseInt(hash.slice(0, 13), 16)).size > size
}
