import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, heatMarks, tableOf } from '../../../core/tables.ts'
import { allRows, clusteredShare, partition, rowsWhere, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, model, number, paper, setting, share, text } from './accuracy.ts'
import { blocksBeside, named, panelOf, systemsOf } from './settings.ts'

const classesOf: { readonly [ask: string]: readonly string[] } = {
  order: ['Yes', 'No'],
  feasibility: ['Yes', 'No', 'Unknown'],
  consistency: ['Consistent', 'Inconsistent'],
}

/** Figures 9 and 12: predictions by target, with false-positive rates by class (of Yes: the bias to agree). */
export const confusionMatrices: Analysis = {
  id: 'recoglab/figure9',
  title: 'Confusion matrices of consistency and feasibility',
  source: { paper, item: 'figures 9 and 12' },
  notes: [
    'Rows: target. Unparsed responses have their own column. False positives of Yes measure the bias to agree.',
    'False positives of a class: share of the other targets that were answered with it.',
  ],
  needs: ['task', 'item', 'model', 'config', 'status', 'prediction', 'feature_ask', 'feature_label'],
  run(frame) {
    const clusters = contextCodes(frame)
    const predictionsFor = predictionsIn(frame)
    const found = systemsOf(frame, named(blocksBeside(frame, ['feature_ask']))).flatMap(({ key, rows }) =>
      partition(frame, ['feature_ask'], rows).flatMap((part) => {
        const ask = part.key['feature_ask'] ?? ''
        const predictions = predictionsFor(ask, part.rows)
        return predictions === null || predictions.rows.length === 0 ? [] : [{ key: { ...key, ask }, ...predictions }]
      }),
    )
    // Questions with other answers have a separate matrix.
    const matrices = [...Map.groupBy(found, ({ key }) => key.ask)].map(([ask, all]) =>
      tableOf(
        `recoglab/figure9-${ask}`,
        `Predictions by target, ${ask}`,
        [setting, model, text('target', 'Target'), text('prediction', 'Prediction')],
        all.flatMap(({ key, ...predictions }) =>
          cellsOf(predictions).map((cell) => ({
            ...cell,
            key: { panel: panelOf(key.model, key.setting), ...key, target: cell.target, prediction: cell.predicted },
          })),
        ),
        [
          [number('n', 'Responses'), ({ n }) => n],
          [share('share', 'Share of the target'), ({ n, all: ofTarget }) => (ofTarget === 0 ? null : n / ofTarget)],
        ],
      ),
    )
    const rates = tableOf(
      'recoglab/figure9-rates',
      'False positives by class',
      [setting, model, text('ask', 'Question'), text('class', 'Class')],
      found.flatMap(({ key, classes, rows, target, prediction }) =>
        classes.flatMap((name, c) => {
          const others = rowsWhere(allRows(rows), (i) => target[i] !== c)
          const taken = Float64Array.from(others, (i) => Number(prediction[i] === c))
          const positives = clusteredShare(taken, take(clusters, take(rows, others)))
          return positives === null ? [] : [{ key: { ...key, class: name }, positives }]
        }),
      ),
      [[estimate('falsePositives', 'False positives'), ({ positives }) => positives]],
    )
    return {
      tables: [...matrices, rates],
      figures: matrices.map((matrix) =>
        figure(matrix, {
          x: { key: 'prediction', scale: 'category' },
          y: { key: 'target', scale: 'category' },
          facet: 'panel',
          marks: heatMarks('share', 'n'),
        }),
      ),
    }
  },
}

const UNPARSED = 'unparsed'

/** The responses to a question, errors excluded. */
interface Predictions {
  readonly classes: readonly string[]
  readonly rows: Int32Array
  /** The index of each target among the classes. */
  readonly target: Int8Array
  /** The same of each prediction; one past the last where unparsed. */
  readonly prediction: Int8Array
}

/** How many of the responses to each target predict what. */
const cellsOf = ({ classes, target, prediction }: Predictions) =>
  classes.flatMap((name, t) => {
    const own = prediction.filter((_, i) => target[i] === t)
    return [...classes, UNPARSED].map((predicted, p) => ({
      target: name,
      predicted,
      n: own.filter((one) => one === p).length,
      all: own.length,
    }))
  })

/** The targets and predictions of a question's rows; null for a question without classes. */
function predictionsIn(frame: Frame): (ask: string, rows: Int32Array) => Predictions | null {
  const [state, label, answer] = [
    frame.category('status'),
    frame.category('feature_label'),
    frame.category('prediction'),
  ]
  const [failed, graded] = [state.levels.indexOf('error'), state.levels.indexOf('graded')]
  const codesIn = new Map(
    Object.entries(classesOf).map(([ask, classes]) => [
      ask,
      {
        classes,
        targets: label.levels.map((level) => classes.indexOf(level)),
        // An answer is stored as JSON text or as bare text.
        answers: answer.levels.map((level) => classes.indexOf(level.replaceAll('"', ''))),
      },
    ]),
  )
  return (ask, all) => {
    const codes = codesIn.get(ask)
    if (codes === undefined) return null
    const { classes, targets, answers } = codes
    const targetOf = (row: number): number => targets[label.codes[row] as number] ?? -1
    const predictionOf = (row: number): number => {
      const code = state.codes[row] === graded ? (answers[answer.codes[row] as number] ?? -1) : -1
      return code < 0 ? classes.length : code
    }
    const rows = rowsWhere(all, (row) => {
      const code = state.codes[row] as number
      return code >= 0 && code !== failed && targetOf(row) >= 0
    })
    return { classes, rows, target: Int8Array.from(rows, targetOf), prediction: Int8Array.from(rows, predictionOf) }
  }
}
