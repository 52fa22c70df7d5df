import type { Task } from '../../core/index.ts'
import { boostedTrees } from '../../libraries/locality/boosted-trees.ts'
import { binned } from '../../libraries/locality/columns.ts'
import { type AnswerKind, type Classes, pooledClasses } from './answer-kinds.ts'
import { baselineProbes } from './baseline-probes.ts'
import { candidateRows } from './candidates.ts'
import { candidateFacts, rawColumns, shownFacts, type Told, textFacts, toldOf } from './facts.ts'
import { directFeatures } from './features.ts'
import { dealFolds } from './folds.ts'
import { crossParsing, naiveBayesLearners, nearestNeighbours } from './learners.ts'
import { ridgeLogistic } from './logistic.ts'
import { byItem, type Measured, overItems, testFeature, testHeuristic, testLearner } from './measure.ts'
import { testFact } from './nominal.ts'
import { type Blocks, blocksOf, numbered, twoClass } from './statistic.ts'
import { areUngrouped, blockLabels, type Subject, vocabularyOf } from './subject.ts'

/** All tests of one answer kind. */
export interface ProbeSet {
  readonly measured: readonly Measured[]
  readonly rows: number
  /** Rows in blocks with different answers: only these can show anything. */
  readonly informativeRows: number
  /** Rare answers, tested as one class. */
  readonly pooled: readonly string[]
}

/** @param conditions - features that blocks also hold equal. */
export function probeSet(task: Task, family: AnswerKind, conditions: readonly string[]): ProbeSet {
  switch (family.kind) {
    case 'classes':
      return classProbes(task, family.subjects, pooledClasses(family.labels, family.subjects), conditions)
    case 'candidates':
      return candidateProbes(family.subjects)
    case 'free':
      return {
        measured: baselineProbes(family.subjects),
        rows: family.subjects.length,
        informativeRows: family.subjects.length,
        pooled: [],
      }
  }
}

/**
 * Blocks for probes of an item's index. With balanced answers each answer block deals every answer once over neighbouring
 * indices (docs/concepts.md#balanced-blocks): only those indices are exchangeable.
 */
function indexBlocks(subjects: readonly Subject[]): Blocks | null {
  if (subjects.some(({ answerBlock }) => answerBlock === null)) return null
  const answers = new Set(subjects.map(({ answer }) => (answer.kind === 'class' ? answer.key : null))).size
  return blocksOf(subjects.map(({ index, answerBlock }) => `${Math.floor(index / answers)} ${answerBlock}`))
}

function classProbes(
  task: Task,
  subjects: readonly Subject[],
  classes: Classes,
  conditions: readonly string[],
): ProbeSet {
  const { labels, keys, pooled } = classes
  const blockOf = numbered(blockLabels(subjects, conditions))
  const blocks = blocksOf(blockOf)
  const byIndex = indexBlocks(subjects) ?? blocks
  const clusters = numbered(subjects.map((subject) => subject.cluster))
  const vocabulary = vocabularyOf(subjects.map((subject) => subject.text))
  const features = directFeatures(task, subjects, vocabulary)
  const measured: Measured[] = []
  for (const { suffix, isKey } of targets(labels, keys))
    for (const { probe, values, ofIndex } of features)
      measured.push(testFeature(`${probe}${suffix}`, values, isKey, ofIndex === true ? byIndex : blocks, clusters))
  const told = toldOf(subjects)
  for (const fact of [...textFacts(told), ...shownFacts(subjects)]) {
    const tested = testFact(fact, keys, labels.length, blocks)
    if (tested !== null) measured.push(tested)
  }
  for (const name of Object.keys(subjects[0]?.guesses ?? {}))
    measured.push(testHeuristic(name, guessScores(subjects, classes, name), blocks, clusters))
  const learners = [
    ...naiveBayesLearners(vocabulary),
    ridgeLogistic(features),
    nearestNeighbours(vocabulary),
    crossParsing(vocabulary),
    boostedTrees('raw/boosted-trees', binned(rawColumns(told), 32)),
  ]
  const across = dealFolds(subjects.map((subject) => subject.cluster))
  const within = dealFolds(subjects.map((subject) => subject.twin ?? subject.index))
  const grouped = !areUngrouped(subjects)
  for (const learner of learners) {
    if (across.length > 1) measured.push(testLearner(learner, keys, labels.length, across, blockOf, clusters, 'across'))
    if (grouped) measured.push(testLearner(learner, keys, labels.length, within, blockOf, clusters, 'within'))
  }
  return { measured, rows: subjects.length, informativeRows: rowsInMixedBlocks(blocks, keys), pooled }
}

/** One test per feature for two classes, else one per class. */
function targets(
  labels: readonly string[],
  keys: Int32Array,
): { readonly suffix: string; readonly isKey: Uint8Array }[] {
  const isKey = (k: number) => Uint8Array.from(keys, (key) => (key === k ? 1 : 0))
  if (labels.length === 2) return [{ suffix: '', isKey: isKey(0) }]
  return labels.map((label, k) => ({ suffix: `=${label}`, isKey: isKey(k) }))
}

function guessScores(subjects: readonly Subject[], { labels, keys, classOf }: Classes, name: string) {
  const classes = labels.length
  const scores = new Float64Array(subjects.length * classes)
  for (const [i, subject] of subjects.entries()) {
    const guess = classOf(subject.guesses[name] ?? '')
    if (guess >= 0) scores[i * classes + guess] = 1
  }
  return { classes, scores, keys }
}

function rowsInMixedBlocks(blocks: Blocks, keys: Int32Array): number {
  let informative = 0
  for (let b = 0; b < blocks.count; b++) {
    const rows = blocks.order.subarray(blocks.start[b] as number, blocks.start[b + 1] as number)
    if (rows.some((row) => keys[row] !== keys[rows[0] as number])) informative += rows.length
  }
  return informative
}

/** Rows are candidates, blocks are items: does the position or form of a candidate show that it is accepted? */
function candidateProbes(subjects: readonly Subject[]): ProbeSet {
  const rows = candidateRows(subjects)
  const { accepted, blocks, blockOf, clusters, features, guesses, items, spread } = rows
  const keys = Int32Array.from(accepted)
  const numberedClusters = numbered(clusters)
  const measured = features.map(({ probe, values }) =>
    testFeature(probe, values, accepted, blocks, numberedClusters, { items, spread }),
  )
  // Several accepted candidates of an item are not exchangeable one by one.
  if (!rows.several) {
    const told = toldOf(subjects, new Set(rows.rows.map(({ candidate }) => candidate)))
    const facts = candidateFacts(rows.rows.map(({ subject, ...row }) => ({ ...row, told: told[subject] as Told })))
    for (const fact of facts) {
      const tested = testFact(fact, keys, 2, blocks, { items, spread })
      if (tested !== null) measured.push(tested)
    }
  }
  for (const { probe, values } of guesses)
    measured.push(testHeuristic(probe, twoClass(values, accepted), blocks, numberedClusters, items))
  const across = dealFolds(clusters)
  if (across.length > 1)
    measured.push(byItem(testLearner(ridgeLogistic(features), keys, 2, across, blockOf, numberedClusters, 'across')))
  return {
    measured: rows.several ? measured.map(overItems) : measured,
    rows: items,
    informativeRows: rows.informativeItems,
    pooled: [],
  }
}
