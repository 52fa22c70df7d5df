import { formatInteger, formatShare, visible } from './format.ts'
import { Grid } from './grid.tsx'
import { Empty } from './state.tsx'

export interface Probe {
  readonly probe: string
  readonly mode: string
  readonly n: number
  readonly accuracy: number | null
  readonly chance: number | null
  readonly gain: number
  readonly ci: readonly [low: number, high: number]
  readonly pAdjusted: number
  readonly status: string
}

/** The probes of an audit that gain most, those first. */
export function Probes({ tests, most }: { tests: readonly Probe[]; most: number }) {
  const rows = tests.toSorted((a, b) => b.gain - a.gain).slice(0, most)
  if (rows.length === 0) return <Empty>No probe applies to these items.</Empty>
  return (
    <Grid
      label="Probes"
      caption={`The ${formatInteger(rows.length)} probes that gain most over chance, of ${formatInteger(tests.length)}; p is corrected for all that decide`}
      rows={rows}
      keyOf={({ probe, mode }) => `${probe} ${mode}`}
      columns={({ numeric, rowHead, text }) => [
        rowHead('probe', ({ probe }) => visible(probe)),
        text('answers tried', ({ mode }) => visible(mode)),
        numeric('accuracy', ({ accuracy }) => (accuracy === null ? '–' : formatShare(accuracy))),
        numeric('chance', ({ chance }) => (chance === null ? '–' : formatShare(chance))),
        numeric(
          'gain [95 %], n',
          ({ gain, ci: [low, high], n }) =>
            `${formatShare(gain)} [${formatShare(low)}, ${formatShare(high)}], ${formatInteger(n)}`,
        ),
        numeric('p', ({ pAdjusted }) => (pAdjusted < 0.001 ? '< 0.001' : formatShare(pAdjusted))),
        text(
          'verdict',
          ({ status }) => `${status === 'fail' ? '✗' : status === 'pass' ? '✓' : '·'} ${visible(status)}`,
        ),
      ]}
    />
  )
}
