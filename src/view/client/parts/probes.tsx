import { formatInteger, formatShare, visible } from './format.ts'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'

/** Result of one probe of an audit. */
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
export function Probes({ tests, most }: { readonly tests: readonly Probe[]; readonly most: number }) {
  const rows = tests.toSorted((a, b) => b.gain - a.gain).slice(0, most)
  if (rows.length === 0) return <Empty>No probe applies to these items.</Empty>
  return (
    <Scroll label="Probes">
      <table class="data">
        <caption>
          The {formatInteger(rows.length)} probes that gain most over chance, of {formatInteger(tests.length)}; p is
          corrected for all that decide
        </caption>
        <thead>
          <tr>
            {['probe', 'answers tried', 'accuracy', 'chance', 'gain [95 %], n', 'p', 'verdict'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={`${one.probe} ${one.mode}`}>
              <th scope="row">{visible(one.probe)}</th>
              <td>{visible(one.mode)}</td>
              <td class="right">{one.accuracy === null ? '–' : formatShare(one.accuracy)}</td>
              <td class="right">{one.chance === null ? '–' : formatShare(one.chance)}</td>
              <td class="right">
                {formatShare(one.gain)} [{formatShare(one.ci[0])}, {formatShare(one.ci[1])}]{' '}
                <small>n={formatInteger(one.n)}</small>
              </td>
              <td class="right">{one.pAdjusted < 0.001 ? '< 0.001' : formatShare(one.pAdjusted)}</td>
              <td>
                {one.status === 'fail' ? '✗' : one.status === 'pass' ? '✓' : '·'} {visible(one.status)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
