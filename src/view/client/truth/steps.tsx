import { useState } from 'preact/hooks'
import { Scroll } from '../parts/scroll.tsx'
import { visible } from '../parts/words.ts'
import type { DrawingOf } from './kinds.ts'

/** Words after each rule of a cascade; what a rule changed is marked. Words that do not change under any rule are folded away. */
export function Steps({ drawing }: { readonly drawing: DrawingOf<'steps'> }) {
  const { steps, rows } = drawing
  const [until, setUntil] = useState(steps.length - 1)
  const [all, setAll] = useState(false)
  const changing = rows.filter((row) => row.some((word, i) => i > 0 && word !== row[i - 1]))
  const shown = all ? rows : changing
  return (
    <div class="steps">
      <Scroll label="Words after each rule">
        <table>
          <thead>
            <tr>
              {steps.slice(0, until + 1).map((step, i) => (
                <th key={`${i} ${step}`} scope="col">
                  {visible(step)}
                  <br />
                  <small>
                    {i === 0 ? `${rows.length} words` : `${rows.filter((row) => row[i] !== row[i - 1]).length} changed`}
                  </small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, number) => (
              <tr key={`${number} ${row[0]}`}>
                {row.slice(0, until + 1).map((word, i) => (
                  <td key={`${i} ${word}`} class={i > 0 && word !== row[i - 1] ? 'changed' : 'same'}>
                    <Changed before={i === 0 ? word : (row[i - 1] ?? word)} after={word} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="controls">
        <label>
          rules applied: {until}{' '}
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            value={until}
            onInput={(event) => setUntil(Number(event.currentTarget.value))}
          />
        </label>
        {changing.length < rows.length ? (
          <button type="button" onClick={() => setAll(!all)}>
            {all ? 'Only words that change' : `Also the ${rows.length - changing.length} words that no rule changes`}
          </button>
        ) : null}
      </p>
    </div>
  )
}

/** The word, with what stands between the common beginning and the common end of both marked. */
function Changed({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <>{visible(after)}</>
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++
  const middle = after.slice(head, after.length - tail)
  return (
    <>
      {visible(after.slice(0, head))}
      <mark title={`was ${before.slice(head, before.length - tail) || 'nothing'}`}>
        {middle === '' ? '∅' : visible(middle)}
      </mark>
      {visible(after.slice(after.length - tail))}
    </>
  )
}
