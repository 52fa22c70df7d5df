import { useMemo } from 'preact/hooks'
import { formatInteger } from './format.ts'
import { SeriesPlot } from './plot.tsx'

export const formatEValue = (e: number): string =>
  e >= 1e6 ? 'over a million' : e >= 100 ? formatInteger(Math.round(e)) : e.toFixed(2)

/** An e-value from here on shows it with an error of 5 %, both sides together. */
export const E_VALUE_THRESHOLD = 2 / 0.05

/** E-values below this are drawn here: no difference is seen any more. */
const MIN = 0.01

/** Two e-values over the groups or items, on a logarithmic scale; the line is what decides. */
export function EvidencePath({
  path,
  units,
  names,
  label,
}: {
  path: readonly { readonly units: number; readonly a: number; readonly b: number }[]
  units: string
  names: { readonly a: string; readonly b: string }
  label: string
}) {
  const points = useMemo(
    () =>
      (['a', 'b'] as const).flatMap((side) =>
        [{ units: 0, a: 1, b: 1 }, ...path].map((step) => {
          const value = Math.max(MIN, step[side])
          return { series: names[side], x: step.units, value, low: value, high: value, title: formatEValue(step[side]) }
        }),
      ),
    [path],
  )
  const ends = [0, path.at(-1)?.units ?? 1]
  return (
    <SeriesPlot
      x={units}
      y="e-value"
      log="y"
      dense
      points={points}
      references={[{ dash: '6 4', points: ends.map((x) => ({ x, y: E_VALUE_THRESHOLD })) }]}
      height={220}
      label={label}
    />
  )
}
