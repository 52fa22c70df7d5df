import { Scroll } from '../parts/controls.tsx'
import { plural, rounded, signed, visible } from '../parts/format.ts'
import type { LossRow, Scored } from './losses.ts'

/** Shades from which on a loss above the floor is drawn darker, in nats. */
const SHADES = [0.05, 0.25, 0.75, 1.5, 3] as const

/** From 0 to 1. */
const shade = (excess: number): number => SHADES.filter((edge) => Math.abs(excess) >= edge).length / SHADES.length

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)

/** A string token by token: what each model lost above the exact floor. Darker: more; blue and a minus sign: less than the floor. */
export function LossStrip({
  cells,
  scored,
  rows,
}: Scored & {
  readonly rows: readonly LossRow[]
}) {
  const { floor, end } = scored
  const names = end === '' ? cells : [...cells, '⏎']
  const leaves = floor.indexOf(null)
  const known = floor.filter((least) => least !== null)
  const misaligned = rows.filter((row) => row.misaligned > 0)
  return (
    <>
      <Scroll label="Losses above the floor, token by token">
        <table class="loss-strip">
          <caption>
            Loss minus the exact floor of {plural(floor.length, 'token')}, in nats
            {leaves === -1
              ? ''
              : `; no string of the language continues with token ${leaves + 1} (✗): from there on the loss itself`}
          </caption>
          <thead>
            <tr>
              <th scope="col">token</th>
              {names.map((name, i) => (
                <th key={`${i}`} scope="col" class={floor[i] === null ? 'token outside' : 'token'}>
                  {visible(name)}
                  {i === leaves ? <span class="leaves">✗</span> : null}
                </th>
              ))}
              <th scope="col" class="right">
                {leaves === -1 ? 'above the floor' : `above it, to ✗`}
              </th>
              <th scope="col" class="right">
                loss
              </th>
            </tr>
          </thead>
          <tbody>
            <tr class="floor">
              <th scope="row">floor</th>
              {floor.map((least, i) => (
                <td key={`${i}`}>{least === null ? '∞' : rounded(least, 1)}</td>
              ))}
              <td class="right">0</td>
              <td class="right">{leaves === -1 ? total(known).toFixed(2) : '∞'}</td>
            </tr>
            {rows.map(({ label, losses }, number) => (
              <tr key={`${number} ${label}`}>
                <th scope="row">{label}</th>
                {losses.map((loss, i) => {
                  const least = floor[i] ?? null
                  return (
                    <td
                      key={`${i}`}
                      class={least === null ? 'outside' : loss > least ? 'over' : 'under'}
                      style={{ '--size': least === null ? 0 : shade(loss - least) }}
                      title={`${visible(names[i] ?? '')}: lost ${loss.toFixed(3)} nats, ${least === null ? 'impossible here' : `floor ${least.toFixed(3)}`}`}
                    >
                      {least === null ? loss.toFixed(1) : signed(loss - least, 1)}
                    </td>
                  )
                })}
                <td class="right">
                  <b>{signed(total(losses.slice(0, leaves === -1 ? losses.length : leaves)) - total(known), 2)}</b>
                </td>
                <td class="right">{total(losses).toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {misaligned.map(({ label, misaligned: n }, i) => (
        <p key={`${i} ${label}`} class="note">
          {plural(n, 'token')} of {label} span two tokens of the string: their loss stands where they start.
        </p>
      ))}
    </>
  )
}
