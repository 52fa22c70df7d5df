import { FEW_GROUPS } from '../../../libraries/statistics/group-counts.ts'
import type { ShownEstimate } from '../../api/index.ts'
import { formatInteger, formatShare, plural } from './format.ts'

/** A value that an estimate is compared with, and what it is. */
export interface IntervalMark {
  readonly kind: 'chance' | 'guess' | 'all'
  readonly value: number
  readonly words: string
}

export interface IntervalProps {
  readonly estimate: ShownEstimate
  /** Values of the axis at its ends. */
  readonly from?: number
  readonly to?: number
  /** Values to compare with. */
  readonly marks?: readonly IntervalMark[]
  /** Independent groups. Default: those of the estimate. */
  readonly groups?: number | null
  /** Is it drawn as a ring: seen, and not shown to be there? */
  readonly hollow?: boolean
  /** Text before the number for screen readers. */
  readonly label?: string
  /** Of the picture, in pixels. */
  readonly width?: number
  /** Text of a value. Default: as a share. */
  readonly words?: (value: number) => string
}

const OWN_WIDTH = 160
const HEIGHT = 16

/** A dot with its interval on an axis, and the numbers beside it. */
export function Interval({
  estimate,
  from = 0,
  to = 1,
  marks = [],
  groups = estimate.groups ?? null,
  hollow = false,
  label = '',
  width = OWN_WIDTH,
  words = formatShare,
}: IntervalProps) {
  const at = (value: number): number => 4 + ((Math.min(to, Math.max(from, value)) - from) / (to - from)) * (width - 8)
  const { value, low, high, n } = estimate
  const few = groups !== null && groups < FEW_GROUPS
  const numbers = `${words(value)} [${words(low)}, ${words(high)}], n = ${formatInteger(n)}`
  const description = `${label === '' ? '' : `${label}: `}${numbers}${few ? `, only ${plural(groups, 'group')}` : ''}${marks.map(({ words }) => `, ${words}`).join('')}`
  return (
    <span class="interval" title={`${description}; ${estimate.method}`}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={description}>
        <line x1={4} x2={width - 4} y1={8} y2={8} class="axis" />
        {from < 0 && to > 0 ? <line x1={at(0)} x2={at(0)} y1={1} y2={15} class="zero" /> : null}
        {marks.map((mark) => (
          <line key={mark.kind} x1={at(mark.value)} x2={at(mark.value)} y1={0} y2={16} class={mark.kind} />
        ))}
        <line x1={at(low)} x2={at(high)} y1={8} y2={8} class={few ? 'range few' : 'range'} />
        <circle cx={at(value)} cy={8} r={4} class={hollow ? 'dot hollow' : 'dot'} />
      </svg>
      <span class="number" aria-hidden="true">
        <b>{words(value)}</b> [{words(low)}, {words(high)}] <small>n={formatInteger(n)}</small>
      </span>
    </span>
  )
}
