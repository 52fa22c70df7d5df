import { trueMinus } from '../../../core/text.ts'
import { formatInteger } from './format.ts'

/** An e-value as text. */
export const formatEValue = (e: number): string =>
  e >= 1e6 ? 'over a million' : e >= 100 ? formatInteger(Math.round(e)) : e.toFixed(2)

/** An e-value from here on shows it with an error of 5 %, both sides together. */
export const E_VALUE_THRESHOLD = 2 / 0.05

interface Step {
  readonly units: number
  readonly a: number
  readonly b: number
}

const WIDTH = 520
const HEIGHT = 150
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 12, 10, 26]
/** Powers of ten below which no difference is seen any more. */
const MIN = -2

/** Two e-values over the groups, on a logarithmic scale: solid for A, dashed for B. */
export function EvidencePath({
  path,
  units: what,
  label,
}: {
  readonly path: readonly Step[]
  /** What counts once. */
  readonly units: string
  readonly label: string
}) {
  const powers = path.flatMap(({ a, b }) => [powerOf(a), powerOf(b)])
  const most = Math.max(2, Math.ceil(Math.max(...powers)))
  const units = path.at(-1)?.units ?? 1
  const x = (at: number): number => LEFT + (at / units) * (WIDTH - LEFT - RIGHT)
  const y = (power: number): number => TOP + ((most - power) / (most - MIN)) * (HEIGHT - TOP - BOTTOM)
  const line = (side: 'a' | 'b'): string =>
    [`${x(0)},${y(0)}`, ...path.map((step) => `${x(step.units).toFixed(1)},${y(powerOf(step[side])).toFixed(1)}`)].join(
      ' ',
    )
  const every = Math.ceil((most - MIN) / 5)
  const ticks = Array.from({ length: most - MIN + 1 }, (_, k) => MIN + k).filter((power) => power % every === 0)
  return (
    <svg
      class="evidence"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {ticks.map((power) => (
        <g key={power}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(power)} y2={y(power)} class="axis" />
          <text x={LEFT - 6} y={y(power) + 4} text-anchor="end">
            {power >= 0 && power <= 3 ? 10 ** power : trueMinus(`1e${power}`)}
          </text>
        </g>
      ))}
      <line
        x1={LEFT}
        x2={WIDTH - RIGHT}
        y1={y(Math.log10(E_VALUE_THRESHOLD))}
        y2={y(Math.log10(E_VALUE_THRESHOLD))}
        class="enough"
      />
      <polyline points={line('a')} class="side a" />
      <polyline points={line('b')} class="side b" />
      <text x={LEFT} y={HEIGHT - 8}>
        0
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 8} text-anchor="end">
        {formatInteger(units)} {what}
      </text>
    </svg>
  )
}

const powerOf = (e: number): number => Math.max(MIN, Math.log10(Math.max(e, 10 ** MIN)))
