import type { ShownEstimate } from '../../api/index.ts'
import { estimateWords, share } from './words.ts'

/** Below so many groups an interval is drawn hatched: it rests on few. */
export const FEW = 10

export interface IntervalProps {
  readonly estimate: ShownEstimate
  /** Values of the axis at its ends. */
  readonly from?: number
  readonly to?: number
  /** A value to compare with, such as chance. */
  readonly mark?: number | null
  /** Independent groups behind the estimate, where that is known. */
  readonly groups?: number | null
  /** In words before the number, for whoever does not see the picture. */
  readonly label?: string
}

const WIDTH = 160
const HEIGHT = 16

/** A dot with its interval on an axis, and the numbers beside it. */
export function Interval({ estimate, from = 0, to = 1, mark = null, groups = null, label = '' }: IntervalProps) {
  const at = (value: number): number => 4 + ((Math.min(to, Math.max(from, value)) - from) / (to - from)) * (WIDTH - 8)
  const { value, low, high, n } = estimate
  const few = groups !== null && groups < FEW
  const words = `${label === '' ? '' : `${label}: `}${estimateWords(estimate)}${few ? `, only ${groups} groups` : ''}`
  return (
    <span class="interval" title={`${words}; ${estimate.method}`}>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        <line x1={4} x2={WIDTH - 4} y1={8} y2={8} class="axis" />
        {from < 0 && to > 0 ? <line x1={at(0)} x2={at(0)} y1={1} y2={15} class="zero" /> : null}
        {mark === null ? null : <line x1={at(mark)} x2={at(mark)} y1={1} y2={15} class="chance" />}
        <line x1={at(low)} x2={at(high)} y1={8} y2={8} class={few ? 'range few' : 'range'} />
        <circle cx={at(value)} cy={8} r={4} class="dot" />
      </svg>
      <span class="number" aria-hidden="true">
        <b>{share(value)}</b> [{share(low)}, {share(high)}] <small>n={n}</small>
      </span>
    </span>
  )
}
