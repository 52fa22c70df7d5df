import type { Item, Request, Source, Task } from '../../../src/core/index.ts'

/** What a reader of the prompt finds in one item. */
export type Finding =
  /** Texts of answers that fit the prompt: more than one where there is more than one. */
  | { readonly kind: 'answers'; readonly texts: readonly string[] }
  /** A string to be scored: what is wrong with what is said of it. */
  | { readonly kind: 'faults'; readonly faults: readonly string[] }

export type Reader = (asked: Request, item: Item, gold: string) => Finding

export interface Survey {
  readonly task: string
  readonly items: number
  /** Items with more than one answer that fits. */
  readonly several: number
  /** Items by preset. */
  readonly presets: { readonly [name: string]: number }
  readonly disagreements: readonly string[]
}

export interface Extent {
  readonly presets: readonly string[]
  readonly items: number
  /** Seconds in all, the same for each preset. */
  readonly seconds: number
}

/** Reads items of all presets alike, from as many seeds as it takes, and asks the task's oracle as well. */
export function survey(task: Task, read: Reader, { presets, items, seconds }: Extent): Survey {
  const quota = Math.ceil(items / presets.length)
  const disagreements: string[] = []
  const counts: Record<string, number> = {}
  let several = 0
  for (const preset of presets) {
    // A large plan is not counted: its items would get nothing.
    let end: number | null = null
    let done = 0
    for (const { item, source } of spread(task, preset, quota)) {
      end ??= performance.now() + (1000 * seconds) / presets.length
      const found = findings(task, source, item, read)
      if (found.several) several++
      disagreements.push(...found.faults.map((fault) => `${preset} ${item.id}: ${fault}`))
      done++
      if (performance.now() > end) break
    }
    counts[preset] = done
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { task: task.name, items: total, several, presets: counts, disagreements }
}

/** `quota` items, spread over a set, and over as many sets as it takes. */
function* spread(
  task: Task,
  preset: string,
  quota: number,
): Generator<{ readonly item: Item; readonly source: Source }> {
  const { config } = task.preset(preset)
  for (let seed = 0, left = quota; left > 0; seed++) {
    const source = task.source(config, { split: 'test', seed: `prompt-only-${seed}` })
    const size = source.layout.size ?? Number.POSITIVE_INFINITY
    const step = size < Number.POSITIVE_INFINITY ? Math.max(1, size / left) : 1
    let found = 0
    for (let i = 0; left > 0; i++) {
      const index = Math.floor(i * step) + (i % Math.floor(step))
      if (index >= size) break
      const item = source.item(index)
      if (item.kind !== 'item') continue
      found++
      left--
      yield { item, source }
    }
    if (found === 0) throw new Error(`${task.name} ${preset} has no items`)
  }
}

function findings(
  task: Task,
  source: Source,
  item: Item,
  read: Reader,
): { faults: readonly string[]; several: boolean } {
  const question = { shared: item.shared, given: item.given }
  const problem = { ...question, answer: item.answer }
  const gold = task.gold?.(problem) ?? ''
  const found = read(source.request(item, task.styles[0]), item, gold)
  const oracle = task.oracle(question, item.answer) ? [] : ['the oracle disagrees']
  if (found.kind === 'faults') return { faults: [...oracle, ...found.faults], several: false }
  const { texts } = found
  const refused = texts.filter((text) => !isRight(task, problem, text))
  return {
    faults: [
      ...oracle,
      ...(texts.length === 0 ? [`nothing fits, not even ${gold}`] : []),
      ...refused.map((text) => `${text} is refused, ${gold} expected`),
    ],
    several: texts.length > 1,
  }
}

function isRight(task: Task, problem: Parameters<NonNullable<Task['gold']>>[0], text: string): boolean {
  const read = task.parsers?.['strict']?.(text, problem)
  return read?.kind === 'extracted' && task.grade?.(problem, read.answer).value === 1
}
