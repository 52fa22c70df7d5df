import { column, type Estimate, type Table } from '../core/index.ts'
import type { ReportedAnalysis } from './report.ts'

/** What the looks of a run's rule saw, as the ledger holds them. */
export interface PlannedLooks {
  readonly rule: string
  readonly alpha: number
  readonly checkEvery: number
  readonly verdict: string | null
  readonly interim: readonly (
    | {
        readonly kind: 'better'
        readonly groups: number
        readonly difference: number | null
        readonly eGreater: number
        readonly eLess: number
      }
    | {
        readonly kind: 'width'
        readonly groups: number
        readonly models: readonly {
          readonly model: string
          readonly groups: number
          readonly accuracy: number
          readonly low: number
          readonly high: number
        }[]
      }
  )[]
}

const { text, number, estimate } = column

/** The rule by which a run stopped, said before its first call, and each of its looks. */
export function untilTable({ rule, alpha, checkEvery, verdict, interim }: PlannedLooks): ReportedAnalysis {
  const id = 'core/until'
  const enough = 2 / alpha
  const better: Table = {
    id,
    title: 'Looks at the difference',
    columns: [
      number('look', 'Look'),
      number('units', 'Units'),
      number('difference', 'A - B', 'share'),
      number('above', 'E-value of A > B'),
      number('below', 'E-value of B > A'),
      number('enough', 'Enough'),
    ],
    rows: interim.flatMap((look, k) =>
      look.kind !== 'better'
        ? []
        : [
            {
              look: k + 1,
              units: look.groups,
              difference: look.difference,
              above: look.eGreater,
              below: look.eLess,
              enough,
            },
          ],
    ),
  }
  const width: Table = {
    id,
    title: 'Looks at the intervals',
    columns: [
      number('look', 'Look'),
      text('model', 'Model'),
      number('units', 'Units'),
      estimate('accuracy', 'Accuracy'),
      number('width', 'Width', 'share'),
    ],
    rows: interim.flatMap((look, k) =>
      look.kind !== 'width'
        ? []
        : look.models.map(({ model, groups, accuracy, low, high }) => {
            const method = `anytime-valid ${100 * (1 - alpha)} %, all looks and models together`
            const inside: Estimate = { value: accuracy, low, high, n: groups, method }
            return { look: k + 1, model, units: groups, accuracy: inside, width: high - low }
          }),
    ),
  }
  const isWidth = interim.some(({ kind }) => kind === 'width')
  return {
    id,
    title: verdict === null ? `Not known at the end of the run: ${rule}` : `Known, and stopped for it: ${verdict}`,
    task: null,
    source: null,
    notes: [
      `The rule "${rule}" was written down before the first call, with error ${alpha} for all looks together and a look every ${checkEvery} units. A unit is a group of items that all models concerned have ended (an item, where there is one group); units count in the order in which they are asked, since what is answered quickly is no sample.`,
      'E-values are the wealth of a gambler who bets on the difference with a fixed mixture of stakes; in a game that is fair or worse it reaches 1 / a with probability a at most, at any time (Ville). Intervals of other tables of this report take the number of items as planned: of a run that stopped for its rule, read these.',
    ],
    tables: [isWidth ? width : better],
    figures: isWidth
      ? []
      : [
          {
            id,
            title: 'Evidence by units',
            table: id,
            x: { key: 'units', label: 'Units' },
            y: { key: 'above', label: 'E-value of A > B', scale: 'log' },
            marks: [{ kind: 'line' }, { kind: 'rule', y: 'enough' }],
          },
        ],
  }
}
