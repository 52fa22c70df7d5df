import { FEW_GROUPS, isShown, MAX_SHOWN_WIDTH, MIN_SHOWN_ITEMS } from '../../../libraries/statistics/group-counts.ts'
import type { ShownEstimate } from '../../api/index.ts'
import { formatInteger, percent, plural, points } from './format.ts'

/** A value that estimates are compared with, and what it is. */
export interface IntervalMark {
  readonly kind: 'chance' | 'guess' | 'all'
  readonly value: number
  readonly words: string
}

export interface TrackRow {
  readonly estimate: ShownEstimate
  /** Before the numbers, for screen readers. */
  readonly label: string
  /** Colour, as of {@link colourOf}. Default: the accent. */
  readonly colour?: number
  /** A ring: not significant. */
  readonly hollow?: boolean
}

interface TrackProps {
  readonly rows: readonly TrackRow[]
  /** Values of the axis at its ends. */
  readonly from?: number
  readonly to?: number
  readonly marks?: readonly IntervalMark[]
  /** Text of a value. Default: in per cent. */
  readonly words?: (value: number) => string
  /** Pixels between two estimates. */
  readonly step?: number
}

export const isFew = ({ groups, n }: ShownEstimate): boolean =>
  groups !== undefined && groups < FEW_GROUPS && groups < n

/** Why an estimate is not drawn or bold, for its tooltip. */
const remark = (estimate: ShownEstimate): string =>
  estimate.n < MIN_SHOWN_ITEMS
    ? `fewer than ${MIN_SHOWN_ITEMS} items`
    : isFew(estimate)
      ? `only ${plural(estimate.groups ?? 0, 'group')}`
      : estimate.high - estimate.low > MAX_SHOWN_WIDTH
        ? 'wide interval'
        : ''

const described = (estimate: ShownEstimate, words: (value: number) => string): string =>
  [
    `${words(estimate.value)}, CI ${words(estimate.low)} to ${words(estimate.high)}, n = ${formatInteger(estimate.n)}`,
    remark(estimate),
  ]
    .filter(Boolean)
    .join(', ')

/** Estimates below each other on one axis: marks with their intervals; those of too few items have none. */
export function Track({ rows, from = 0, to = 1, marks = [], words = percentOf, step = 11 }: TrackProps) {
  const at = (value: number): number => (100 * (Math.min(to, Math.max(from, value)) - from)) / (to - from)
  const lines = rows.map(({ label, estimate }) => `${label === '' ? '' : `${label}: `}${described(estimate, words)}`)
  const label = [...lines, ...marks.map((mark) => mark.words)].join('; ')
  return (
    <span
      class="track"
      role="img"
      aria-label={label}
      title={label}
      style={{ height: `${step * rows.length + (step > 11 ? 0 : 9)}px` }}
    >
      {from < 0 && to > 0 ? <i class="ref zero" style={{ left: `${at(0)}%` }} /> : null}
      {marks.map((mark) => (
        <i key={mark.kind} class={`ref ${mark.kind}`} style={{ left: `${at(mark.value)}%` }} />
      ))}
      {rows.map(({ estimate, colour, hollow = false }, i) => {
        if (estimate.n < MIN_SHOWN_ITEMS) return null
        const { value, low, high } = estimate
        const kind = `m${colour ?? 'a'}${isFew(estimate) ? ' few' : ''}${hollow ? ' hollow' : ''}`
        const top = `${step * i + 10}px`
        return (
          <>
            {to > 1 || isShown(estimate) || isFew(estimate) ? (
              <i class={`bar ${kind}`} style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%`, top }} />
            ) : null}
            <i class={`pt ${kind}`} style={{ left: `${at(value)}%`, top }} />
          </>
        )
      })}
    </span>
  )
}

const percentOf = (value: number): string => `${percent(value)} %`

/** Ticks at the quarters of an axis from 0 that ends at or above `most`, each a short number. */
export function quartersUpTo(most: number): readonly number[] {
  const size = 10 ** Math.floor(Math.log10(most / 4))
  const step = size * ([1, 2, 3, 5].find((k) => 4 * k * size >= most) ?? 10)
  return [0, 1, 2, 3, 4].map((k) => k * step)
}

/** A share in per cent with its interval; of too few items only their number. */
export function Share({ estimate, bold = false }: { estimate: ShownEstimate; bold?: boolean }) {
  const { value, low, high, n } = estimate
  if (n < MIN_SHOWN_ITEMS) return <span class="estimate few" title={remark(estimate)}>{`n ${n}`}</span>
  const digits = high - low <= 0.02 ? 1 : 0
  return (
    <span
      class={`estimate${isShown(estimate) ? '' : ' few'}`}
      title={`${described(estimate, percentOf)}; ${estimate.method}`}
    >
      {bold && !isFew(estimate) ? <b>{percent(value, digits)}</b> : percent(value, digits)}{' '}
      <small>
        {percent(low, digits)}–{percent(high, digits)}
      </small>
    </span>
  )
}

export function Points({ estimate, bold = false }: { estimate: ShownEstimate; bold?: boolean }) {
  const { value, low, high } = estimate
  return (
    <span class="estimate" title={`${described(estimate, points)}; ${estimate.method}`}>
      {bold ? <b>{points(value)}</b> : points(value)}{' '}
      <small>
        {points(low)} to {points(high)}
      </small>
    </span>
  )
}

export const Axis = ({
  ticks,
  from = 0,
  to = 1,
  words = (value: number) => percent(value),
}: {
  ticks: readonly number[]
  from?: number
  to?: number
  words?: (value: number) => string
}) => (
  <span class="axis" aria-hidden="true">
    {ticks.map((tick) => (
      <i key={tick} style={{ left: `${(100 * (tick - from)) / (to - from)}%` }}>
        {words(tick)}
      </i>
    ))}
  </span>
)

export const QUARTERS = [0, 0.25, 0.5, 0.75, 1]

/** An estimate alone in its cell: its track beside its number. */
export const Interval = ({
  estimate,
  label = '',
  from = 0,
  marks = [],
  ...look
}: Pick<TrackProps, 'from' | 'marks'> & Partial<TrackRow> & Pick<TrackRow, 'estimate'>) => (
  <span class="interval">
    <Track rows={[{ estimate, label, ...look }]} from={from} marks={marks} />
    <span class="number" aria-hidden="true">
      {from < 0 ? <Points estimate={estimate} /> : <Share estimate={estimate} />}{' '}
      <small>n {formatInteger(estimate.n)}</small>
    </span>
  </span>
)
