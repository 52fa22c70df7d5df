import type { Analysis, Figure, Frame, Table } from '../../../core/analysis.ts'
import { allRows, bySystem, clusteredShare, partition, rowsWhere, take } from '../../../libraries/statistics/index.ts'
import { blocksBeside, named, panelOf } from './blocks.ts'
import { contextCodes, estimate, number, paper, share, text, whoIn } from './cells.ts'

const classesOf: { readonly [ask: string]: readonly string[] } = {
  order: ['Yes', 'No'],
  feasibility: ['Yes', 'No', 'Unknown'],
  consistency: ['Consistent', 'Inconsistent'],
}

/**
 * Figures 9 and 12: what is answered to each true answer, with false-positive rates by class and, for questions that a
 * Yes may be wrong to, how often Yes is said when it is not true (acquiescence).
 */
export const confusionMatrices: Analysis = {
  id: 'recoglab/figure9',
  title: 'Confusion matrices of consistency and feasibility',
  source: { paper, item: 'figures 9 and 12' },
  notes: [
    'Rows are true answers. Answers that could not be read have a column of their own, so that rows add up to all cells but the failed.',
    'False positives of a class: the share of the other classes that were answered with it. For Yes this is the bias to agree.',
  ],
  needs: ['task', 'item', 'model', 'config', 'state', 'answer', 'feature_ask', 'feature_label'],
  run(frame) {
    const { settings, columns } = named(blocksBeside(frame, ['feature_ask']))
    const clusters = contextCodes(frame)
    const answersTo = answersIn(frame)
    const made = settings.flatMap(({ setting, rows: block }) =>
      bySystem(whoIn(frame), block).flatMap(({ contestant, rows }) =>
        partition(frame, ['feature_ask'], rows).flatMap(({ key, rows: mine }) => {
          const ask = key['feature_ask'] ?? ''
          const answers = answersTo(ask, mine)
          return answers === null || answers.rows.length === 0 ? [] : [{ setting, model: contestant, ask, answers }]
        }),
      ),
    )
    if (made.length === 0) return { tables: [] }
    const cells = made.flatMap(({ setting, model, ask, answers: { classes, truth: truths, said } }) => {
      const counts = classes.map(() => [...classes, UNREAD].map(() => 0))
      for (let i = 0; i < said.length; i++) {
        const row = counts[truths[i] as number] as number[]
        row[said[i] as number] = (row[said[i] as number] as number) + 1
      }
      return classes.flatMap((truth, t) => {
        const mine = counts[t] as number[]
        const all = mine.reduce((sum, n) => sum + n, 0)
        return [...classes, UNREAD].map((answer, a) => {
          const n = mine[a] as number
          const what = { panel: panelOf(model, setting), setting, model, ask, truth, answer }
          return { ...what, n, share: all === 0 ? null : n / all }
        })
      })
    })
    const rates = made.flatMap(({ setting, model, ask, answers: { classes, rows, truth, said } }) =>
      classes.flatMap((name, c) => {
        const others = rowsWhere(allRows(rows), (i) => truth[i] !== c)
        const taken = new Float64Array(others.length)
        for (let i = 0; i < taken.length; i++) taken[i] = Number(said[others[i] as number] === c)
        const falsePositives = clusteredShare(taken, take(clusters, take(rows, others)))
        return falsePositives === null ? [] : [{ setting, model, ask, class: name, falsePositives }]
      }),
    )
    // Questions with other answers get a grid of their own.
    const asks = [...new Set(made.map(({ ask }) => ask))]
    const idOf = (ask: string) => `recoglab/figure9-${ask}`
    return {
      tables: [
        ...asks.map(
          (ask): Table => ({
            id: idOf(ask),
            title: `Answers by true answer, ${ask}`,
            columns: [
              ...columns,
              text('model', 'Model'),
              text('truth', 'True answer'),
              text('answer', 'Answer given'),
              number('n', 'Cells'),
              share('share', 'Share of the true answer'),
            ],
            rows: cells.filter((cell) => cell.ask === ask),
          }),
        ),
        {
          id: 'recoglab/figure9-rates',
          title: 'False positives by class',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('ask', 'Question'),
            text('class', 'Class'),
            estimate('falsePositives', 'False positives'),
          ],
          rows: rates,
        },
      ],
      figures: asks.map(
        (ask): Figure => ({
          id: idOf(ask),
          title: `Answers by true answer, ${ask}`,
          table: idOf(ask),
          x: { key: 'answer', label: 'Answer given', scale: 'category' },
          y: { key: 'truth', label: 'True answer', scale: 'category' },
          facet: 'panel',
          marks: [
            { kind: 'cell', series: 'share' },
            { kind: 'text', series: 'share' },
            { kind: 'text', series: 'n' },
          ],
        }),
      ),
    }
  },
}

/** The column of answers that could not be read. */
const UNREAD = 'unread'

/** Cells of a question that are not failed. */
interface Answers {
  readonly classes: readonly string[]
  readonly rows: Int32Array
  /** The place among the classes of each row's true answer. */
  readonly truth: Int8Array
  /** The same of the answer given; one past the last where it could not be read. */
  readonly said: Int8Array
}

/** The true and the given answers of a question's rows; null for a question without classes. */
function answersIn(frame: Frame): (ask: string, rows: Int32Array) => Answers | null {
  const state = frame.category('state')
  const label = frame.category('feature_label')
  const answer = frame.category('answer')
  const [failed, graded] = [state.levels.indexOf('failed'), state.levels.indexOf('graded')]
  const placesIn = new Map(
    Object.entries(classesOf).map(([ask, classes]) => [
      ask,
      {
        classes,
        truths: label.levels.map((level) => classes.indexOf(level)),
        // An answer is stored as JSON text or as bare text.
        answers: answer.levels.map((level) => classes.indexOf(level.replaceAll('"', ''))),
      },
    ]),
  )
  return (ask, all) => {
    const places = placesIn.get(ask)
    if (places === undefined) return null
    const { classes, truths, answers } = places
    const truthOf = (row: number): number => truths[label.codes[row] as number] ?? -1
    const saidIn = (row: number): number => {
      const place = state.codes[row] === graded ? (answers[answer.codes[row] as number] ?? -1) : -1
      return place < 0 ? classes.length : place
    }
    const rows = rowsWhere(all, (row) => {
      const how = state.codes[row] as number
      return how >= 0 && how !== failed && truthOf(row) >= 0
    })
    const [truth, said] = [new Int8Array(rows.length), new Int8Array(rows.length)]
    for (let i = 0; i < rows.length; i++) {
      truth[i] = truthOf(rows[i] as number)
      said[i] = saidIn(rows[i] as number)
    }
    return { classes, rows, truth, said }
  }
}
