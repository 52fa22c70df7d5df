import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, heatMarks, table } from '../../../core/tables.ts'
import { allRows, clusteredShare, partition, rowsWhere, systemsIn, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, model, number, paper, setting, share, text } from './accuracy.ts'
import { blocksBeside, named, panelOf } from './settings.ts'

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
    const found = named(blocksBeside(frame, ['feature_ask'])).flatMap(({ setting: name, rows: block }) =>
      systemsIn(frame, block).flatMap(({ model: system, rows }) =>
        partition(frame, ['feature_ask'], rows).flatMap(({ key, rows: own }) => {
          const ask = key['feature_ask'] ?? ''
          const predictions = predictionsFor(ask, own)
          return predictions === null || predictions.rows.length === 0
            ? []
            : [{ key: { setting: name, model: system, ask }, ...predictions }]
        }),
      ),
    )
    // Questions with other answers have a separate matrix.
    const matrices = [...Map.groupBy(found, ({ key }) => key.ask)].map(([ask, all]) =>
      table(
        `recoglab/figure9-${ask}`,
        `Predictions by target, ${ask}`,
        [
          setting,
          model,
          text('target', 'Target'),
          text('prediction', 'Prediction'),
          number('n', 'Responses'),
          share('share', 'Share of the target'),
        ],
        all.flatMap(({ key, ...predictions }) =>
          cellsOf(predictions).map((cell) => ({ panel: panelOf(key.model, key.setting), ...key, ...cell })),
        ),
      ),
    )
    const rates = table(
      'recoglab/figure9-rates',
      'False positives by class',
      [setting, model, text('ask', 'Question'), text('class', 'Class'), estimate('falsePositives', 'False positives')],
      found.flatMap(({ key, classes, rows, target, prediction }) =>
        classes.flatMap((name, c) => {
          const others = rowsWhere(allRows(rows), (i) => target[i] !== c)
          const taken = Float64Array.from(others, (i) => Number(prediction[i] === c))
          const falsePositives = clusteredShare(taken, take(clusters, take(rows, others)))
          return falsePositives === null ? [] : [{ ...key, class: name, falsePositives }]
        }),
      ),
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

function cellsOf({ classes, target, prediction }: Predictions) {
  const counts = classes.map(() => [...classes, UNPARSED].map(() => 0))
  target.forEach((t, i) => {
    const row = counts[t] as number[]
    row[prediction[i] as number] = (row[prediction[i] as number] as number) + 1
  })
  return classes.flatMap((name, t) => {
    const row = counts[t] as number[]
    const all = row.reduce((sum, n) => sum + n, 0)
    return [...classes, UNPARSED].map((predicted, p) => {
      const n = row[p] as number
      return { target: name, prediction: predicted, n, share: all === 0 ? null : n / all }
    })
  })
}

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
