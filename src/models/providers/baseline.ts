import { hint, type JsonObject, pick, type Task, UsageError } from '../../core/index.ts'
import { bestChoice, ignoredByScoring, total } from '../loglikelihood.ts'
import { failure, LOCAL, type Model, type ModelCall, type ModelReply, plainAnswer } from '../model.ts'
import type { Provider } from '../provider.ts'
import { isRight, LOCALITY_LEVELS, localLearner } from './local-learner.ts'

const lacksChoices = (task: Task): string | undefined =>
  task.choices === undefined ? 'its questions have no list of choices. Leave it out' : undefined

interface Generic {
  readonly note: string
  lacks(task: Task): string | undefined
  answer(call: ModelCall): ModelReply
}

/**
 * The best learner of a level (docs/audit.md#probes), fitted on the training split of the config that is asked. Where a task
 * tells no structure of its questions there is nothing near the terms to read: it guesses.
 */
const local = (level: number): Generic => ({
  note: `what a reader of level ${level} can know, fitted on the training split`,
  lacks: lacksChoices,
  answer: (call) => {
    const { task, question, config } = call
    const choices = task.choices?.(question) ?? []
    const structure = task.anonymize?.(question)
    if (choices.length === 0 || config === null) return notClosed(call, `local-${level}`)
    const place = structure === undefined ? null : localLearner(task, config, level)(structure, choices.length)
    return plainAnswer(
      place === null ? pick(call.draws('local').stream('choice'), choices) : (choices[place] as string),
    )
  },
})

/** Baselines that every task has; its own ones come first and may take these names. */
const GENERIC: { readonly [name: string]: Generic } = {
  ...Object.fromEntries(LOCALITY_LEVELS.map((level) => [`local-${level}`, local(level)])),
  random: {
    note: 'one of the choices, each equally likely',
    lacks: lacksChoices,
    answer: (call) => {
      const choices = call.task.choices?.(call.question) ?? []
      return choices.length === 0
        ? notClosed(call, 'random')
        : plainAnswer(pick(call.draws('random').stream('choice'), choices))
    },
  },
  majority: {
    note: 'the choice that is right most often in the training split',
    lacks: lacksChoices,
    answer: (call) => {
      const choices = call.task.choices?.(call.question) ?? []
      if (choices.length === 0) return notClosed(call, 'majority')
      const most = call.config === null ? undefined : mostFrequent(call.task, call.config)
      return plainAnswer(most !== undefined && choices.includes(most) ? most : (choices[0] as string))
    },
  },
  gold: {
    note: 'the right answer, as the task itself would give it',
    lacks: (task) => (task.gold === undefined ? (task.noGold ?? 'it has no gold response') : undefined),
    answer: (call) =>
      call.task.gold === undefined
        ? failure(
            'not-supported',
            `${call.task.name} has no gold response: ${call.task.noGold ?? 'no reason given'}`,
            'never',
            { boundary: 'task' },
          )
        : plainAnswer(call.task.gold(call.problem())),
  },
}

const notClosed = (call: ModelCall, name: string): ModelReply =>
  failure(
    'not-supported',
    `baseline:${name} picks among choices, and the answers to ${call.task.name} are not closed`,
    'never',
    { boundary: 'runner' },
  )

/** How many training items decide what is frequent. */
const LEARNT_FROM = 64

const learnt = new WeakMap<Task, Map<JsonObject, string | undefined>>()

function mostFrequent(task: Task, config: JsonObject): string | undefined {
  const known = learnt.get(task) ?? new Map<JsonObject, string | undefined>()
  learnt.set(task, known)
  if (known.has(config)) return known.get(config)
  const source = task.source(config, { split: 'train', seed: 'majority' })
  const counts = new Map<string, number>()
  const count = Math.min(LEARNT_FROM, source.layout.size ?? LEARNT_FROM)
  for (let i = 0; i < count; i++) {
    const item = source.item(i)
    if (item.kind === 'hole') continue
    const right = task.choices?.(item)?.find((choice) => isRight(task, item, choice))
    if (right !== undefined) counts.set(right, (counts.get(right) ?? 0) + 1)
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
  known.set(config, best)
  return best
}

/** The task's own baselines and the generic ones: no network, no key. */
export const baseline: Provider = {
  name: 'baseline',
  argument: 'NAME',
  summary: `baselines of the task itself (see \`list\`), and ${Object.keys(GENERIC).join(', ')} for any task`,
  needs: () => ({}),
  open: (argument) => Promise.resolve(baselineModel(argument)),
}

function baselineModel(name: string): Model {
  return {
    name: `baseline:${name}`,
    kind: 'chat',
    route: 'baseline',
    concurrency: LOCAL,
    reusesContext: true,
    untimed: true,
    call: (call) => Promise.resolve(answer(name, call)),
    check(task) {
      const names = baselineNames(task)
      if (!names.includes(name))
        throw new UsageError(`${task.name} has no baseline "${name}"${hint(name, names)}; it has ${names.join(', ')}`)
      const lacks = task.baselines?.[name] === undefined ? GENERIC[name]?.lacks(task) : undefined
      if (lacks !== undefined) throw new UsageError(`baseline:${name} cannot answer ${task.name}: ${lacks}`)
    },
  }
}

function answer(name: string, call: ModelCall): ModelReply {
  const own = call.task.baselines?.[name]
  const { request } = call
  const ignored = ignoredByScoring(call)
  try {
    if (own === undefined) {
      const generic = GENERIC[name]
      if (generic === undefined) return unfit(name, call)
      const reply = generic.answer(call)
      return reply.kind === 'answer' ? { ...reply, ignored } : reply
    }
    if (own.kind === 'chat') {
      if (request.kind === 'score') return unfit(name, call)
      const draws = call.draws(name)
      if (own.work === undefined) return plainAnswer(own.answer(call.question, draws), { ignored })
      const { text, steps } = own.work(call.question, draws)
      return plainAnswer(text, { usage: { steps }, ignored })
    }
    if (request.kind === 'score')
      return plainAnswer('', { logprobs: own.logprob(call.question, request.text), ignored })
    const choices = call.task.choices?.(call.question) ?? []
    if (choices.length === 0) return unfit(name, call)
    return {
      ...bestChoice(
        choices,
        choices.map((choice) => total(own.logprob(call.question, choice))),
      ),
      ignored,
    }
  } catch (error) {
    // A baseline is code of the task: its fault is a failed cell, never a wrong answer.
    return failure('baseline-threw', String(error), 'never', { boundary: 'task' })
  }
}

const unfit = (name: string, call: ModelCall): ModelReply =>
  failure(
    'not-supported',
    `baseline:${name} does not answer ${call.request.kind} requests of ${call.task.name}`,
    'never',
    { boundary: 'runner' },
  )

/** Names of the baselines that can answer a task. */
export const answeringBaselines = (task: Task): readonly string[] =>
  baselineNames(task).filter((name) => task.baselines?.[name] !== undefined || GENERIC[name]?.lacks(task) === undefined)

/** Names of all baselines of a task. */
export const baselineNames = (task: Task): readonly string[] => [
  ...new Set([...Object.keys(task.baselines ?? {}), ...Object.keys(GENERIC)]),
]
