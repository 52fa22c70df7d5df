import type { Analysis, Frame } from '../../core/index.ts'
import {
  balancedAccuracy,
  bySystem,
  type Confusion,
  classRates,
  confusion as confusionOf,
  inOrder,
  macroF1,
  rowsWhere,
  systems,
} from '../../libraries/statistics/index.ts'
import { blocks, count, share, text } from './columns.ts'

/** Tasks with more true answers than this are not closed: they have no confusion matrix. */
const MAX_CLASSES = 12

/** Confusion matrices and per-class rates of the tasks with few possible answers. */
export const confusion: Analysis = {
  id: 'core/confusion',
  title: 'Confusion matrices',
  notes: [
    'Answers that could not be read are columns of their own (unparsed, truncated, refused); answers outside the classes are `other`. Failed cells are left out.',
    'Macro F1 is over the true classes only.',
  ],
  needs: ['task', 'config', 'style', 'model', 'state', 'answer', 'truth'],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const who = systems(frame)
    const made = parts.flatMap(({ key, rows }) => {
      const classes = trueClasses(frame, rows)
      if (classes === null) return []
      return bySystem(who, rows).flatMap(({ contestant, rows: mine }) => {
        const matrix = matrixOf(frame, mine, classes)
        return matrix.n === 0 ? [] : [{ key: { ...key, model: contestant }, classes, matrix }]
      })
    })
    if (made.length === 0) return { tables: [] }
    const shared = [...columns, text('model', 'Model')]
    const cells = {
      id: 'core/confusion',
      title: 'Answers given, by the true answer',
      columns: [
        ...shared,
        text('truth', 'True answer'),
        text('answer', 'Answer given'),
        count('n', 'Cells'),
        share('share', 'Share of the true answer'),
      ],
      rows: made.flatMap(({ key, classes, matrix }) => cellRows(matrix, classes).map((row) => ({ ...key, ...row }))),
    }
    const rates = {
      id: 'core/class-rates',
      title: 'Rates by class',
      columns: [
        ...shared,
        text('class', 'Class'),
        count('truths', 'True'),
        count('predictions', 'Answered'),
        share('precision', 'Precision'),
        share('recall', 'Recall'),
        share('falsePositiveRate', 'False positives'),
        share('f1', 'F1'),
      ],
      rows: made.flatMap(({ key, classes, matrix }) =>
        classRates(matrix)
          .filter(({ label }) => classes.includes(label))
          .map(({ label, truths, predictions, precision, recall, falsePositiveRate, f1 }) => ({
            ...key,
            class: label,
            truths,
            predictions,
            precision,
            recall,
            falsePositiveRate,
            f1,
          })),
      ),
    }
    const overall = {
      id: 'core/class-summary',
      title: 'Balanced accuracy and macro F1',
      columns: [
        ...shared,
        count('n', 'Cells'),
        share('balancedAccuracy', 'Balanced accuracy'),
        share('macroF1', 'Macro F1'),
      ],
      rows: made.map(({ key, classes, matrix }) => ({
        ...key,
        n: matrix.n,
        balancedAccuracy: balancedAccuracy(matrix),
        macroF1: macroF1(matrix, classes),
      })),
    }
    const figure = {
      id: 'core/confusion',
      title: 'Share of answers given to each true answer',
      table: cells.id,
      x: { key: 'answer', label: 'Answer given', scale: 'category' },
      y: { key: 'truth', label: 'True answer', scale: 'category' },
      facet: 'model',
      marks: [
        { kind: 'cell', series: 'share' },
        { kind: 'text', series: 'share' },
        { kind: 'text', series: 'n' },
      ],
    } as const
    // One heat map holds one block: those of several tasks or styles would lie on top of each other.
    return { tables: [overall, rates, cells], figures: parts.length === 1 ? [figure] : [] }
  },
}

function trueClasses(frame: Frame, rows: Int32Array): readonly string[] | null {
  const { codes, levels } = frame.category('truth')
  const seen = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] as number] as number
    if (code < 0) return null
    seen.add(code)
    if (seen.size > MAX_CLASSES) return null
  }
  return seen.size < 2 ? null : (inOrder([...seen].map((code) => levels[code] as string)) as string[])
}

function matrixOf(frame: Frame, rows: Int32Array, classes: readonly string[]): Confusion {
  const state = frame.category('state')
  const truth = frame.category('truth')
  const answer = frame.category('answer')
  const [failed, graded] = [state.levels.indexOf('failed'), state.levels.indexOf('graded')]
  const used = rowsWhere(rows, (row) => state.codes[row] !== failed)
  const answers = answer.levels.map((level) => (classes.includes(level) ? level : 'other'))
  const truths: string[] = new Array(used.length)
  const said: string[] = new Array(used.length)
  for (let i = 0; i < used.length; i++) {
    const row = used[i] as number
    const how = state.codes[row] as number
    truths[i] = truth.levels[truth.codes[row] as number] as string
    said[i] = how === graded ? (answers[answer.codes[row] as number] ?? 'other') : (state.levels[how] ?? 'unparsed')
  }
  return confusionOf(truths, said, classes)
}

const cellRows = (matrix: Confusion, classes: readonly string[]) =>
  classes.flatMap((truth, i) => {
    const row = matrix.counts[i] as readonly number[]
    const total = row.reduce((sum, x) => sum + x, 0)
    return matrix.labels.map((answer, j) => ({
      truth,
      answer,
      n: row[j] as number,
      share: total === 0 ? null : (row[j] as number) / total,
    }))
  })
