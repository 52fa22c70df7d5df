import { type Analysis, column, type Estimate, type Frame, type Table } from '../../../../core/index.ts'
import { clusteredShare, take } from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/paper.ts'
import { strategies as named } from '../prompt.ts'
import { bands, byJudge, byRespondent, grammarsOf, numbersIn } from './judgements.ts'

const UNREAD = 'unread'
const KINDS = [...named, UNREAD] as const

/** Which strategies chains of thought follow, by the length of the string. */
export const strategies: Analysis = {
  id: 'relic/strategies',
  title: 'Strategies of chains of thought',
  source: { paper: PAPER, item: 'Figure 6 (bottom)' },
  notes: [
    'Shares among the responses that were judged, those whose judgement could not be read among them, with intervals clustered by grammar. As many responses were drawn of each respondent, length and class.',
    'The paper counts code with the rules and joins judgements by a number that restarts in each grammar; here every judgement stays with its response.',
  ],
  needs: ['item', 'model', 'group', 'state', 'answer', 'feature_respondent', 'feature_length'],
  run(frame) {
    const judged = byJudge(frame)
    const split = judged.flatMap(({ contestant: judge, rows }) =>
      byRespondent(frame, rows).map(([respondent, inside]) => ({
        judge,
        respondent,
        panel: judged.length === 1 ? respondent : `${respondent} (${judge})`,
        rows: inside,
      })),
    )
    const said = saidIn(frame)
    const table: Table = {
      id: 'relic/strategies',
      title: 'Strategies by length',
      columns: [
        column.text('judge', 'Judge'),
        column.text('respondent', 'Respondent'),
        column.text('panel', 'Panel'),
        column.text('lengths', 'Lengths'),
        column.number('length', 'Middle', 'tokens'),
        column.text('strategy', 'Strategy'),
        column.estimate('share', 'Share'),
      ],
      rows: split.flatMap(({ rows, ...who }) =>
        bands(frame, rows).flatMap(({ lengths, length, rows: inside }) =>
          KINDS.flatMap((strategy) => {
            // An unread judgement is shown where there is one.
            if (strategy === UNREAD && !rows.some((row) => said(row) === UNREAD)) return []
            return [
              { ...who, lengths, length, strategy, share: shareOf(frame, inside, (row) => said(row) === strategy) },
            ]
          }),
        ),
      ),
    }
    return {
      tables: [overall(frame, split, said), table],
      figures: [
        {
          id: 'relic/figure6-bottom',
          title: 'Strategies by length',
          table: table.id,
          x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
          y: { key: 'share', label: 'Share of responses', unit: 'share' },
          facet: 'panel',
          marks: [
            { kind: 'interval', series: 'strategy' },
            { kind: 'line', series: 'strategy' },
          ],
        },
      ],
    }
  },
}

function saidIn(frame: Frame): (row: number) => string {
  const state = frame.category('state')
  const answer = frame.category('answer')
  const graded = state.levels.indexOf('graded')
  return (row) => (state.codes[row] === graded ? (answer.levels[answer.codes[row] as number] ?? UNREAD) : UNREAD)
}

const shareOf = (frame: Frame, rows: Int32Array, is: (row: number) => boolean): Estimate | null =>
  clusteredShare(
    Array.from(rows, (row) => Number(is(row))),
    grammarsOf(frame, rows),
  )

interface Part {
  readonly judge: string
  readonly respondent: string
  readonly rows: Int32Array
}

/** How often each strategy is followed, and how often it is right. */
function overall(frame: Frame, parts: readonly Part[], said: (row: number) => string): Table {
  const right = numbersIn(frame, 'feature_right')
  return {
    id: 'relic/strategies-overall',
    title: 'Strategies, and how often they are right',
    columns: [
      column.text('judge', 'Judge'),
      column.text('respondent', 'Respondent'),
      column.text('strategy', 'Strategy'),
      column.number('responses', 'Responses'),
      column.estimate('share', 'Share'),
      column.estimate('accuracy', 'Right, of those that were read'),
    ],
    rows: parts.flatMap(({ judge, respondent, rows }) =>
      KINDS.flatMap((strategy) => {
        const inside = rows.filter((row) => said(row) === strategy)
        if (inside.length === 0) return []
        const read = inside.filter((row) => !Number.isNaN(right[row]))
        return [
          {
            judge,
            respondent,
            strategy,
            responses: inside.length,
            share: shareOf(frame, rows, (row) => said(row) === strategy),
            accuracy: clusteredShare(take(right, read), grammarsOf(frame, read)),
          },
        ]
      }),
    ),
  }
}
