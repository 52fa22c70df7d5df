import { z } from 'zod'
import { below, float, type JsonObject, namedStream, type Stream, type Task } from '../../core/index.ts'
import { HttpError, LIMITS } from './http.ts'
import { anyJson } from './schemas.ts'

const MAX_LEVELS = 64
const level = z
  .int()
  .min(0)
  .max(MAX_LEVELS - 1)
const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Results of a level: scored responses, the sum of their rewards, and the next index to draw. */
const known = z.strictObject({ answers: z.number().min(0), rewards: z.number().min(0), next: whole })

const state = z.strictObject({
  /** Hardest open level. */
  difficulty: level,
  levels: z.array(known).max(MAX_LEVELS),
  /** Calls so far; with the seed it determines the next draw. */
  step: whole,
})
type State = z.infer<typeof state>

export const curriculumRequest = z.strictObject({
  task: z.string().min(1).max(128),
  state: state.optional().describe('as returned by the last call (default: start)'),
  results: z
    .array(z.strictObject({ level, reward: z.number().min(0).max(1).nullable() }))
    .max(LIMITS.scores)
    .default([])
    .describe('rewards of the items drawn; null is ignored'),
  rule: z
    .enum(['window', 'target'])
    .default('window')
    .describe('window: rule of RLVE; target: prefer levels whose mean reward is near the target'),
  window: z
    .int()
    .min(1)
    .max(MAX_LEVELS)
    .default(4)
    .describe('window: number of levels drawn, the hardest open one included'),
  answers: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(64)
    .describe('scored responses at the hardest level before a decision'),
  threshold: z.number().min(0).max(1).default(0.9).describe('window: mean reward that opens the next level'),
  target: z.number().min(0.05).max(0.95).default(0.5).describe('target: preferred mean reward'),
  count: z.int().min(1).max(LIMITS.items).default(1).describe('number of items to draw'),
  split: z.string().max(64).optional(),
  seed: z.string().max(1024).default('1'),
})
type CurriculumRequest = z.infer<typeof curriculumRequest>

const drawn = z.strictObject({
  level,
  items: z
    .strictObject({
      task: z.string(),
      config: z.record(z.string(), anyJson),
      split: z.string(),
      seed: z.string(),
      index: whole,
    })
    .describe('a body for POST /v1/items'),
})
export const curriculumResponse = z.strictObject({ levels: z.int(), state, draw: z.array(drawn) })

/** Number of indices of a config; null: endless. */
type SizeOf = (config: JsonObject) => Promise<number | null>

/** The levels to draw next, from the state that the client keeps. A pure function of the request. */
export async function curriculum(task: Task, request: CurriculumRequest, split: string, sizeOf: SizeOf) {
  const { curriculum: levels } = task
  if (levels === undefined)
    throw new HttpError(422, 'no-levels', `${task.name} has no curriculum: draw it by preset or config`)
  const { results, count, seed } = request
  let now = initialState(request.state, levels.count)
  for (const { level: at, reward } of results)
    if (reward !== null && at < levels.count) now = addReward(now, at, reward)
  now = decideNext(now, request, levels.count)
  const stream = namedStream('touchstone/curriculum/1', task.name, seed, String(now.step))
  const next = now.levels.map((one) => one.next)
  const weights = levelWeights(now, request)
  const drawn = Array.from({ length: count }, () => {
    const level = drawWeighted(stream, weights)
    const index = next[level] ?? 0
    next[level] = index + 1
    return { level, index }
  })
  const configs = new Map<number, { readonly config: JsonObject; readonly size: number | null }>()
  for (const level of new Set(drawn.map((one) => one.level))) {
    const config = task.configure(levels.config(level))
    configs.set(level, { config, size: await sizeOf(config) })
  }
  const draw = drawn.map(({ level, index }) => {
    const { config = {}, size = null } = configs.get(level) ?? {}
    // A finite level starts again at its end.
    return { level, items: { task: task.name, config, split, seed, index: size === null ? index : index % size } }
  })
  return {
    levels: levels.count,
    state: {
      ...now,
      step: now.step + 1,
      levels: now.levels.map((one, at) => ({ ...one, next: next[at] ?? one.next })),
    },
    draw,
  }
}

function initialState(previous: State | undefined, count: number): State {
  const before = previous ?? { difficulty: 0, levels: [], step: 0 }
  return {
    ...before,
    difficulty: Math.min(before.difficulty, count - 1),
    levels: Array.from({ length: count }, (_, at) => before.levels[at] ?? { answers: 0, rewards: 0, next: 0 }),
  }
}

const addReward = (now: State, at: number, reward: number): State => ({
  ...now,
  levels: now.levels.map((one, i) =>
    i === at ? { ...one, answers: one.answers + 1, rewards: one.rewards + reward } : one,
  ),
})

/** RLVE (arXiv 2511.07317): enough responses at the hardest level decide whether the next opens; they are dropped either way. */
function decideNext(now: State, { rule, answers, threshold, target }: CurriculumRequest, count: number): State {
  const top = now.levels[now.difficulty]
  if (top === undefined || top.answers < answers) return now
  // Rule `target`: the next level opens as soon as this one is easier than the target.
  const enough = top.rewards / top.answers >= (rule === 'window' ? threshold : target)
  const forget = rule === 'window' ? 0 : 0.5
  return {
    ...now,
    difficulty: enough ? Math.min(now.difficulty + 1, count - 1) : now.difficulty,
    levels: now.levels.map((one, at) =>
      at === now.difficulty || (rule === 'target' && one.answers > answers)
        ? { ...one, answers: one.answers * forget, rewards: one.rewards * forget }
        : one,
    ),
  }
}

/** Width of the preferred band around the target, as a standard deviation of mean rewards. */
const BAND = 0.2

function levelWeights({ difficulty, levels }: State, { rule, window, target }: CurriculumRequest): readonly number[] {
  return levels.map(({ answers, rewards }, at) => {
    if (at > difficulty) return 0
    if (rule === 'window') return at > difficulty - window ? 1 : 0
    // An untried level counts as on target.
    const success = (rewards + target) / (answers + 1)
    return Math.exp(-(((success - target) / BAND) ** 2) / 2) + 0.01
  })
}

function drawWeighted(stream: Stream, weights: readonly number[]): number {
  const total = weights.reduce((sum, one) => sum + one, 0)
  let left = float(stream) * total
  for (const [at, weight] of weights.entries()) {
    left -= weight
    if (left < 0 && weight > 0) return at
  }
  return below(stream, 1)
}
