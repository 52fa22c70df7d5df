import type { AnonymizedQuestion } from '../../core/index.ts'
import { boostedTrees } from './boosted-trees.ts'
import type { Learner } from './columns.ts'
import { type Binned, binOf, type Column, columnsOf, edgesOf } from './columns.ts'
import { factTables } from './fact-tables.ts'
import { candidatesOf, featuresAtLevel } from './local-features.ts'
import type { Counts } from './statements.ts'

/** An anonymized question and its correct choices. */
export interface Example {
  readonly structure: AnonymizedQuestion
  readonly accepted: readonly boolean[]
}

/** Predicts the correct choice; null: no training questions with this number of choices. */
export type LocalClassifier = (structure: AnonymizedQuestion, choices: number) => number | null

/** Bins of trees, which choose their own thresholds, and of tables, which need few cells. */
const TREE_BINS = 32
const TABLE_BINS = 8
/** Percentage of examples held out to choose the better learner. */
const HELD_OUT = 30
const MIN_EXAMPLES = 50

/**
 * A classifier with a locality window of `level` statements (or tokens): boosted trees or a table of facts on the features
 * in the window, whichever is more accurate on held-out examples, fitted on all. Questions with the same number of choices
 * are learnt together; if the choices are terms of the question, each is judged separately.
 */
export function trainLocalClassifier(examples: readonly Example[], level: number): LocalClassifier {
  const byCount = new Map<number, Row[]>()
  const ofCandidates: Row[] = []
  for (const { structure, accepted } of examples) {
    const features = featuresAtLevel(structure, level)
    const candidates = candidatesOf(structure)
    for (const { term, choice } of candidates)
      ofCandidates.push({ features: features(term), key: accepted[choice] === true ? 1 : 0 })
    if (candidates.length > 0 || accepted.filter(Boolean).length !== 1) continue
    const own = byCount.get(accepted.length) ?? []
    byCount.set(accepted.length, own)
    own.push({ features: features(), key: accepted.indexOf(true) })
  }
  const fitted = new Map([...byCount].map(([count, rows]) => [count, scorerOf(rows, count)]))
  const judge = scorerOf(ofCandidates, 2)
  return (structure, choices) => {
    const features = featuresAtLevel(structure, level)
    const candidates = candidatesOf(structure)
    if (candidates.length === 0) {
      const scores = fitted.get(choices)?.(features())
      return scores === undefined ? null : argmax(scores)
    }
    if (judge === null) return null
    const scores = candidates.map(({ term }) => {
      const [no = 0, yes = 0] = Array.from(judge(features(term)))
      return yes - no
    })
    return (candidates[argmax(scores)] as { readonly choice: number }).choice
  }
}

interface Row {
  readonly features: Counts
  readonly key: number
}
type Scorer = (features: Counts) => ArrayLike<number>

function scorerOf(rows: readonly Row[], classes: number): Scorer | null {
  if (rows.length < MIN_EXAMPLES) return null
  const columns = columnsOf(rows.map(({ features }) => features))
  const [ofTrees, ofTables] = [withQueryRow(columns, TREE_BINS), withQueryRow(columns, TABLE_BINS)]
  const keys = Int32Array.from(rows, ({ key }) => key)
  const all = Int32Array.from(rows.keys())
  const learner = better([boostedTrees('trees', ofTrees.binned), factTables('tables', ofTables.binned)], keys, classes)
  const score = learner.fit(all, keys, classes)
  const scores = new Float64Array(classes)
  return (features) => {
    ofTrees.setQuery(features)
    ofTables.setQuery(features)
    score(rows.length, scores)
    return scores
  }
}

/** Binned columns with one more row, for the question to classify. */
function withQueryRow(
  columns: readonly Column[],
  bins: number,
): { readonly binned: Binned; setQuery(features: Counts): void } {
  const own = columns.map(({ probe, values }) => {
    const edges = edgesOf(values, bins)
    const cells = new Uint8Array(values.length + 1)
    for (const [row, value] of values.entries()) cells[row] = binOf(value, edges)
    return { probe, edges, cells }
  })
  return {
    binned: { bins, columns: own.map(({ cells }) => cells) },
    setQuery(features) {
      for (const { probe, edges, cells } of own) cells[cells.length - 1] = binOf(features.get(probe) ?? 0, edges)
    },
  }
}

/** The learner with the higher accuracy on held-out rows. */
function better(learners: readonly [Learner, ...Learner[]], keys: Int32Array, classes: number): Learner {
  const rows = Int32Array.from(keys.keys())
  const cut = Math.floor((rows.length * (100 - HELD_OUT)) / 100)
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
