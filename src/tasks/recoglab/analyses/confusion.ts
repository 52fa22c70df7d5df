import type { Analysis, Figure, Frame, Table } from '../../../core/analysis.ts'
import { byContestant, clusteredShare, partition, take } from '../../../stats/index.ts'
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
    const made = settings.flatMap(({ setting, rows: block }) =>
      byContestant(whoIn(frame), block).flatMap(({ contestant, rows }) =>
        partition(frame, ['feature_ask'], rows).flatMap(({ key, rows: mine }) => {
          const ask = key['feature_ask'] ?? ''
          const classes = classesOf[ask]
          const answers = classes === undefined ? [] : answersIn(frame, mine, classes)
          return classes === undefined || answers.length === 0
            ? []
            : [{ setting, model: contestant, ask, classes, answers }]
        }),
      ),
    )
    if (made.length === 0) return { tables: [] }
    const cells = made.flatMap(({ setting, model, ask, classes, answers }) =>
      classes.flatMap((truth) => {
        const mine = answers.filter((one) => one.truth === truth)
        return [...classes, UNREAD].map((answer) => {
          const n = mine.filter((one) => one.answer === answer).length
          return {
            panel: panelOf(model, setting),
            setting,
            model,
            ask,
            truth,
            answer,
            n,
            share: mine.length === 0 ? null : n / mine.length,
          }
        })
      }),
    )
    const rates = made.flatMap(({ setting, model, ask, classes, answers }) =>
      classes.flatMap((name) => {
        const others = answers.filter(({ truth }) => truth !== name)
        const falsePositives = clusteredShare(
          others.map(({ answer }) => (answer === name ? 1 : 0)),
          take(
            clusters,
            others.map(({ row }) => row),
          ),
        )
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

interface Answered {
  readonly row: number
  readonly truth: string
  readonly answer: string
}

/** The true and the given answer of each row; failed cells are left out. */
function answersIn(frame: Frame, rows: Int32Array, classes: readonly string[]): readonly Answered[] {
  const state = frame.category('state')
  const label = frame.category('feature_label')
  const answer = frame.category('answer')
  return [...rows].flatMap((row) => {
    const how = state.levels[state.codes[row] as number]
    const truth = label.levels[label.codes[row] as number]
    if (how === 'failed' || how === undefined || truth === undefined || !classes.includes(truth)) return []
    // An answer is stored as JSON text or as bare text.
    const said = answer.levels[answer.codes[row] as number]?.replaceAll('"', '')
    const read = how === 'graded' && said !== undefined && classes.includes(said)
    return [{ row, truth, answer: read ? said : UNREAD }]
  })
}
