import type { Task } from '../../core/index.ts'
import { answerers } from './answerers.ts'
import { candidateRows } from './candidates.ts'
import { directFeatures } from './direct.ts'
import type { AnswerFamily } from './families.ts'
import { dealFolds } from './folds.ts'
import { crossParsing } from './learned/cross-parsing.ts'
import { ridgeLogistic } from './learned/logistic.ts'
import { naiveBayesLearners } from './learned/naive-bayes.ts'
import { nearestNeighbours } from './learned/neighbours.ts'
import { direct, learned, type Measured, rule } from './measure.ts'
import { type Blocks, blocksOf } from './statistic.ts'
import type { Subject } from './subject.ts'
import { vocabularyOf } from './vocabulary.ts'

/** All tests of one family of answers, with the share of its rows that can tell anything. */
export interface Battery {
  readonly measured: readonly Measured[]
  readonly rows: number
  readonly liveRows: number
}

/** `conditions`: features that are added to the blocks. */
export function battery(task: Task, family: AnswerFamily, conditions: readonly string[]): Battery {
  switch (family.kind) {
    case 'classes':
      return classBattery(task, family.subjects, family.labels, conditions)
    case 'candidates':
      return candidateBattery(family.subjects)
    case 'free':
      return { measured: answerers(family.subjects), rows: family.subjects.length, liveRows: family.subjects.length }
  }
}

/**
 * Group x unit, where labels are bundled, x declared conditions (integrity 3.1). Where every index is a group of its own
 * a block is the unit alone.
 */
const blockLabel = (subject: Subject, alone: boolean, conditions: readonly string[]): string =>
  JSON.stringify([
    alone ? null : subject.group,
    subject.unit,
    ...conditions.map((name) => subject.features[name] ?? null),
  ])

/** Is every index a group of its own? */
export const areAlone = (subjects: readonly Subject[]): boolean =>
  subjects.every((subject) => subject.group === subject.index)

function classBattery(
  task: Task,
  subjects: readonly Subject[],
  labels: readonly string[],
  conditions: readonly string[],
): Battery {
  const keys = Int32Array.from(subjects, ({ answer }) => (answer.kind === 'class' ? answer.key : 0))
  const alone = areAlone(subjects)
  const labelsOfBlocks = subjects.map((subject) => blockLabel(subject, alone, conditions))
  const blocks = blocksOf(labelsOfBlocks)
  const vocabulary = vocabularyOf(subjects.map((subject) => subject.text))
  const features = directFeatures(task, subjects, vocabulary)
  const measured: Measured[] = []
  for (const [probe, k] of classTargets(labels))
    for (const { probe: name, values } of features)
      measured.push(
        direct(
          `${name}${probe}`,
          values,
          Uint8Array.from(keys, (key) => (key === k ? 1 : 0)),
          blocks,
        ),
      )
  for (const name of Object.keys(subjects[0]?.guesses ?? {}))
    measured.push(rule(name, guessScores(subjects, labels, name, keys), blocks))
  const learners = [
    ...naiveBayesLearners(vocabulary),
    ridgeLogistic(features),
    nearestNeighbours(vocabulary),
    crossParsing(vocabulary),
  ]
  const across = dealFolds(subjects.map((subject) => subject.group))
  const within = dealFolds(subjects.map((subject) => `item ${subject.index}`))
  for (const learner of learners) {
    if (across.count > 1) measured.push(learned(learner, keys, labels.length, across, labelsOfBlocks, 'across'))
    if (!alone) measured.push(learned(learner, keys, labels.length, within, labelsOfBlocks, 'within'))
  }
  return { measured, rows: subjects.length, liveRows: rowsInMixedBlocks(blocks, keys) }
}

/** Two classes need one test a feature; more need one a class. */
const classTargets = (labels: readonly string[]): (readonly [string, number])[] =>
  labels.length === 2 ? [['', 0]] : labels.map((label, k) => [`=${label}`, k])

function guessScores(subjects: readonly Subject[], labels: readonly string[], name: string, keys: Int32Array) {
  const classes = labels.length
  const scores = new Float64Array(subjects.length * classes)
  for (const [i, subject] of subjects.entries()) {
    const guess = labels.indexOf(subject.guesses[name] ?? '')
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
function candidateBattery(subjects: readonly Subject[]): Battery {
  const rows = candidateRows(subjects)
  const { blocks, accepted } = rows
  const measured = rows.features.map(({ probe, values }) => direct(probe, values, accepted, blocks))
  for (const { probe, values } of rows.guesses)
    measured.push(rule(probe, { classes: 2, scores: votes(values), keys: Int32Array.from(accepted) }, blocks))
  const across = dealFolds(rows.groups)
  if (across.count > 1)
    measured.push(
      learned(ridgeLogistic(rows.features), Int32Array.from(accepted), 2, across, rows.blockLabels, 'across'),
    )
  return { measured, rows: accepted.length, liveRows: rowsInMixedBlocks(blocks, Int32Array.from(accepted)) }
}

function votes(values: Float64Array): Float64Array {
  const scores = new Float64Array(values.length * 2)
  for (const [i, value] of values.entries()) scores[2 * i + 1] = value
  return scores
}
