import { float, pick, sha256Hex, solutionText, UsageError } from '../../core/index.ts'
import { LOCAL, type ModelCall, type ModelReply, plainAnswer } from '../model.ts'
import type { Provider } from '../provider.ts'
import type { Settings } from '../settings.ts'

/**
 * A respondent that behaves like a model, to show what an experiment would show: it knows the target and fails the more often the
 * longer the worked solution and the prompt are. Then it guesses. Its accuracy says nothing about any model.
 */
interface Respondent {
  readonly name: string
  /** It gets half of the items right whose solution has this many steps, */
  readonly steps: number
  /** and, apart from that, half of those whose prompt has this many words. */
  readonly words: number
  /** Heuristics or baselines that it guesses by: the first one that the task has. */
  readonly guesses: readonly string[]
}

const WRITTEN = /^(\d+)x(\d+)(?::([\w./+-]+))?$/u

function respondent(argument: string): Respondent {
  const [, steps, words, guesses] = WRITTEN.exec(argument) ?? []
  if (!(Number(steps) > 0 && Number(words) > 0))
    throw new UsageError(
      `simulated: expects STEPSxWORDS or STEPSxWORDS:GUESS+GUESS, such as 8x2000:yes, got "${argument}"`,
    )
  return {
    name: `simulated:${argument}`,
    steps: Number(steps),
    words: Number(words),
    guesses: guesses?.split('+') ?? [],
  }
}

/** Thinking of each effort, as a factor: of the tokens, and of the steps that are solved. */
const EFFORT = { none: 1 / 8, minimal: 1 / 4, low: 1 / 2, medium: 1, high: 2, xhigh: 4 } as const
const TOKENS_PER_STEP = 600
const TOKENS_PER_WORD = 4 / 3

function answer({ steps, words, guesses }: Respondent, call: ModelCall): ModelReply {
  const { task, settings } = call
  const stream = call.draws(`simulated/${steps}x${words}`).stream('call')
  const problem = call.problem()
  const proof = solutionText(task.solution?.(problem) ?? [], 'full').split('\n').length
  const read = wordsOf(call)
  // Items of one length are not equally hard, in all samples and for all respondents: from an eighth to eight times as hard.
  const luck = 2 * (Number.parseInt(sha256Hex(call.item).slice(0, 8), 16) / 2 ** 32) - 1
  const { thinking, depth } = thinkingOf(settings, proof * 2 ** luck * (0.5 + float(stream)))
  const load = (proof * (1 + disorder(call)) * 8 ** luck) / (steps * depth) + read / words
  const isRight = float(stream) < 2 ** -load && task.gold !== undefined
  const text = isRight ? (task.gold?.(problem) ?? '') : guess(guesses, call)
  const output = thinking + Math.ceil(TOKENS_PER_WORD * text.split(/\s+/u).length)
  const most = settings.maxTokens ?? Number.POSITIVE_INFINITY
  const usage = { inputTokens: Math.ceil(TOKENS_PER_WORD * read), outputTokens: Math.min(output, most) }
  return plainAnswer(output > most ? '' : text, {
    finish: output > most ? 'truncated' : 'stop',
    usage: { ...usage, reasoningTokens: Math.min(thinking, most) },
  })
}

/** Tokens of thought, and how much deeper than usual it reaches. Without effort nothing is thought: what is written is the answer. */
function thinkingOf({ effort = 'medium', thinkingBudget = Number.POSITIVE_INFINITY }: Settings, steps: number) {
  const wanted = Math.ceil(EFFORT[effort] * steps * TOKENS_PER_STEP)
  if (effort === 'none' || thinkingBudget === 0) return { thinking: 0, depth: EFFORT.none }
  const thinking = Math.min(wanted, thinkingBudget)
  return { thinking, depth: Math.max(EFFORT.none, (EFFORT[effort] * thinking) / wanted) }
}

const wordsOf = ({ request }: ModelCall): number =>
  request.kind === 'chat'
    ? request.messages.reduce((sum, { content }) => sum + content.split(/\s+/u).length, 0)
    : request.text.split(/\s+/u).length

/** Share of neighbouring statements that have no term in common: 0 where they stand in order. */
function disorder({ task, question }: ModelCall): number {
  const shown = task.anonymize?.(question)
  if (shown?.kind !== 'statements' || shown.statements.length < 2) return 0
  const pairs = shown.statements.slice(1).map((next, k) => [shown.statements[k]?.places ?? [], next.places] as const)
  return pairs.filter(([before, next]) => !next.some((term) => before.includes(term))).length / pairs.length
}

/** Share of guesses at closed answers that follow the named rule. */
const BIAS = 3 / 4

/** By a named heuristic or baseline, else one of the choices, else by the task's first heuristic. */
function guess(names: readonly string[], call: ModelCall): string {
  const { task, question } = call
  const choices = task.choices?.(question) ?? []
  const stream = call.draws('simulated').stream('guess')
  if (choices.length > 0 && float(stream) > BIAS) return pick(stream, choices)
  for (const name of names) {
    const rule = task.heuristics?.[name]
    if (rule !== undefined) return rule(question)
    const own = task.baselines?.[name]
    if (own?.kind === 'chat') return own.answer(question, call.draws(`simulated/${name}`))
  }
  if (choices.length > 0) return pick(stream, choices)
  return Object.values(task.heuristics ?? {})[0]?.(question) ?? ''
}

/** No network, no key. */
export const simulated: Provider = {
  name: 'simulated',
  argument: 'STEPSxWORDS:GUESS',
  summary:
    'knows the target and fails as a model does: half the time at this many steps or words, more with less effort; then it guesses by GUESS (optional)',
  needs: () => ({}),
  open: async (argument) => {
    const one = respondent(argument)
    return {
      name: one.name,
      kind: 'chat',
      route: 'simulated',
      concurrency: LOCAL,
      reusesContext: true,
      untimed: true,
      call: (call) => Promise.resolve(answer(one, call)),
      check: (task) => {
        if (task.gold === undefined)
          throw new UsageError(`simulated: cannot answer ${task.name}: ${task.noGold ?? 'it has no gold response'}`)
        const known = Object.keys({ ...task.heuristics, ...task.baselines })
        if (one.guesses.length > 0 && !one.guesses.some((name) => known.includes(name)))
          throw new UsageError(
            `${task.name} has none of ${one.guesses.join(', ')} to guess by; it has ${known.join(', ')}`,
          )
      },
    }
  },
}
