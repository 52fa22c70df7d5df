import type { AnonymizedQuestion } from '../../core/index.ts'
import { boostedTrees } from './boosted-trees.ts'
import type { Learner } from './columns.ts'
import { type Binned, binOf, type Column, columnsOf, edgesOf } from './columns.ts'
import { factTables } from './fact-tables.ts'
import { candidatesOf, featuresAtLevel } from './local-features.ts'
import type { Counts } from './statements.ts'

/** A question with its names erased, and which of its choices are right. */
export interface Example {
  readonly structure: AnonymizedQuestion
  readonly accepted: readonly boolean[]
}

/** Says which of so many choices it takes for right; null where it learnt nothing about questions with as many. */
export type LocalClassifier = (structure: AnonymizedQuestion, choices: number) => number | null

/** Trees find their own cuts; the cells of a table must be few. */
const fine = 32
const coarse = 8
/** Of the examples, so many in a hundred tell which learner is the better one. */
const heldOut = 30
const fewest = 50

/**
 * A reader that sees no farther than `level` statements (or tokens): boosted trees or a table of facts on what lies there,
 * whichever was right more often on examples held out, fitted on all of them. Questions with as many choices are learnt
 * together; where choices are terms of the question, each is judged by itself.
 */
export function trainLocalClassifier(examples: readonly Example[], level: number): LocalClassifier {
  const byCount = new Map<number, Row[]>()
  const ofCandidates: Row[] = []
  for (const { structure, accepted } of examples) {
    const view = featuresAtLevel(structure, level)
    const candidates = candidatesOf(structure)
    for (const { term, choice } of candidates)
      ofCandidates.push({ view: view(term), key: accepted[choice] === true ? 1 : 0 })
    if (candidates.length > 0 || accepted.filter(Boolean).length !== 1) continue
    const own = byCount.get(accepted.length) ?? []
    byCount.set(accepted.length, own)
    own.push({ view: view(), key: accepted.indexOf(true) })
  }
  const fitted = new Map([...byCount].map(([count, rows]) => [count, scorerOf(rows, count)]))
  const judge = scorerOf(ofCandidates, 2)
  return (structure, choices) => {
    const view = featuresAtLevel(structure, level)
    const candidates = candidatesOf(structure)
    if (candidates.length === 0) {
      const scores = fitted.get(choices)?.(view())
      return scores === undefined ? null : argmax(scores)
    }
    if (judge === null) return null
    const scores = candidates.map(({ term }) => {
      const [no = 0, yes = 0] = Array.from(judge(view(term)))
      return yes - no
    })
    return (candidates[argmax(scores)] as { readonly choice: number }).choice
  }
}

interface Row {
  readonly view: Counts
  readonly key: number
}
type Scorer = (view: Counts) => ArrayLike<number>

function scorerOf(rows: readonly Row[], classes: number): Scorer | null {
  if (rows.length < fewest) return null
  const columns = columnsOf(rows.map(({ view }) => view))
  const [ofTrees, ofTables] = [askable(columns, fine), askable(columns, coarse)]
  const keys = Int32Array.from(rows, ({ key }) => key)
  const all = Int32Array.from(rows.keys())
  const learner = better([boostedTrees('trees', ofTrees.binned), factTables('tables', ofTables.binned)], keys, classes)
  const score = learner.fit(all, keys, classes)
  const scores = new Float64Array(classes)
  return (view) => {
    ofTrees.ask(view)
    ofTables.ask(view)
    score(rows.length, scores)
    return scores
  }
}

/** Columns in bins, with one more row behind those that teach: the question that is asked. */
function askable(columns: readonly Column[], bins: number): { readonly binned: Binned; ask(view: Counts): void } {
  const own = columns.map(({ probe, values }) => {
    const edges = edgesOf(values, bins)
    const cells = new Uint8Array(values.length + 1)
    for (const [row, value] of values.entries()) cells[row] = binOf(value, edges)
    return { probe, edges, cells }
  })
  return {
    binned: { bins, columns: own.map(({ cells }) => cells) },
    ask(view) {
      for (const { probe, edges, cells } of own) cells[cells.length - 1] = binOf(view.get(probe) ?? 0, edges)
    },
  }
}

/** The learner that is right more often on rows it was not fitted on. */
function better(learners: readonly [Learner, ...Learner[]], keys: Int32Array, classes: number): Learner {
  const rows = Int32Array.from(keys.keys())
  const cut = Math.floor((rows.length * (100 - heldOut)) / 100)
  const [train, test] = [rows.slice(0, cut), rows.slice(cut)]
  let best = { learner: learners[0], hits: -1 }
  for (const learner of learners) {
    const score = learner.fit(train, keys, classes)
    const scores = new Float64Array(classes)
    let hits = 0
    for (const row of test) {
      score(row, scores)
      if (argmax(scores) === keys[row]) hits++
    }
    if (hits > best.hits) best = { learner, hits }
  }
  return best.learner
}

function argmax(scores: ArrayLike<number>): number {
  let best = 0
  for (let k = 1; k < scores.length; k++) if ((scores[k] as number) > (scores[best] as number)) best = k
  return best
}
