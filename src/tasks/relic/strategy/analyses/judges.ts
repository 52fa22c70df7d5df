import { type Analysis, column, type Frame } from '../../../../core/index.ts'
import { cohenKappa, fleissKappa, krippendorffAlpha, largestShare } from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/paper.ts'
import { byJudge } from './judgements.ts'

/** What the checker of traces says stands beside the judges under this name. */
const CHECKER = 'trace checker'

/** How far judges agree with each other and with the trace checker. */
export const judges: Analysis = {
  id: 'relic/judges',
  title: 'Agreement of judges',
  source: { paper: PAPER, item: 'Table 5' },
  notes: [
    'Of judgements that could be read. Labels of people: touchstone analyze agreement LABELS.csv --run RUN holds them against these judges.',
  ],
  needs: ['item', 'model', 'state', 'answer', 'truth'],
  run(frame) {
    const raters = ratersOf(frame)
    const ratings = raters.map(({ labels }) => labels)
    const pairs = raters.flatMap((first, i) =>
      raters.slice(i + 1).map((second) => {
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
    return {
      tables: [
        {
          id: 'relic/judges',
          title: 'Agreement of all judges and the trace checker',
          columns: [
            column.number('raters', 'Raters'),
            column.number('responses', 'Responses'),
            column.share('share', 'Largest group that agrees'),
            column.number('krippendorff', 'Krippendorff’s alpha'),
            column.number('fleiss', 'Fleiss’ kappa'),
          ],
          rows: [
            {
              raters: raters.length,
              responses: ratings[0]?.length ?? 0,
              share: largestShare(ratings),
              krippendorff: krippendorffAlpha(ratings),
              fleiss: fleissKappa(ratings),
            },
          ],
        },
        {
          id: 'relic/judges-pairs',
          title: 'Agreement of each two',
          columns: [
            column.text('first', 'Rater'),
            column.text('second', 'Rater'),
            column.number('responses', 'Responses that both labelled'),
            column.share('share', 'Agree'),
            column.number('cohen', 'Cohen’s kappa'),
          ],
          rows: pairs,
        },
      ],
    }
  },
}

/** Labels of each judge and of the checker, by response, as codes; -1 where there is none. */
function ratersOf(frame: Frame): readonly { readonly name: string; readonly labels: readonly number[] }[] {
  const items = frame.category('item')
  const [state, answer, truth] = [frame.category('state'), frame.category('answer'), frame.category('truth')]
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
  const models = byJudge(frame).map(({ contestant, rows }) => {
    const labels = empty()
    for (const row of rows) {
      const unit = items.codes[row] as number
      checker[unit] = codeOf(truth.levels[truth.codes[row] as number])
      if (state.codes[row] === graded) labels[unit] = codeOf(answer.levels[answer.codes[row] as number])
    }
    return { name: contestant, labels }
  })
  return [{ name: CHECKER, labels: checker }, ...models]
}
