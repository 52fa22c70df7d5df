import type { Task } from '../../core/index.ts'
import { type AnswerKind, type Classes, pooledClasses } from './answer-kinds.ts'
import { baselineProbes } from './baseline-probes.ts'
import { candidateRows } from './candidates.ts'
import { directFeatures } from './features.ts'
import { dealFolds } from './folds.ts'
import { crossParsing, naiveBayesLearners, nearestNeighbours } from './learners.ts'
import { ridgeLogistic } from './logistic.ts'
import { type Measured, overItems, testFeature, testHeuristic, testLearner } from './measure.ts'
import { type Blocks, blocksOf, numbered, twoClass } from './statistic.ts'
import { areAlone, type Subject, vocabularyOf } from './subject.ts'

/** All tests of one family of answers, with the share of its rows that can tell anything. */
export interface ProbeSet {
  readonly measured: readonly Measured[]
  readonly rows: number
  readonly liveRows: number
  /** Answers that were tested as one, being rare. */
  readonly pooled: readonly string[]
}

/** `conditions`: features that are added to the blocks. */
export function probeSet(task: Task, family: AnswerKind, conditions: readonly string[]): ProbeSet {
  switch (family.kind) {
    case 'classes':
      return classBattery(task, family.subjects, pooledClasses(family.labels, family.subjects), conditions)
    case 'candidates':
      return candidateBattery(family.subjects)
    case 'free':
      return {
        measured: baselineProbes(family.subjects),
        rows: family.subjects.length,
        liveRows: family.subjects.length,
        pooled: [],
      }
  }
}

/** Group x unit (where labels are bundled) x declared conditions (docs/audit.md#method). */
function blockLabels(subjects: readonly Subject[], conditions: readonly string[]): string[] {
  const alone = areAlone(subjects)
  return subjects.map((subject) =>
    JSON.stringify([
      alone ? null : subject.group,
      subject.unit,
      subject.twin,
      ...conditions.map((name) => subject.features[name] ?? null),
    ]),
  )
}

/**
 * Blocks for probes of an item's place. Where answers are bundled, each visit of a unit deals every answer once over
 * neighbouring indices (docs/concepts.md#balanced-blocks): only those places are exchangeable.
 */
function placeBlocks(subjects: readonly Subject[]): Blocks | null {
  if (subjects.some(({ unit }) => unit === null)) return null
  const answers = new Set(subjects.map(({ answer }) => (answer.kind === 'class' ? answer.key : null))).size
  return blocksOf(subjects.map(({ index, unit }) => `${Math.floor(index / answers)} ${unit}`))
}

function classBattery(
  task: Task,
  subjects: readonly Subject[],
  classes: Classes,
  conditions: readonly string[],
): ProbeSet {
  const { labels, keys, pooled } = classes
  const blockOf = numbered(blockLabels(subjects, conditions))
  const blocks = blocksOf(blockOf)
  const places = placeBlocks(subjects) ?? blocks
  const clusters = numbered(subjects.map((subject) => subject.cluster))
  const vocabulary = vocabularyOf(subjects.map((subject) => subject.text))
  const features = directFeatures(task, subjects, vocabulary)
  const measured: Measured[] = []
  for (const { suffix, isKey } of targets(labels, keys))
    for (const { probe, values, ofPlace } of features)
      measured.push(testFeature(`${probe}${suffix}`, values, isKey, ofPlace === true ? places : blocks, clusters))
  for (const name of Object.keys(subjects[0]?.guesses ?? {}))
    measured.push(testHeuristic(name, guessScores(subjects, classes, name), blocks, clusters))
  const learners = [
    ...naiveBayesLearners(vocabulary),
    ridgeLogistic(features),
    nearestNeighbours(vocabulary),
    crossParsing(vocabulary),
  ]
  const across = dealFolds(subjects.map((subject) => subject.cluster))
  const within = dealFolds(subjects.map((subject) => subject.twin ?? subject.index))
  const grouped = !areAlone(subjects)
  for (const learner of learners) {
    if (across.length > 1) measured.push(testLearner(learner, keys, labels.length, across, blockOf, clusters, 'across'))
    if (grouped) measured.push(testLearner(learner, keys, labels.length, within, blockOf, clusters, 'within'))
  }
  return { measured, rows: subjects.length, liveRows: rowsInMixedBlocks(blocks, keys), pooled }
}

/** Two classes need one test a feature; more need one a class. */
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
  let live = 0
  for (let b = 0; b < blocks.count; b++) {
    const rows = blocks.order.subarray(blocks.start[b] as number, blocks.start[b + 1] as number)
    if (rows.some((row) => keys[row] !== keys[rows[0] as number])) live += rows.length
  }
  return live
}

/** A row a candidate, a block an item: is the accepted one told by where and how it stands? */
function candidateBattery(subjects: readonly Subject[]): ProbeSet {
  const rows = candidateRows(subjects)
  const { accepted, blocks, blockOf, clusters, features, guesses, items, spread } = rows
  const keys = Int32Array.from(accepted)
  const numberedClusters = numbered(clusters)
  const measured = features.map(({ probe, values }) =>
    testFeature(probe, values, accepted, blocks, numberedClusters, { items, spread }),
  )
  for (const { probe, values } of guesses)
    measured.push(testHeuristic(probe, twoClass(values, accepted), blocks, numberedClusters, items))
  const across = dealFolds(clusters)
  if (across.length > 1)
    measured.push(testLearner(ridgeLogistic(features), keys, 2, across, blockOf, numberedClusters, 'across'))
  return {
    measured: rows.several ? measured.map(overItems) : measured,
    rows: items,
    liveRows: rows.liveItems,
    pooled: [],
  }
}
