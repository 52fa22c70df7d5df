import { useState } from 'preact/hooks'
import { Picture } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { Link } from '../parts/text-spans.ts'
import type { DrawingOf } from './kinds.ts'

type Drawing = DrawingOf<'chart'>
type Cell = Drawing['cells'][number]

const partOf = ({ from, to }: Pick<Cell, 'from' | 'to'>): string => `cell/${from}/${to}`

/** Links every rule of the grammar to the cells it fills. */
export function ruleLinks({ cells }: Drawing): readonly Link[] {
  const byRule = new Map<string, string[]>()
  for (const cell of cells)
    for (const { rule } of cell.splits ?? []) {
      const parts = byRule.get(rule)
      if (parts === undefined) byRule.set(rule, [partOf(cell)])
      else parts.push(partOf(cell))
    }
  return [...byRule].map(([text, parts]) => ({ text, parts }))
}

/** The triangle of CYK: the cell over a span holds every symbol that derives it. Stepped by the length of spans. */
export function Chart({ drawing }: { drawing: Drawing }) {
  const { tokens, cells, goal } = drawing
  const n = tokens.length
  const [until, setUntil] = useState(n)
  const [picked, setPicked] = useState<Cell | null>(null)
  const link = usePartLinks()
  const of = new Map(cells.map((cell) => [partOf(cell), cell]))
  const size = n > 26 ? 30 : 44
  const height = Math.min(size, 30)
  const rows = Array.from({ length: n }, (_, i) => i + 1)
  const covers = of.get(partOf({ from: 0, to: n }))?.symbols.includes(goal) === true
  const halves = new Set(picked === null ? [] : halvesOf(picked))
  return (
    <div class="chart">
      <Picture
        class="drawing"
        width={n * size + 2}
        height={(n + 1) * height + 2}
        label={`the chart of ${plural(n, 'token')}: ${goal} ${covers ? 'covers' : 'does not cover'} the whole`}
      >
        {rows.flatMap((length) =>
          Array.from({ length: n - length + 1 }, (_, from) => {
            const cell = of.get(partOf({ from, to: from + length })) ?? { from, to: from + length, symbols: [] }
            const { symbols } = cell
            const lacks = length === n && !symbols.includes(goal)
            const state = stateOf(cell, length > until, lacks)
            const linked = link(partOf(cell), `${lacks ? `no ${goal}; ` : ''}${saysOf(cell, tokens)}`)
            const name = length > until ? null : state === 'absent' ? `no ${goal}` : nameIn(symbols, size)
            const button = asButton(linked)
            // The label starts with the visible text, for voice control.
            const says = name === null || name === '' ? button['aria-label'] : `${name}: ${button['aria-label']}`
            const pick = (then: () => void) => (): void => {
              setPicked(cell)
              then()
            }
            return (
              <g
                key={partOf(cell)}
                class={`cell ${state}${linked.on ? ' linked' : ''}${halves.has(partOf(cell)) ? ' half' : ''}`}
                transform={`translate(${from * size + ((length - 1) * size) / 2},${(n - length) * height})`}
                {...{
                  ...button,
                  'aria-label': says,
                  onMouseEnter: pick(button.onMouseEnter),
                  onFocus: pick(button.onFocus),
                }}
              >
                <rect x={1} y={1} width={size - 2} height={height - 2} rx={3} />
                {name === null ? null : (
                  <text x={size / 2} y={height / 2} dy="0.32em" text-anchor="middle">
                    {name}
                  </text>
                )}
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
            {visible(token).slice(0, 6)}
          </text>
        ))}
      </Picture>
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
      <p class="note">
        {covers
          ? `${goal} stands over the whole string: it is in the language.`
          : `${goal} is not over the whole string, and the chart is closed under all rules: it is not in the language.`}{' '}
        {plural(cells.length, 'filled cell')}; a cell names one symbol and counts the others.
      </p>
    </div>
  )
}

function stateOf({ symbols }: Cell, later: boolean, lacks: boolean): string {
  if (later) return 'later'
  if (lacks) return 'absent'
  return symbols.length === 0 ? 'none' : 'some'
}

const nameIn = (symbols: readonly string[], size: number): string =>
  symbols.slice(0, 1).map(visible).join('') + (symbols.length > 1 ? (size > 40 ? ` +${symbols.length - 1}` : '+') : '')

/** The parts that rules join to fill the cell. */
const halvesOf = ({ from, to, splits = [] }: Cell): readonly string[] =>
  splits.flatMap(({ at }) => (at === undefined ? [] : [partOf({ from, to: at }), partOf({ from: at, to })]))

/** Most symbols and rules listed for one cell. */
const MAX_SHOWN = 8

function saysOf({ from, to, symbols, splits = [] }: Cell, tokens: readonly string[]): string {
  const text = (a: number, b: number): string => tokens.slice(a, b).map(visible).join(' ')
  const more = (all: readonly unknown[]): string =>
    all.length > MAX_SHOWN ? `, and ${all.length - MAX_SHOWN} more` : ''
  if (symbols.length === 0) return `${text(from, to)}: no symbol derives it`
  const rules = splits
    .slice(0, MAX_SHOWN)
    .map(({ rule, at }) => visible(rule) + (at === undefined ? '' : ` (${text(from, at)} | ${text(at, to)})`))
  return `${text(from, to)}: ${symbols.slice(0, MAX_SHOWN).map(visible).join(', ')}${more(symbols)}${
    rules.length === 0 ? '' : `; by ${rules.join(', ')}${more(splits)}`
  }`
}
