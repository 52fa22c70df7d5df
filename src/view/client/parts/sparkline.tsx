import type { ShownEstimate } from '../../api/index.ts'
import { percent } from './format.ts'
import { modelName } from './names.ts'

interface Point {
  readonly estimate: ShownEstimate
  /** Points of other contents are not joined. */
  readonly same: string
  readonly href: string
  readonly title: string
}

const [WIDTH, HEIGHT, EDGE] = [220, 32, 6]

/** A trend, not a level: its range is that of its own values. Each point leads to its run. */
export function Sparkline({ model, colour, points }: { model: string; colour: number; points: readonly Point[] }) {
  const least = Math.min(...points.map(({ estimate }) => estimate.low))
  const most = Math.max(...points.map(({ estimate }) => estimate.high))
  const x = (i: number): number => EDGE + (i / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE)
  const y = (value: number): number => EDGE + ((most - value) / Math.max(1e-9, most - least)) * (HEIGHT - 2 * EDGE)
  const joined = points.slice(1).flatMap((point, i) => (point.same === points[i]?.same ? [i] : []))
  return (
    <svg class={`spark m${colour}`} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{`${modelName(model)}: ${points.map(({ estimate }) => percent(estimate.value)).join(', ')} %, run by run`}</title>
      {joined.map((i) => {
        const [a, b] = [points[i]?.estimate, points[i + 1]?.estimate]
        if (a === undefined || b === undefined) return null
        return (
          <g key={i}>
            <path
              class="band"
              d={`M${x(i)},${y(a.low)}L${x(i)},${y(a.high)}L${x(i + 1)},${y(b.high)}L${x(i + 1)},${y(b.low)}Z`}
            />
            <path class="line" d={`M${x(i)},${y(a.value)}L${x(i + 1)},${y(b.value)}`} />
          </g>
        )
      })}
      {points.map(({ estimate, href, title }, i) => (
        <a key={href} href={href} aria-label={`${title}: ${percent(estimate.value)} %`}>
          <circle cx={x(i)} cy={y(estimate.value)} r={i === points.length - 1 ? 4 : 2.5} />
        </a>
      ))}
    </svg>
  )
}
