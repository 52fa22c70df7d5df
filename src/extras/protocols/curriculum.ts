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

/** What is known of a level: judged answers, their rewards, the next index that was not drawn. */
const known = z.strictObject({ answers: z.number().min(0), rewards: z.number().min(0), next: whole })

const state = z.strictObject({
  /** The hardest level that is open. */
  difficulty: level,
  levels: z.array(known).max(MAX_LEVELS),
  /** Calls so far: what is drawn next follows from it and the seed. */
  step: whole,
})
type State = z.infer<typeof state>

export const curriculumRequest = z.strictObject({
  task: z.string().min(1).max(128),
  state: state.optional().describe('as the last call gave it; left out: the beginning'),
  results: z
    .array(z.strictObject({ level, reward: z.number().min(0).max(1).nullable() }))
    .max(LIMITS.scores)
    .default([])
    .describe('what came of the items drawn; null is passed over'),
  rule: z
    .enum(['window', 'target'])
    .default('window')
    .describe('window: the published rule of RLVE; target: levels whose success is near the target are drawn most'),
  window: z.int().min(1).max(MAX_LEVELS).default(4).describe('window: levels below the hardest that are drawn'),
  answers: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(64)
    .describe('judged answers at the hardest level before it is decided on'),
  threshold: z.number().min(0).max(1).default(0.9).describe('mean reward from which the next level opens'),
  target: z.number().min(0.05).max(0.95).default(0.5).describe('target: mean reward that teaches most'),
  count: z.int().min(1).max(LIMITS.items).default(1).describe('items to draw'),
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
export const curriculumAnswer = z.strictObject({ levels: z.int(), state, draw: z.array(drawn) })

/** How many indices a config has; null: no end of them. */
type SizeOf = (config: JsonObject) => Promise<number | null>

/** Which levels come next, from the state that the client keeps. Nothing is kept here, and the same request has the same answer. */
export async function curriculum(task: Task, request: CurriculumRequest, split: string, sizeOf: SizeOf) {
  const { curriculum: levels } = task
  if (levels === undefined)
    throw new HttpError(422, 'no-levels', `${task.name} has no ladder of levels: draw it by preset or config`)
  const { results, count, seed } = request
  let now = opened(request.state, levels.count)
  for (const { level: at, reward } of results) if (reward !== null && at < levels.count) now = counted(now, at, reward)
  now = decided(now, request, levels.count)
  const stream = namedStream('touchstone/curriculum/1', task.name, seed, String(now.step))
  const next = now.levels.map((one) => one.next)
  const weights = weightsOf(now, request)
  const drawn = Array.from({ length: count }, () => {
    const level = weighted(stream, weights)
    const index = next[level] ?? 0
    next[level] = index + 1
    return { level, index }
  })
  const made = new Map<number, { readonly config: JsonObject; readonly size: number | null }>()
  for (const level of new Set(drawn.map((one) => one.level))) {
    const config = task.configure(levels.config(level))
    made.set(level, { config, size: await sizeOf(config) })
  }
  const draw = drawn.map(({ level, index }) => {
    const { config = {}, size = null } = made.get(level) ?? {}
    // A level that has an end begins anew behind it.
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

function opened(given: State | undefined, count: number): State {
  const before = given ?? { difficulty: 0, levels: [], step: 0 }
  return {
    ...before,
    difficulty: Math.min(before.difficulty, count - 1),
    levels: Array.from({ length: count }, (_, at) => before.levels[at] ?? { answers: 0, rewards: 0, next: 0 }),
  }
}

const counted = (now: State, at: number, reward: number): State => ({
  ...now,
  levels: now.levels.map((one, i) =>
    i === at ? { ...one, answers: one.answers + 1, rewards: one.rewards + reward } : one,
  ),
})

/** RLVE (arXiv 2511.07317): enough answers at the hardest level decide whether the next one opens; they are forgotten either way. */
function decided(now: State, { rule, answers, threshold, target }: CurriculumRequest, count: number): State {
  const top = now.levels[now.difficulty]
  if (top === undefined || top.answers < answers) return now
  // By target, the next level opens as soon as this one is easier than wanted.
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

/** Width of the band of success rates round the target, as a standard deviation. */
const BAND = 0.2

function weightsOf({ difficulty, levels }: State, { rule, window, target }: CurriculumRequest): readonly number[] {
  return levels.map(({ answers, rewards }, at) => {
    if (at > difficulty) return 0
    if (rule === 'window') return at > difficulty - window ? 1 : 0
    // A level nobody has tried is taken to be as wanted.
    const success = (rewards + target) / (answers + 1)
    return Math.exp(-(((success - target) / BAND) ** 2) / 2) + 0.01
  })
}

function weighted(stream: Stream, weights: readonly number[]): number {
  const total = weights.reduce((sum, one) => sum + one, 0)
  let left = float(stream) * total
  for (const [at, weight] of weights.entries()) {
    left -= weight
    if (left < 0 && weight > 0) return at
  }
  return below(stream, 1)
}
