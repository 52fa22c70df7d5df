import { useState } from 'preact/hooks'
import { plural, visible } from '../parts/words.ts'
import type { DrawingOf } from './kinds.ts'

/** The triangle of CYK: the cell over a span holds every symbol that derives it. Stepped by the length of spans. */
export function Chart({ drawing }: { readonly drawing: DrawingOf<'chart'> }) {
  const { tokens, cells, goal } = drawing
  const n = tokens.length
  const [until, setUntil] = useState(n)
  const [picked, setPicked] = useState<string | null>(null)
  const of = new Map(cells.map((cell) => [`${cell.from} ${cell.to}`, cell.symbols]))
  const size = n > 20 ? 20 : n > 12 ? 30 : 44
  const height = Math.min(size, 30)
  const rows = Array.from({ length: n }, (_, i) => i + 1)
  const found = picked === null ? null : picked.split(' ').map(Number)
  const covers = of.get(`0 ${n}`)?.includes(goal) === true
  return (
    <div class="chart">
      <svg
        class="drawing"
        width={n * size + 2}
        height={(n + 1) * height + 2}
        role="img"
        aria-label={`the chart of ${plural(n, 'token')}: ${goal} ${covers ? 'covers' : 'does not cover'} the whole`}
      >
        {rows.flatMap((length) =>
          Array.from({ length: n - length + 1 }, (_, from) => {
            const key = `${from} ${from + length}`
            const symbols = of.get(key) ?? []
            const apex = length === n
            const state =
              length > until
                ? 'later'
                : apex && !symbols.includes(goal)
                  ? 'absent'
                  : symbols.length === 0
                    ? 'none'
                    : 'some'
            const x = from * size + ((length - 1) * size) / 2
            const y = (n - length) * height
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: what pointing shows is in the title too
              <g
                key={key}
                class={`cell ${state}`}
                transform={`translate(${x},${y})`}
                onMouseEnter={() => setPicked(key)}
              >
                <title>{`${tokens
                  .slice(from, from + length)
                  .map(visible)
                  .join(' ')}: ${symbols.map(visible).join(', ') || 'nothing'}`}</title>
                <rect x={1} y={1} width={size - 2} height={height - 2} rx={3} />
                {length <= until && size > 24 ? (
                  <text x={size / 2} y={height / 2} dy="0.32em" text-anchor="middle">
                    {state === 'absent'
                      ? `no ${goal}`
                      : symbols.slice(0, 1).map(visible).join('') +
                        (symbols.length > 1 ? (size > 40 ? ` +${symbols.length - 1}` : '+') : '')}
                  </text>
                ) : null}
              </g>
            )
          }),
        )}
        {tokens.map((token, i) => (
          <text
            key={`token ${i}`}
            class="token"
            x={i * size + size / 2}
            y={n * height + height * 0.7}
            text-anchor="middle"
          >
            {visible(token).slice(0, size > 24 ? 6 : 3)}
          </text>
        ))}
      </svg>
      <p class="controls">
        <label>
          spans up to {until}{' '}
          <input
            type="range"
            min={1}
            max={n}
            value={until}
            onInput={(event) => setUntil(Number(event.currentTarget.value))}
          />
        </label>
      </p>
      <p class="note" aria-live="polite">
        {found === null
          ? covers
            ? `${goal} stands over the whole string: it is in the language.`
            : `${goal} is not over the whole string, and the chart is closed under all rules: it is not in the language.`
          : `${tokens.slice(found[0], found[1]).map(visible).join(' ')}: ${(of.get(picked ?? '') ?? []).slice(0, 40).map(visible).join(', ') || 'no symbol derives it'}`}
      </p>
      <p class="note">{plural(cells.length, 'filled cell')}; a cell names one symbol and counts the others.</p>
    </div>
  )
}
