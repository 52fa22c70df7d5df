import { bindStreams, type Item, type Json, KeySpace, rootKey, type Task } from '../src/core/index.ts'
import { parseLaw } from '../src/libraries/rewriting/sounds/index.ts'
import { clusteredMeanEstimate, mean } from '../src/libraries/statistics/index.ts'
import { induce } from '../src/tasks/pbebench/induce/task.ts'
import { soundChange } from '../src/tasks/pbebench/sound-change/task.ts'
import { soundLaws } from '../src/tasks/pbebench/sound-laws/task.ts'
import { trains } from '../src/tasks/slr-bench/trains/task.ts'
import type { BenchTable } from './table.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
const ITEMS = size === 'large' ? 60 : size === 'quick' ? 4 : 12

/** What answers to an item. */
type Reader = (item: Item) => string

interface Induction {
  readonly task: Task
  readonly presets: readonly string[]
  readonly baselines: readonly string[]
  /** A model that knows all of the target but its last rule. */
  readonly butLast: (answer: Json) => Json
  /** A model that writes a private rule for each word; absent: a baseline does. */
  readonly patcher?: Reader
}

/** Presets that hold something out. */
const all = ({ presets }: Task, without: RegExp = /^$/u): readonly string[] =>
  Object.keys(presets).filter((preset) => !without.test(preset))

const inductions: readonly Induction[] = [
  {
    task: induce,
    presets: all(induce),
    baselines: ['patcher', 'greedy', 'shortest'],
    butLast: (rules) => (rules as readonly Json[]).slice(0, -1),
  },
  {
    task: soundLaws,
    presets: all(soundLaws, /^valley-laws$/u),
    baselines: ['patcher', 'greedy', 'shortest'],
    butLast: (answer) => {
      const { rules, ...more } = answer as { readonly rules: readonly Json[] }
      return { ...more, rules: rules.slice(0, -1) }
    },
  },
  {
    task: soundChange,
    presets: all(soundChange),
    baselines: ['shortest-description'],
    butLast: (answer) => ({
      laws: (answer as { readonly laws: readonly (readonly string[])[] }).laws.map((laws) => laws.slice(0, -1)),
    }),
    patcher: privateLaws,
  },
  {
    task: trains,
    presets: all(trains),
    baselines: ['one-property', 'search'],
    butLast: (clause) => withoutLastGoal(String(clause)),
  },
]

/** A clause without the last goal of its body. */
function withoutLastGoal(clause: string): string {
  let depth = 0
  for (let at = clause.length - 1; at > 0; at--) {
    if (clause[at] === ')') depth++
    if (clause[at] === '(') depth--
    if (clause[at] === ',' && depth === 0) return `${clause.slice(0, at)}.`
  }
  return clause
}

/** For each changed word a law of the sounds that differ, between up to three sounds on either side. */
function privateLaws({ given }: Item): string {
  type Words = readonly { readonly older: string; readonly younger: readonly (string | null)[] }[]
  const { languages, words, limits } = given as unknown as {
    readonly languages: readonly string[]
    readonly words: Words
    readonly limits: { readonly laws: number }
  }
  const lawOf = (older: readonly string[], younger: readonly string[]): string => {
    const shared = (a: readonly string[], b: readonly string[]) => {
      const at = a.findIndex((sound, i) => sound !== b[i])
      return at < 0 ? a.length : at
    }
    const first = Math.min(shared(older, younger), younger.length)
    const rest = older.slice(first)
    const last = Math.min(shared(rest.toReversed(), younger.slice(first).toReversed()), younger.length - first)
    const between = (list: readonly string[]) => list.slice(first, list.length - last).join(' ') || '∅'
    const before = ['#', ...older.slice(0, first)].slice(-3).join(' ')
    const after = [...older.slice(older.length - last), '#'].slice(0, 3).join(' ')
    return `${between(older)} > ${between(younger)} / ${before} _ ${after}`
  }
  const text = languages.map((language, k) => {
    const changed = words.flatMap(({ older, younger }) => {
      const form = younger[k] ?? older
      return form === older
        ? []
        : [lawOf(older.split(' '), form.split(' '))].filter((law) => parseLaw(law).kind === 'law')
    })
    return [`${language}:`, ...changed.slice(0, limits.laws)].join('\n')
  })
  return `\`\`\`\n${text.join('\n')}\n\`\`\``
}

const baseline =
  (task: Task, name: string): Reader =>
  (item) => {
    const found = task.baselines?.[name]
    if (found?.kind !== 'chat') throw new Error(`${task.name} has no baseline ${name}`)
    const space = new KeySpace(rootKey(task.name, 1, 'test', 'held-out'))
    return found.answer(item, bindStreams(space, 'baseline/', [item.index], null))
  }

/** Shares right of what is shown and of what is held out. */
interface Scores {
  readonly shown: number
  readonly held: number
}

/** null: the text is not read. */
function scored(task: Task, item: Item, text: string): Scores | null {
  const read = task.parsers?.['strict']?.(text, item)
  return read?.kind === 'extracted' ? partsOf(task, item, read.answer) : null
}

function partsOf(task: Task, item: Item, answer: Json): Scores | null {
  const { extensional, intensional, partial, heldOut } = task.grade?.(item, answer)?.parts ?? {}
  const [shown, held] = [extensional ?? partial, intensional ?? heldOut]
  return shown === undefined || held === undefined ? null : { shown, held }
}

/**
 * Scores on what is shown beside those on what is held out: of baselines, of a model that writes a private rule for each
 * word, and of one that has induced all rules but the last. Only who fits what is shown without inducing has a gap.
 */
export async function run(): Promise<BenchTable> {
  const rows: (string | number)[][] = []
  for (const { task, presets, baselines, butLast, patcher } of inductions)
    for (const preset of presets) {
      const source = task.source(task.preset(preset).config, { split: 'test', seed: 'held-out' })
      const step = Math.max(1, Math.floor((source.layout.size ?? 97 * ITEMS) / ITEMS))
      const items = Array.from({ length: Math.min(ITEMS, source.layout.size ?? ITEMS) }, (_, i) =>
        source.item(i * step),
      ).filter((item) => item.kind === 'item')
      const written: readonly (readonly [string, Reader])[] = [
        ...(patcher === undefined ? [] : ([['patcher', patcher]] as const)),
        ...baselines.map((name) => [name, baseline(task, name)] as const),
      ]
      const readers: readonly (readonly [string, (item: Item) => Scores | null])[] = [
        ...written.map(([name, reader]) => [name, (item: Item) => scored(task, item, reader(item))] as const),
        ['all rules but the last', (item) => partsOf(task, item, butLast(item.answer))],
      ]
      for (const [name, read] of readers) {
        const found = items.flatMap((item) => read(item) ?? [])
        const gap = clusteredMeanEstimate(
          found.map(({ shown, held }) => shown - held),
          [...found.keys()],
        )
        rows.push([
          `${task.name.split('/')[1]} ${preset}`,
          name,
          found.length,
          mean(found.map(({ shown }) => shown)).toFixed(3),
          mean(found.map(({ held }) => held)).toFixed(3),
          gap === null ? '' : gap.value.toFixed(3),
          gap === null ? '' : `${gap.low.toFixed(3)} to ${gap.high.toFixed(3)}`,
        ])
        process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`)
      }
    }
  return {
    title: 'Scores on what is shown and on what is held out',
    columns: ['preset', 'reader', 'items', 'shown', 'held out', 'gap', '95 %'],
    rows,
    notes: [
      'Test split, seed held-out, items spread over the set. Shown: share right of the changed words, forms or trains of the prompt.',
    ],
  }
}
