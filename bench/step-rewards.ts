import { hash } from 'node:crypto'
import {
  below,
  type Item,
  namedStream,
  pick,
  type Stream,
  shuffle,
  solutionText,
  type Task,
} from '../src/core/index.ts'
import { engineOf } from '../src/extras/protocols/engine.ts'
import type { Scored } from '../src/extras/protocols/job.ts'
import { wilson } from '../src/libraries/statistics/index.ts'
import { families } from '../src/tasks/index.ts'
import type { BenchTable } from './table.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
const TEXTS = size === 'large' ? 1_000_000 : size === 'quick' ? 1_000 : 10_000

/** Presets whose items are drawn quickly; of other tasks the first. */
const PRESETS: { readonly [task: string]: string } = {
  'relic/recognize': 'relic-demo',
  'recoglab/comparison': 'feasibility',
  'pbebench/sound-change': 'sound-change-lite',
}
const ITEMS = 60
const MAX_SCORES = 400_000

/** Tasks whose steps can be checked. */
export const tasksWithSteps = (): readonly Task[] =>
  families.flatMap(({ tasks }) => tasks.filter(({ checkSteps, solution }) => checkSteps && solution))

/** What an attacker knows of an item: its question, and a worked solution of another item of the same kind. */
interface Known {
  readonly question: string
  /** The solution of another item without its answer, its names replaced by those of this question. */
  readonly lines: readonly string[]
  /** Its last line, with the names that this question asks about where the other solution has those of its own. */
  readonly guess: string
  /** An answer that another item has, as a response writes it. */
  readonly answer: string
}

/** Capitalised words, quoted strings and words with digits: what differs between two questions of a task. */
const NAMES = /"[^"]*"|'[^']*'|\b\p{Lu}\p{L}+\b|\b\p{L}+\d+\b/gu
const namesOf = memoized((text) => [...new Set(text.match(NAMES) ?? [])])

/** Remembers the names of questions, which the same texts are made of again and again. */
function memoized(names: (text: string) => readonly string[]): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (text) => {
    const found = known.get(text) ?? names(text)
    if (known.size < 1000) known.set(text, found)
    return found
  }
}

const questionLines = ({ question }: Known): readonly string[] => question.split(/\n|(?<=\.) /u)
const close = (lines: readonly string[], { answer }: Known): string => [...lines, answer].join('\n')

/** A guess with its first two names exchanged. */
function opposite({ guess }: Known): string {
  const [first = '', second = first] = namesOf(guess)
  return guess.replace(NAMES, (name) => (name === first ? second : name === second ? first : name))
}

/** The names of the line that asks. */
const askedNames = memoized((question) =>
  namesOf(question.split(/\n|(?<=[.?]) /u).findLast((line) => line.includes('?')) ?? ''),
)

/** Texts that need no reasoning about the question, by name. */
const ATTACKS: { readonly [name: string]: (known: Known, stream: Stream) => string } = {
  'the answer alone': (known) => close([], known),
  'the question repeated': (known) => close([known.question], known),
  'some lines of the question': (known, stream) =>
    close(
      Array.from({ length: 3 }, () => pick(stream, questionLines(known))),
      known,
    ),
  'a solution of another item': (known) => close(known.lines, known),
  'its last line': (known) => close(known.lines.slice(-1), known),
  'one line of it': (known, stream) => close([pick(stream, known.lines)], known),
  'the answer as a step': (known) => close([`So ${known.answer.replace(/^Answer: /u, '')}.`], known),
  'a guess of the last line': (known) => close([known.guess], known),
  'a guess of the last line, and its opposite': (known, stream) =>
    close(shuffle(stream, [known.guess, opposite(known)]), known),
  'its last line, a hundred times': (known) =>
    close(
      Array.from({ length: 100 }, () => known.lines.at(-1) ?? ''),
      known,
    ),
  'its lines in disorder': (known, stream) => close(shuffle(stream, known.lines), known),
  'lines of the question, then its last line': (known, stream) =>
    close([...Array.from({ length: 5 }, () => pick(stream, questionLines(known))), known.lines.at(-1) ?? ''], known),
  'it, with names of the question in disorder': (known, stream) => {
    const names = namesOf(known.question)
    if (names.length === 0) return close(known.lines, known)
    return close(
      known.lines.map((line) => line.replace(NAMES, (name) => (below(stream, 2) === 0 ? name : pick(stream, names)))),
      known,
    )
  },
  'all at once: every line with every name': (known, stream) => {
    const names = namesOf(known.question)
    const lines = Array.from({ length: 200 }, () =>
      pick(stream, known.lines).replace(NAMES, (name) => (names.length === 0 ? name : pick(stream, names))),
    )
    return close(lines, known)
  },
  denied: (known) =>
    close(
      known.lines.map((line) => `It is not the case that ${line}`),
      known,
    ),
  asked: (known) =>
    close(
      known.lines.map((line) => `Suppose that ${line} Is it so?`),
      known,
    ),
  quoted: (known) =>
    close(
      known.lines.map((line) => `Somebody wrote: "${line}"`),
      known,
    ),
  'taken back': (known) => close([...known.lines, 'No, all of that is wrong.', 'Let me start again.'], known),
}

export interface StepGame {
  readonly task: string
  readonly texts: number
  /** Texts whose answer is right, by luck. */
  readonly right: number
  /** Texts with a true step: a reward for the share of true steps would pay for them. */
  readonly trueSteps: number
  /** Texts whose true steps give the answer. */
  readonly supported: number
  /** Texts whose step reward is 1. */
  readonly rewarded: number
  /** Those of them whose answer is wrong. */
  readonly rewardedWrong: number
  /** The attack that earns most, and its share of rewarded texts. */
  readonly best: readonly [name: string, share: number]
}

/** Sends texts that nobody reasoned for, and counts what they earn. */
export function playSteps(task: Task, texts: number): StepGame {
  const preset = PRESETS[task.name] ?? Object.keys(task.presets)[0] ?? ''
  const origin = { task: task.name, content: { kind: 'preset', preset } as const, split: 'train', seed: 'steps' }
  const source = task.source(task.preset(preset).config, { split: origin.split, seed: origin.seed })
  const items: { readonly item: Item; readonly question: string; readonly solution: readonly string[] }[] = []
  const end = Math.min(4 * ITEMS, source.layout.size ?? Number.POSITIVE_INFINITY)
  for (let index = 0; items.length < ITEMS && index < end; index++) {
    const item = source.item(index)
    if (item.kind === 'hole') continue
    const request = source.request(item, task.styles[0])
    if (request.kind !== 'chat') continue
    const lines = solutionText(task.solution?.(item) ?? [], 'full').split('\n')
    items.push({ item, question: request.messages.map(({ content }) => content).join('\n'), solution: lines })
  }
  const score = engineOf([task]).scorer()
  const scoreOf = (index: number, text: string): Scored =>
    score({ item: { ...origin, index }, text, finish: 'stop', logprobs: null, parser: 'strict', trace: true })
  /** Many texts come again and again, the longest most often. */
  const scores = new Map<string, Scored>()
  const stream = namedStream('bench/step-rewards', task.name)
  const attacks = Object.entries(ATTACKS)
  const earned = new Map(attacks.map(([name]) => [name, { texts: 0, rewarded: 0 }]))
  const sums = { right: 0, trueSteps: 0, supported: 0, rewarded: 0, rewardedWrong: 0 }
  for (let i = 0; i < texts; i++) {
    const [own, other] = [items[i % items.length], pick(stream, items)]
    const [name, attack] = attacks[below(stream, attacks.length)] ?? ['', () => '']
    if (own === undefined || other === undefined || own === other) continue
    const from = namesOf(other.question)
    const to = shuffle(stream, namesOf(own.question))
    const renamed = new Map(from.map((one, at) => [one, to[at % Math.max(1, to.length)] ?? one]))
    const gold = task.gold?.(other.item) ?? ''
    const lines = other.solution
      .filter((line) => !gold.includes(line))
      .map((line) => line.replace(NAMES, (one) => renamed.get(one) ?? one))
    // The answer of another item, the same with the names of this one, or one of those that the question lists.
    const answers = [
      gold,
      gold.replace(NAMES, (one) => renamed.get(one) ?? one),
      ...[...own.question.matchAll(/^- (.+)$/gmu)].map(([, option]) => `Answer: ${option}`).slice(0, 6),
    ]
    const answer = answers[below(stream, 3) === 0 ? below(stream, 2) : below(stream, answers.length)] ?? gold
    const asked = new Map(askedNames(other.question).map((one, at) => [one, askedNames(own.question)[at] ?? one]))
    const last = other.solution.findLast((line) => !gold.includes(line)) ?? ''
    const guess = last.replace(NAMES, (one) => asked.get(one) ?? renamed.get(one) ?? one)
    const known = { question: own.question, lines: lines.length === 0 ? [''] : lines, answer, guess }
    const text = attack(known, stream)
    const { index } = own.item
    const key = hash('sha1', `${index} ${text}`)
    const scored = scores.get(key) ?? scoreOf(index, text)
    if (scores.size < MAX_SCORES) scores.set(key, scored)
    const { reward, trace } = scored
    const isRewarded = trace?.reward === 1
    sums.right += Number(reward === 1)
    sums.trueSteps += Number((trace?.trueSteps ?? 0) > 0)
    sums.supported += Number(trace?.supportsAnswer === true)
    sums.rewarded += Number(isRewarded)
    sums.rewardedWrong += Number(isRewarded && reward !== 1)
    const count = earned.get(name)
    if (count !== undefined) {
      count.texts++
      count.rewarded += Number(isRewarded)
    }
  }
  const shares = [...earned].map(([name, one]) => [name, one.rewarded / Math.max(1, one.texts)] as const)
  const best = shares.reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)
  return { task: task.name, texts, ...sums, best }
}

/** `npm run bench -- step-rewards`: 10^4 texts a task; TOUCHSTONE_BENCH=large: 10^6. */
export function run(): Promise<BenchTable> {
  const share = (count: number, texts: number): string => `${((100 * count) / texts).toFixed(3)} %`
  const rows = tasksWithSteps().map((task) => {
    const { texts, right, trueSteps, supported, rewarded, rewardedWrong, best } = playSteps(task, TEXTS)
    return [
      task.name,
      texts,
      ...[right, trueSteps, supported, rewarded].map((count) => share(count, texts)),
      `${(100 * (wilson(rewarded, texts)?.high ?? 1)).toFixed(4)} %`,
      rewardedWrong,
      rewarded === 0 ? '' : `${best[0]} (${(100 * best[1]).toFixed(1)} %)`,
    ]
  })
  return Promise.resolve({
    title: 'What texts without reasoning earn for their steps',
    columns: [
      'task',
      'texts',
      'right answer',
      'a true step',
      'steps give the answer',
      'step reward 1',
      'at most (95 %)',
      'of them with a wrong answer',
      'best attack',
    ],
    rows,
    notes: [
      `${Object.keys(ATTACKS).length} kinds of texts made of the question, of a solution of another item with the names of this one, and of an answer of another item`,
      'a text that nobody reasoned for should earn 0; the right answer is what it earns without a look at steps',
    ],
  })
}
