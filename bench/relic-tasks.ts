import { between, type Item, namedStream, type Source, shuffle, type Task } from '../src/core/index.ts'
import { spearman } from '../src/libraries/statistics/index.ts'
import { liftedOf, type Shared, tokensOf } from '../src/tasks/relic/grammars/grammar.ts'
import { languageOf, recognizerOf } from '../src/tasks/relic/grammars/languages.ts'
import { relic } from '../src/tasks/relic/index.ts'
import { lookAhead } from '../src/tasks/relic/parse/shortcuts.ts'
import type { BenchTable } from './table.ts'

/**
 * Section by section what the tasks over drawn grammars promise, at sizes of one's own: TOUCHSTONE_RELIC="relic/parse parse-easy 2000" measures one
 * preset; without it all of them, 200 items each.
 */
const SEED = 'stranger'
const DEFAULT_ITEMS = 200
/** What guessing may earn, by task; `count` is closed: one in six. */
const GOALS: { readonly [task: string]: number } = {
  'relic/parse': 0.01,
  'relic/next': 0.01,
  'relic/fill': 0.05,
  'relic/repair': 0.15,
  'relic/translate': 0.005,
  'relic/count': 1 / 6 + 0.03,
}
const EXACT = /^(?:chart|tires-of-.*|greedy|membership)$/u

const drawsOf = (label: string) => ({ stream: (name: string) => namedStream(`relic tasks ${name}`, label) }) as never

/** The first so many items, and how many indices were asked for them. */
function itemsOf(source: Source, count: number): { readonly items: readonly Item[]; readonly asked: number } {
  const items: Item[] = []
  let asked = 0
  for (; items.length < count && asked < 3 * count; asked++) {
    const item = source.item(asked)
    if (item.kind === 'item') items.push(item)
  }
  return { items, asked }
}

const isRight = (task: Task, item: Item, text: string): boolean => {
  const found = task.parsers!['strict']!(text, item)
  return found.kind === 'extracted' && task.grade!(item, found.answer).value === 1
}

/** A changed answer: tokens exchanged, replaced, or taken out; of a number another one; of a derivation two rules exchanged. */
function changed(answer: unknown, others: readonly unknown[], seed: string): unknown {
  const stream = namedStream('relic tasks mutants', seed)
  if (typeof answer === 'number') return (answer + between(stream, 1, 5)) % 6
  const list = [...(answer as readonly unknown[])]
  const kind = between(stream, 0, 2)
  const at = between(stream, 0, list.length - 1)
  if (kind === 0 && list.length > 1) return shuffle(stream, list)
  if (kind === 1) return list.toSpliced(at, 1)
  const other = others[between(stream, 0, others.length - 1)] as readonly unknown[]
  return list.toSpliced(at, 1, other[between(stream, 0, other.length - 1)])
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

/** Attackers that no baseline is: shares correct, by name. */
function attackers(task: Task, items: readonly Item[]): readonly (readonly [string, number])[] {
  const sharedOf = (item: Item) => item.shared as unknown as Shared
  const stringOf = (item: Item) => (item.given as { readonly string: string }).string
  if (task.name === 'relic/parse') {
    const stream = namedStream('relic tasks', 'look-ahead')
    const found = items.filter((item) => {
      const tokens = tokensOf(sharedOf(item), stringOf(item))
      return Array.from({ length: 300 }).some(() => lookAhead(sharedOf(item), tokens, stream) !== null)
    })
    return [['look-ahead, 300 tries', found.length / items.length]]
  }
  if (task.name !== 'relic/repair') return []
  const models = new Map<string, ReturnType<typeof rowModel>>()
  const lengths = items.map((item) => stringOf(item).split(' ').length)
  return [3, 4, 5].flatMap((order) =>
    [1, 2].flatMap((distance) => {
      const own = items.filter(({ features }) => features['distance'] === distance)
      const right = own.filter((item) => {
        const shared = sharedOf(item)
        const key = `${order} ${shared.grammar}`
        const score = models.get(key) ?? rowModel(shared, order, Math.min(...lengths), Math.max(...lengths))
        models.set(key, score)
        const size = liftedOf(shared).cnf.terminals.length
        return recognizerOf(shared).accepts(likeliestRepair(tokensOf(shared, stringOf(item)), distance, size, score))
      })
      return own.length === 0
        ? []
        : [[`rows of ${order} tokens, ${distance} edits`, right.length / own.length] as const]
    }),
  )
}

export async function run(): Promise<readonly BenchTable[]> {
  const [name, preset, size] = (process.env['TOUCHSTONE_RELIC'] ?? '').split(' ')
  const count = Number(size ?? DEFAULT_ITEMS)
  const tasks = relic.tasks.filter((task) => task.name !== 'relic/recognize' && (!name || task.name === name))
  const promises: (string | number)[][] = []
  const guesses: (string | number)[][] = []
  for (const task of tasks)
    for (const known of Object.keys(task.presets).filter((one) => !preset || one === preset)) {
      const source = task.source(task.preset(known).config, { split: 'test', seed: SEED })
      const started = performance.now()
      const { items, asked } = itemsOf(source, count)
      const rate = (1000 * items.length) / (performance.now() - started)
      let [disagree, mutants, unread, refused] = [0, 0, 0, 0]
      for (const [k, item] of items.entries()) {
        if (!task.oracle(item, item.answer)) disagree++
        const other = changed(
          item.answer,
          items.map(({ answer }) => answer),
          `${known} ${k}`,
        )
        if ((task.grade!(item, other as never).value === 1) !== task.oracle(item, other as never)) mutants++
        if (!isRight(task, item, task.gold!(item))) unread++
        if (task.check(item, task.witness(item))) refused++
      }
      const numbers = (feature: string) => items.map(({ features }) => Number(features[feature]))
      const correlation = known.endsWith('-work') ? (spearman(numbers('work'), numbers('rules'))?.r ?? '') : ''
      promises.push([
        known,
        items.length,
        items.length / asked,
        disagree,
        mutants,
        unread,
        items.length - refused,
        correlation,
        rate,
      ])
      const goal = GOALS[task.name] ?? ''
      for (const [baseline, own] of Object.entries(task.baselines ?? {})) {
        if (EXACT.test(baseline) || own.kind !== 'chat') continue
        const right = items.filter((item, k) => isRight(task, item, own.answer(item, drawsOf(`${known} ${k}`))))
        guesses.push([known, items.length, baseline, right.length / items.length, goal])
      }
      for (const [attacker, share] of attackers(task, items)) guesses.push([known, items.length, attacker, share, ''])
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
        'work with rules',
        'items/s',
      ],
      rows: promises,
      notes: [`Split test, seed ${SEED}; work with rules: rank correlation.`],
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
