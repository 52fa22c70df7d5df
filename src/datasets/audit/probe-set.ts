import { boostedTrees } from '../../libraries/locality/boosted-trees.ts'
import { binned } from '../../libraries/locality/columns.ts'
import { type AnswerKind, type Classes, pooledClasses } from './answer-kinds.ts'
import { baselineProbes } from './baseline-probes.ts'
import { candidateRows } from './candidates.ts'
import { candidateFacts, promptColumns, shownFacts } from './facts.ts'
import { directFeatures } from './features.ts'
import { dealFolds, type Folds } from './folds.ts'
import { naiveBayesLearners, nearestNeighbours } from './learners.ts'
import { ridgeLogistic } from './logistic.ts'
import {
  allDecide,
  byItem,
  type Measured,
  overItems,
  Results,
  type RoleOf,
  testFeature,
  testHeuristic,
  testLearner,
} from './measure.ts'
import { testFact } from './nominal.ts'
import type { AuditedTask } from './prepare.ts'
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
export function probeSet(
  task: AuditedTask,
  family: AnswerKind,
  conditions: readonly string[],
  roleOf = allDecide,
): ProbeSet {
  switch (family.kind) {
    case 'classes':
      return classProbes(task, family.subjects, pooledClasses(family.labels, family.subjects), conditions, roleOf)
    case 'candidates':
      return candidateProbes(family.subjects, roleOf)
    case 'free': {
      const results = new Results(roleOf)
      for (const scores of baselineProbes(family.subjects)) results.add(scores.test.probe, () => scores)
      return {
        measured: results.measured,
        rows: family.subjects.length,
        informativeRows: family.subjects.length,
        pooled: [],
      }
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
  task: AuditedTask,
  subjects: readonly Subject[],
  classes: Classes,
  conditions: readonly string[],
  roleOf: RoleOf,
): ProbeSet {
  const { labels, keys, pooled } = classes
  const blockOf = numbered(blockLabels(subjects, conditions))
  const blocks = blocksOf(blockOf)
  const byIndex = indexBlocks(subjects) ?? blocks
  const clusters = numbered(subjects.map((subject) => subject.cluster))
  const vocabulary = vocabularyOf(subjects.map((subject) => subject.text))
  const prompts = promptColumns(subjects)
  const features = [...directFeatures(task, subjects, vocabulary), ...prompts.names]
  const results = new Results(roleOf)
  for (const { suffix, isKey } of targets(labels, keys))
    for (const { probe, values, ofIndex } of features)
      results.add(`${probe}${suffix}`, (name) =>
        testFeature(name, values, isKey, ofIndex === true ? byIndex : blocks, clusters),
      )
  for (const fact of [...prompts.facts, ...shownFacts(subjects)])
    results.add(fact.probe, () => testFact(fact, keys, labels.length, blocks))
  for (const name of Object.keys(subjects[0]?.guesses ?? {}))
    results.add(name, () => testHeuristic(name, guessScores(subjects, classes, name), blocks, clusters))
  const learners = [
    ...naiveBayesLearners(vocabulary),
    ridgeLogistic(features),
    nearestNeighbours(vocabulary),
    boostedTrees('raw/boosted-trees', binned(prompts.raw, 32)),
  ]
  const across = dealFolds(subjects.map((subject) => subject.cluster))
  const within = dealFolds(subjects.map((subject) => subject.twin ?? subject.index))
  const grouped = !areUngrouped(subjects)
  for (const learner of learners) {
    const test = (folds: Folds, mode: 'across' | 'within') =>
      results.add(learner.probe, () => testLearner(learner, keys, labels.length, folds, blockOf, clusters, mode))
    if (across.length > 1) test(across, 'across')
    if (grouped) test(within, 'within')
  }
  const { measured } = results
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
function candidateProbes(subjects: readonly Subject[], roleOf: RoleOf): ProbeSet {
  const rows = candidateRows(subjects)
  const { accepted, blocks, blockOf, clusters, features, guesses, items, spread } = rows
  const keys = Int32Array.from(accepted)
  const numberedClusters = numbered(clusters)
  const results = new Results(roleOf, rows.several ? overItems : undefined)
  for (const { probe, values } of features)
    results.add(probe, () => testFeature(probe, values, accepted, blocks, numberedClusters, { items, spread }))
  // Several accepted candidates of an item are not exchangeable one by one.
  if (!rows.several)
    for (const fact of candidateFacts(subjects, rows.rows))
      results.add(fact.probe, () => testFact(fact, keys, 2, blocks, { items, spread }))
  for (const { probe, values } of guesses)
    results.add(probe, () => testHeuristic(probe, twoClass(values, accepted), blocks, numberedClusters, items))
  const across = dealFolds(clusters)
  const logistic = ridgeLogistic(features)
  if (across.length > 1)
    results.add(logistic.probe, () =>
      byItem(testLearner(logistic, keys, 2, across, blockOf, numberedClusters, 'across')),
    )
  return { measured: results.measured, rows: items, informativeRows: rows.informativeItems, pooled: [] }
}
