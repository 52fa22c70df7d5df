import { type Analysis, column, everyTwo, type Frame, table } from '../../../../core/index.ts'
import {
  cohenKappa,
  fleissKappa,
  krippendorffAlpha,
  largestShare,
  systemsIn,
} from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/tallies.ts'

/** The name of the checker of traces beside the judges. */
const CHECKER = 'trace checker'

const { text, number, share } = column

/** Columns of {@link agreementOf}. */
export const agreementColumns = [
  number('responses', 'Responses'),
  share('share', 'Largest group that agrees'),
  number('krippendorff', 'Krippendorff’s alpha'),
  number('fleiss', 'Fleiss’ kappa'),
] as const

/** How far all raters agree, each a row of labels as codes. */
export const agreementOf = (ratings: readonly (readonly number[])[]) => ({
  responses: ratings[0]?.length ?? 0,
  share: largestShare(ratings),
  krippendorff: krippendorffAlpha(ratings),
  fleiss: fleissKappa(ratings),
})

/** How far judges agree with each other and with the trace checker. */
export const judges: Analysis = {
  id: 'relic/judges',
  title: 'Agreement of judges',
  source: { paper: PAPER, item: 'Table 5' },
  notes: ['Parsed judgements only. To compare with labels of people: touchstone analyze agreement LABELS.csv'],
  needs: ['item', 'model', 'status', 'prediction', 'target'],
  run(frame) {
    const raters = ratersIn(frame)
    const all = table(
      'relic/judges',
      'Agreement of all judges and the trace checker',
      [number('raters', 'Raters'), ...agreementColumns],
      [{ raters: raters.length, ...agreementOf(raters.map(({ labels }) => labels)) }],
    )
    const pairs = table(
      'relic/judges-pairs',
      'Agreement of each two',
      [
        text('first', 'Rater'),
        text('second', 'Rater'),
        number('responses', 'Responses that both labelled'),
        share('share', 'Agree'),
        number('cohen', 'Cohen’s kappa'),
      ],
      everyTwo(raters).map(([first, second]) => {
        const both = first.labels.flatMap((label, unit) => {
          const other = second.labels[unit] as number
          return label < 0 || other < 0 ? [] : [label === other]
        })
        return {
          first: first.name,
          second: second.name,
          responses: both.length,
          share: both.length === 0 ? null : both.filter((same) => same).length / both.length,
          cohen: cohenKappa(first.labels, second.labels),
        }
      }),
    )
    return { tables: [all, pairs] }
  },
}

/** Labels of the checker and of each judge, by response, as codes; -1 where there is none. */
function ratersIn(frame: Frame): readonly { readonly name: string; readonly labels: readonly number[] }[] {
  const items = frame.category('item')
  const [state, answer, truth] = [frame.category('status'), frame.category('prediction'), frame.category('target')]
  const graded = state.levels.indexOf('graded')
  const codes = new Map<string, number>()
  const codeOf = (label: string | undefined): number => {
    if (label === undefined) return -1
    const code = codes.get(label) ?? codes.size
    codes.set(label, code)
    return code
  }
  const empty = () => new Array<number>(items.levels.length).fill(-1)
  const checker = empty()
  const models = systemsIn(frame).map(({ model, rows }) => {
    const labels = empty()
    for (const row of rows) {
      const unit = items.codes[row] as number
      checker[unit] = codeOf(truth.levels[truth.codes[row] as number])
      if (state.codes[row] === graded) labels[unit] = codeOf(answer.levels[answer.codes[row] as number])
    }
    return { name: model, labels }
  })
  return [{ name: CHECKER, labels: checker }, ...models]
}
