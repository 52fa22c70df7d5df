import type { Analysis, Frame } from '../../../core/analysis.ts'
import { byContestant, contestants, partition, wilson } from '../../../stats/index.ts'
import { estimate, number, paper, text } from './cells.ts'

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
  needs: ['model', 'state', 'answer', 'feature_ask', 'feature_label'],
  run(frame) {
    const made = byContestant(
      contestants(frame),
      Int32Array.from({ length: frame.length }, (_, i) => i),
    ).flatMap(({ contestant, rows }) =>
      partition(frame, ['feature_ask'], rows).flatMap(({ key, rows: mine }) => {
        const ask = key['feature_ask'] ?? ''
        const classes = classesOf[ask]
        return classes === undefined
          ? []
          : [{ model: contestant, ask, classes, counts: countsOf(frame, mine, classes) }]
      }),
    )
    const cells = made.flatMap(({ model, ask, classes, counts }) =>
      classes.flatMap((truth, i) => {
        const row = counts[i] as readonly number[]
        const total = row.reduce((sum, n) => sum + n, 0)
        return [...classes, 'unread'].map((answer, j) => ({
          panel: `${model}, ${ask}`,
          model,
          ask,
          truth,
          answer,
          n: row[j] as number,
          share: total === 0 ? null : (row[j] as number) / total,
        }))
      }),
    )
    const rates = made.flatMap(({ model, ask, classes, counts }) =>
      classes.flatMap((name, j) => {
        let wrong = 0
        let others = 0
        counts.forEach((row, i) => {
          if (i === j) return
          wrong += row[j] as number
          others += row.reduce((sum, n) => sum + n, 0)
        })
        const falsePositives = wilson(wrong, others)
        return falsePositives === null ? [] : [{ model, ask, class: name, falsePositives }]
      }),
    )
    const id = 'recoglab/figure9'
    return {
      tables: [
        {
          id,
          title: 'Answers by true answer',
          columns: [
            text('model', 'Model'),
            text('ask', 'Question'),
            text('truth', 'True answer'),
            text('answer', 'Answer given'),
            number('n', 'Cells'),
            { key: 'share', label: 'Share of the true answer', kind: 'share', unit: 'share' },
          ],
          rows: cells,
        },
        {
          id: `${id}-rates`,
          title: 'False positives by class',
          columns: [
            text('model', 'Model'),
            text('ask', 'Question'),
            text('class', 'Class'),
            estimate('falsePositives', 'False positives'),
          ],
          rows: rates,
        },
      ],
      figures: [
        {
          id,
          title: 'Answers by true answer',
          table: id,
          x: { key: 'answer', label: 'Answer given', scale: 'category' },
          y: { key: 'truth', label: 'True answer', scale: 'category' },
          facet: 'panel',
          marks: [
            { kind: 'cell', series: 'share' },
            { kind: 'text', series: 'n' },
          ],
        },
      ],
    }
  },
}

/** counts[truth][answer], with a last column for what could not be read; failed cells are left out. */
function countsOf(frame: Frame, rows: Int32Array, classes: readonly string[]): number[][] {
  const state = frame.category('state')
  const truth = frame.category('feature_label')
  const answer = frame.category('answer')
  const counts = classes.map(() => Array.from({ length: classes.length + 1 }, () => 0))
  for (const row of rows) {
    const how = state.levels[state.codes[row] as number]
    const i = classes.indexOf(truth.levels[truth.codes[row] as number] as string)
    if (how === 'failed' || how === undefined || i === -1) continue
    // An answer is stored as JSON text or as bare text.
    const said = answer.levels[answer.codes[row] as number]?.replaceAll('"', '')
    const j = how === 'graded' && said !== undefined ? classes.indexOf(said) : -1
    const line = counts[i] as number[]
    const at = j === -1 ? classes.length : j
    line[at] = (line[at] as number) + 1
  }
  return counts
}
