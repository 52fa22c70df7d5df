import { type Analysis, type Frame, figure, heatMarks, table } from '../../core/index.ts'
import {
  balancedAccuracy,
  type Confusion,
  classRates,
  confusion as confusionOf,
  inOrder,
  macroF1,
  rowsWhere,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, model, share, text } from './conditions.ts'

/** Tasks with more targets have no confusion matrix. */
const MAX_CLASSES = 12

/** Confusion matrices and per-class rates of tasks with few possible answers. */
export const confusion: Analysis = {
  id: 'core/confusion',
  title: 'Confusion matrices',
  question: 'parsing',
  notes: [
    'Rows: target. Unparsed responses have their own column. False positives of Yes measure the bias to agree.',
    'Macro F1 over target classes.',
  ],
  needs: ['task', 'config', 'style', 'model', 'status', 'prediction', 'target'],
  run(frame) {
    const { conditions, columns } = conditionsOf(frame)
    const found = conditions.flatMap(({ rows, systems }) => {
      const classes = classesIn(frame, rows)
      if (classes === null) return []
      return systems.flatMap(({ key, rows: own }) => {
        const matrix = matrixOf(frame, own, classes)
        return matrix.n === 0 ? [] : [{ key, classes, matrix }]
      })
    })
    const cells = table(
      'core/confusion',
      'Predictions by target',
      [
        ...columns,
        model,
        text('target', 'Target'),
        text('prediction', 'Prediction'),
        count('n', 'Responses'),
        share('share', 'Share of the target'),
      ],
      found.flatMap(({ key, classes, matrix }) => cellsOf(matrix, classes).map((cell) => ({ ...key, ...cell }))),
    )
    const rates = table(
      'core/class-rates',
      'Rates by class',
      [
        ...columns,
        model,
        text('class', 'Class'),
        count('truths', 'Targets'),
        count('predictions', 'Predictions'),
        share('precision', 'Precision'),
        share('recall', 'Recall'),
        share('falsePositiveRate', 'False positives'),
        share('f1', 'F1'),
      ],
      found.flatMap(({ key, classes, matrix }) =>
        classRates(matrix)
          .filter(({ label }) => classes.includes(label))
          .map(({ label, hits: _hits, ...of }) => ({ ...key, class: label, ...of })),
      ),
    )
    const overall = table(
      'core/class-summary',
      'Balanced accuracy and macro F1',
      [
        ...columns,
        model,
        count('n', 'Responses'),
        share('balancedAccuracy', 'Balanced accuracy'),
        share('macroF1', 'Macro F1'),
      ],
      found.map(({ key, classes, matrix }) => ({
        ...key,
        n: matrix.n,
        balancedAccuracy: balancedAccuracy(matrix),
        macroF1: macroF1(matrix, classes),
      })),
    )
    const heatMap = figure(cells, {
      title: 'Share of predictions by target',
      x: { key: 'prediction', scale: 'category' },
      y: { key: 'target', scale: 'category' },
      facet: 'model',
      marks: heatMarks('share', 'n'),
    })
    // One heat map holds one condition: several would lie on top of each other.
    return { tables: [overall, rates, cells], figures: conditions.length === 1 ? [heatMap] : [] }
  },
}

/** The targets of some rows in order; null where they are one, too many, or unknown. */
function classesIn(frame: Frame, rows: Int32Array): readonly string[] | null {
  const { codes, levels } = frame.category('target')
  const seen = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] as number] as number
    if (code < 0) return null
    seen.add(code)
    if (seen.size > MAX_CLASSES) return null
  }
  return seen.size < 2 ? null : (inOrder([...seen].map((code) => levels[code] as string)) as string[])
}

/** Predictions outside the classes are `other`; API errors do not count. */
function matrixOf(frame: Frame, rows: Int32Array, classes: readonly string[]): Confusion {
  const [state, truth, answer] = [frame.category('status'), frame.category('target'), frame.category('prediction')]
  const [failed, graded] = [state.levels.indexOf('error'), state.levels.indexOf('graded')]
  const used = rowsWhere(rows, (row) => state.codes[row] !== failed)
  const answers = answer.levels.map((level) => (classes.includes(level) ? level : 'other'))
  return confusionOf(
    Array.from(used, (row) => truth.levels[truth.codes[row] as number] as string),
    Array.from(used, (row) => {
      const code = state.codes[row] as number
      return code === graded ? (answers[answer.codes[row] as number] ?? 'other') : (state.levels[code] ?? 'unparsed')
    }),
    classes,
  )
}

const cellsOf = (matrix: Confusion, classes: readonly string[]) =>
  classes.flatMap((target, i) => {
    const row = matrix.counts[i] as readonly number[]
    const total = row.reduce((sum, x) => sum + x, 0)
    return matrix.labels.map((prediction, j) => {
      const n = row[j] as number
      return { target, prediction, n, share: total === 0 ? null : n / total }
    })
  })
