import { column, type Estimate, figure, table } from '../core/index.ts'
import type { ReportedAnalysis } from './report.ts'

/** The interim analyses of a run's stopping rule, as the ledger has them. */
export interface SequentialRun {
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
const ID = 'core/sequential'

/** The stopping rule of a run, written before its first call, and its interim analyses. */
export function sequentialTable({ rule, alpha, checkEvery, verdict, interim }: SequentialRun): ReportedAnalysis {
  const differences = table(
    ID,
    'Interim analyses of the difference',
    [
      number('interim', 'Interim analysis'),
      number('groups', 'Groups'),
      number('difference', 'A − B', 'share'),
      number('eGreater', 'e (A > B)'),
      number('eLess', 'e (B > A)'),
      number('threshold', 'Threshold'),
    ],
    interim.flatMap((look, k) => {
      if (look.kind !== 'better') return []
      const { groups, difference, eGreater, eLess } = look
      return [{ interim: k + 1, groups, difference, eGreater, eLess, threshold: 2 / alpha }]
    }),
  )
  const method = `anytime-valid ${100 * (1 - alpha)} %, all interim analyses and models together`
  const widths = table(
    ID,
    'Interim analyses of the CIs',
    [
      number('interim', 'Interim analysis'),
      text('model', 'Model'),
      number('groups', 'Groups'),
      estimate('accuracy', 'Accuracy'),
      number('width', 'Width', 'share'),
    ],
    interim.flatMap((look, k) =>
      look.kind !== 'width'
        ? []
        : look.models.map(({ model, groups, accuracy, low, high }) => {
            const interval: Estimate = { value: accuracy, low, high, n: groups, method }
            return { interim: k + 1, model, groups, accuracy: interval, width: high - low }
          }),
    ),
  )
  const isWidth = interim.some(({ kind }) => kind === 'width')
  const evidence = figure(differences, {
    title: 'Evidence by number of groups',
    x: 'groups',
    y: { key: 'eGreater', scale: 'log' },
    marks: [{ kind: 'line' }, { kind: 'rule', y: 'threshold' }],
  })
  return {
    id: ID,
    title: verdict === null ? `Not decided at the end of the run: ${rule}` : `Stopped early: ${verdict}`,
    question: 'comparison',
    task: null,
    source: null,
    notes: [
      `Rule "${rule}", planned before the first call: error ${alpha} over all interim analyses, one every ${checkEvery} groups (items, with a single group).`,
      'E-values: valid at any time (Ville); 2/alpha decides. Other tables assume a fixed number of items; for a run that stopped early quote this one.',
    ],
    tables: [isWidth ? widths : differences],
    figures: isWidth ? [] : [evidence],
  }
}
