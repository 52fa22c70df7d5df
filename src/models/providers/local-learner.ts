import { type Json, type JsonObject, LruCache, type Problem, type Source, type Task } from '../../core/index.ts'
import { type Example, type LocalClassifier, trainLocalClassifier } from '../../libraries/locality/local-classifier.ts'

/** Levels that baselines are offered for: `local-0` sees no term that is asked about, `local-4` four statements around it. */
export const LOCALITY_LEVELS = [0, 1, 2, 3, 4] as const

/** Stretches of the training split, so that questions of many groups are seen, and how long each is. */
const SEGMENTS = 40
const length = 50
/** Of a split without an end, this far. */
const reach = 200_000

const maxReaders = 32
const readers = new WeakMap<Task, LruCache<LocalClassifier, string>>()

/** The reader of a level, fitted once on the training split of a config. */
export function localLearner(task: Task, config: JsonObject, level: number): LocalClassifier {
  const own = readers.get(task) ?? new LruCache<LocalClassifier, string>(maxReaders)
  readers.set(task, own)
  return own.get(`${level} ${JSON.stringify(config)}`, () => trainLocalClassifier(examplesOf(task, config), level))
}

function examplesOf(task: Task, config: JsonObject): Example[] {
  const source = task.source(config, { split: 'train', seed: 'local' })
  return [...indicesOf(source)].flatMap((index) => {
    const item = source.item(index)
    if (item.kind === 'hole') return []
    const structure = task.anonymize?.(item)
    const choices = task.choices?.(item) ?? []
    if (structure === undefined || choices.length === 0) return []
    return [{ structure, accepted: choices.map((choice) => isRight(task, item, choice)) }]
  })
}

function* indicesOf({ layout }: Source): Generator<number> {
  const size = layout.size ?? reach
  if (size <= SEGMENTS * length) {
    for (let index = 0; index < size; index++) yield index
    return
  }
  for (let s = 0; s < SEGMENTS; s++) {
    const from = Math.floor((s * (size - length)) / (SEGMENTS - 1))
    for (let i = 0; i < length; i++) yield from + i
  }
}

/** Would this choice, given as a response, be graded as right? */
export function isRight(task: Task, problem: Problem<Json, Json, Json>, choice: string): boolean {
  const read = task.parsers?.strict(choice, problem)
  return read?.kind === 'extracted' && task.grade?.(problem, read.answer).value === 1
}
