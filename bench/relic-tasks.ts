import process from 'node:process'
import {
  below,
  between,
  type Item,
  type Json,
  namedStream,
  pick,
  type Source,
  type Stream,
  shuffle,
  type Task,
} from '../src/core/index.ts'
import { spearman } from '../src/libraries/statistics/index.ts'
import { liftedOf, type Shared, tokensOf } from '../src/tasks/relic/grammars/grammar.ts'
import { languageOf, recognizerOf } from '../src/tasks/relic/grammars/languages.ts'
import { relic } from '../src/tasks/relic/index.ts'
import { lookAhead } from '../src/tasks/relic/parse/shortcuts.ts'
import type { BenchTable } from './table.ts'

/**
 * What the tasks over drawn grammars promise, on so many items a task (at least a fifth of them from each preset, as far as so many seconds
 * of CPU for the task reach): TOUCHSTONE_RELIC="relic/parse 10000 600" measures one task at full size, "relic/parse:parse-easy 2000 60" one preset;
 * without it 1,000 items of each task. A fourth word is the seed.
 */
const [named = '', size = 1000, cap = 120, SEED = 'stranger'] = (process.env['TOUCHSTONE_RELIC'] ?? '').split(' ')
/** What guessing may earn, by task; `count` is closed: one in six. */
const GOALS: { readonly [task: string]: number } = {
  'relic/parse': 0.01,
  'relic/next': 0.01,
  'relic/fill': 0.05,
  'relic/repair': 0.15,
  'relic/translate': 0.005,
  'relic/count': 1 / 6 + 0.03,
}
/** Presets of recognition over such grammars. */
const DIALLED = /^relic-(?:2000|work|crossed|greibach|deterministic|regular)$/u
const EXACT = /^(?:chart|cyk.*|tires-.*|greedy|membership)$/u

const drawsOf = (label: string) => ({ stream: (name: string) => namedStream(`relic tasks ${name}`, label) }) as never

/** Seconds of CPU of this process. */
const cpu = (): number => process.cpuUsage().user / 1e6

const isRight = (task: Task, item: Item, text: string, parser = 'strict'): boolean => {
  const found = task.parsers![parser]!(text, item)
  return found.kind === 'extracted' && task.grade!(item, found.answer).value === 1
}

/** A proof of which one number is changed, if it has one. */
function changedProof(proof: Json, stream: Stream): Json | null {
  const text = JSON.stringify(proof)
  const numbers = [...text.matchAll(/\d+(?=[,\]}])/gu)]
  if (numbers.length === 0) return null
  const { 0: number, index } = numbers[below(stream, numbers.length)]!
  return JSON.parse(
    `${text.slice(0, index)}${Number(number) + between(stream, 1, 3)}${text.slice(index + number.length)}`,
  ) as Json
}

/** How the items of a preset stand up to both oracles, changed answers and proofs, and what guessing earns. */
function measure(task: Task, preset: string, count: number, seconds: number) {
  const source: Source = task.source(task.preset(preset).config, { split: 'test', seed: SEED })
  const items: Item[] = []
  const wrong = { answers: 0, mutants: 0, gold: 0, witnesses: 0, proofs: 0 }
  const baselines = Object.entries(task.baselines ?? {}).filter(
    ([name, { kind }]) => !EXACT.test(name) && kind === 'chat',
  )
  const guessed = new Map(baselines.map(([name]) => [name, 0]))
  const begun = cpu()
  let asked = 0
  let drawing = 0
  for (; items.length < count && asked < 3 * count && cpu() - begun < seconds; asked++) {
    const before = cpu()
    const item = source.item(asked)
    drawing += cpu() - before
    if (item.kind !== 'item') continue
    items.push(item)
    const label = `${preset} ${asked}`
    const { answer: other } = items[between(namedStream('relic tasks others', label), 0, items.length - 1)]!
    const mutant = changed(item.answer, other, label) as never
    const proof = task.witness(item)
    const broken = changedProof(proof, namedStream('relic tasks proofs', label))
    if (!task.oracle(item, item.answer) || task.grade!(item, item.answer).value !== 1) wrong.answers++
    if ((task.grade!(item, mutant).value === 1) !== task.oracle(item, mutant)) wrong.mutants++
    if (!['strict', 'lenient'].every((parser) => isRight(task, item, task.gold!(item), parser))) wrong.gold++
    if (!task.check(item, proof)) wrong.witnesses++
    if (broken !== null && task.check(item, broken)) wrong.proofs++
    for (const [name, own] of baselines)
      if (own.kind === 'chat' && isRight(task, item, own.answer(item, drawsOf(label))))
        guessed.set(name, guessed.get(name)! + 1)
  }
  return { items, asked, wrong, guessed, rate: items.length / drawing }
}

/** A changed answer: tokens exchanged, replaced, or taken out; of a number another one; of a derivation two rules exchanged. */
function changed(answer: unknown, other: unknown, seed: string): unknown {
  const stream = namedStream('relic tasks mutants', seed)
  if (typeof answer === 'boolean') return !answer
  if (typeof answer === 'number') return (answer + between(stream, 1, 5)) % 6
  const list = [...(answer as readonly unknown[])]
  const kind = between(stream, 0, 2)
  const at = between(stream, 0, list.length - 1)
  if (kind === 0 && list.length > 1) return shuffle(stream, list)
  if (kind === 1) return list.toSpliced(at, 1)
  return list.toSpliced(at, 1, pick(stream, other as readonly unknown[]))
}

/** How ordinary a string looks by counts of rows of up to `order` tokens in strings of the grammar that the attacker draws. */
function rowModel(shared: Shared, order: number, shortest: number, longest: number) {
  const stream = namedStream('relic tasks attacker', shared.grammar)
  const size = liftedOf(shared).cnf.terminals.length
  const counts = new Map<string, number>()
  const { sampler } = languageOf(shared, longest)
  const marked = (tokens: ArrayLike<number>) => [...Array(order - 1).fill(-1), ...Array.from(tokens), -2] as number[]
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (let k = 0; k < 3000; k++) {
    const all = marked(sampler.sample(stream, between(stream, shortest, longest)))
    for (let to = order; to <= all.length; to++)
      for (let from = to - order; from < to; from++) {
        add(all.slice(from, to).join(' '))
        add(`${all.slice(from, to - 1).join(' ')}>`)
      }
  }
  return (tokens: readonly number[]): number => {
    const all = marked(tokens)
    let total = 0
    for (let to = order; to <= all.length; to++) {
      let share = 1 / (size + 1)
      for (let from = to - 1; from >= to - order; from--)
        share =
          ((counts.get(all.slice(from, to).join(' ')) ?? 0) + 2 * share) /
          ((counts.get(`${all.slice(from, to - 1).join(' ')}>`) ?? 0) + 2)
      total += Math.log(share)
    }
    return total
  }
}

/** The likeliest string after so many edits, eight kept at each. */
function likeliestRepair(
  tokens: readonly number[],
  edits: number,
  size: number,
  score: (tokens: readonly number[]) => number,
) {
  let kept: (readonly number[])[] = [tokens]
  for (let k = 0; k < edits; k++) {
    const found = new Map<string, readonly number[]>()
    for (const one of kept)
      for (let at = 0; at <= one.length; at++) {
        const put = Array.from({ length: size }, (_, token) => token)
        for (const next of [
          one.toSpliced(at, 1),
          ...put.map((token) => one.toSpliced(at, 0, token)),
          ...put.map((token) => one.toSpliced(at, 1, token)),
        ])
          found.set(next.join(' '), next)
      }
    found.delete(tokens.join(' '))
    const scored = [...found.values()].map((one) => ({ one, value: score(one) }))
    kept = scored
      .sort((a, b) => b.value - a.value)
      .slice(0, 8)
      .map(({ one }) => one)
  }
  return kept[0]!
}

/** The first items for which the seconds reach, and those of them that are solved. */
function solvedWithin<T>(items: readonly T[], seconds: number, isSolved: (item: T) => boolean) {
  const begun = cpu()
  let [among, right] = [0, 0]
  for (const item of items) {
    if (cpu() - begun > seconds) break
    among++
    if (isSolved(item)) right++
  }
  return [among, right] as const
}

/** Attackers that no baseline is: of how many items they solve how many, by name. */
function attackers(
  task: Task,
  items: readonly Item[],
  seconds: number,
): readonly (readonly [name: string, among: number, right: number])[] {
  const sharedOf = (item: Item) => item.shared as unknown as Shared
  const stringOf = (item: Item) => (item.given as { readonly string: string }).string
  if (task.name === 'relic/parse') {
    const stream = namedStream('relic tasks', 'look-ahead')
    const found = solvedWithin(items, seconds / 4, (item) => {
      const tokens = tokensOf(sharedOf(item), stringOf(item))
      return Array.from({ length: 300 }).some(() => lookAhead(sharedOf(item), tokens, stream) !== null)
    })
    return [['look-ahead, 300 tries', ...found]]
  }
  if (task.name !== 'relic/repair') return []
  const models = new Map<string, ReturnType<typeof rowModel>>()
  const lengths = items.map((item) => stringOf(item).split(' ').length)
  return [3, 4, 5].flatMap((order) =>
    [1, 2].flatMap((distance) => {
      const own = items.filter(({ features }) => features['distance'] === distance)
      const found = solvedWithin(own, seconds / 12, (item) => {
        const shared = sharedOf(item)
        const key = `${order} ${shared.grammar}`
        const score = models.get(key) ?? rowModel(shared, order, Math.min(...lengths), Math.max(...lengths))
        models.set(key, score)
        const size = liftedOf(shared).cnf.terminals.length
        return recognizerOf(shared).accepts(likeliestRepair(tokensOf(shared, stringOf(item)), distance, size, score))
      })
      return own.length === 0 ? [] : [[`rows of ${order} tokens, ${distance} edits`, ...found] as const]
    }),
  )
}

export async function run(): Promise<readonly BenchTable[]> {
  const [name, preset] = named.split(':')
  const count = Number(size)
  const seconds = Number(cap)
  const promises: (string | number)[][] = []
  const guesses: (string | number)[][] = []
  for (const task of relic.tasks.filter((one) => !name || one.name === name)) {
    if (task.name === 'relic/strategy') continue
    // The slowest come first, so that the others make up for what they miss.
    const presets = Object.keys(task.presets)
      .filter((one) => (preset ? one === preset : task.name !== 'relic/recognize' || DIALLED.test(one)))
      .toReversed()
    let [done, spent] = [0, 0]
    for (const [k, known] of presets.entries()) {
      const share = Math.max(Math.ceil(count / 5), Math.ceil((count - done) / (presets.length - k)))
      const own = (seconds - spent) / (presets.length - k)
      const begun = cpu()
      const { items, asked, wrong, guessed, rate } = measure(task, known, Math.min(count, share), own)
      done += items.length
      spent += cpu() - begun
      const numbers = (feature: string) => items.map(({ features }) => Number(features[feature]))
      const correlation = known.endsWith('-work') ? (spearman(numbers('work'), numbers('rules'))?.r ?? '') : ''
      promises.push([known, items.length, items.length / asked, ...Object.values(wrong), correlation, rate])
      const goal = GOALS[task.name] ?? ''
      for (const [baseline, right] of guessed) guesses.push([known, items.length, baseline, right / items.length, goal])
      for (const [attacker, among, right] of attackers(task, items, own))
        guesses.push([known, among, attacker, right / among, ''])
    }
  }
  return [
    {
      title: 'Tasks over drawn grammars: proofs, speed, and the two dials',
      columns: [
        'preset',
        'items',
        'filled',
        'oracle disagrees',
        'on changed answers',
        'gold unread',
        'witness refused',
        'changed accepted',
        'work with rules',
        'items/s',
      ],
      rows: promises,
      notes: [
        `Split test, seed ${SEED}, at most ${seconds} s of CPU a task; items/s: of CPU, drawing alone. Work with rules: rank correlation.`,
      ],
    },
    {
      title: 'Tasks over drawn grammars: what guessing earns',
      columns: ['preset', 'items', 'strategy', 'correct', 'goal'],
      rows: guesses,
      notes: [
        'Rows of k tokens: an interpolated model of 3,000 strings that the attacker draws from the very grammar.',
      ],
    },
  ]
}
