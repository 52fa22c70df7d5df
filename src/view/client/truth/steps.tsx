import { useMemo, useState } from 'preact/hooks'
import { plural, visible } from '../parts/format.ts'
import { usePartLinks } from '../parts/links.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Arcs } from './arcs.tsx'
import type { DrawingOf } from './kinds.ts'
import { influences, replay } from './replay.ts'

type Drawing = DrawingOf<'steps'>
type Rows = readonly (readonly string[])[]

/**
 * Words after each rule of a cascade; what a rule changed is marked. Words that do not change under any rule are folded away.
 * Rules that come as data can be dropped: the words are replayed without them, beside what they should become.
 */
export function Steps({ drawing }: { readonly drawing: Drawing }) {
  const { rows: truth } = drawing
  const [until, setUntil] = useState(drawing.steps.length - 1)
  const [all, setAll] = useState(false)
  const [dropped, setDropped] = useState<ReadonlySet<number>>(new Set())
  const { rules, between } = useMemo(() => replayable(drawing), [drawing])
  const replayed = useMemo(
    () => (dropped.size === 0 ? null : replay(wordsOf(truth), rules, dropped)),
    [truth, rules, dropped],
  )
  const rows = replayed?.kind === 'ran' ? replayed.rows : truth
  const changing = truth.flatMap((row, i) => (changes(row) || changes(rows[i] ?? row) ? [i] : []))
  const toggle = (rule: number): void => {
    const after = new Set(dropped)
    if (!after.delete(rule)) after.add(rule)
    setDropped(after)
  }
  return (
    <div class="steps">
      {between.length === 0 ? null : (
        <Arcs labels={drawing.steps.slice(1)} words={wordsOf(truth)} influences={between} dropped={dropped} />
      )}
      {rules.length === 0 ? null : (
        <p class="note">
          {replayed === null ? 'Untick a rule to drop it and see what breaks.' : null}
          {replayed?.kind === 'outgrown'
            ? `Without ${plural(dropped.size, 'rule')} the words grow without bound at rule ${replayed.rule + 1}.`
            : null}
          {replayed?.kind === 'ran' ? <Damage truth={truth} rows={rows} dropped={dropped} /> : null}
        </p>
      )}
      <Table
        steps={drawing.steps.slice(0, until + 1)}
        truth={truth}
        rows={rows}
        shown={all ? truth.map((_, i) => i) : changing}
        dropped={dropped}
        replays={replayed?.kind === 'ran'}
        toggle={rules.length === 0 ? null : toggle}
      />
      <p class="controls">
        <label>
          rules applied: {until}{' '}
          <input
            type="range"
            min={0}
            max={drawing.steps.length - 1}
            value={until}
            onInput={(event) => setUntil(Number(event.currentTarget.value))}
          />
        </label>
        {changing.length < truth.length ? (
          <button type="button" onClick={() => setAll(!all)}>
            {all
              ? 'Only words that change'
              : `Also the ${plural(truth.length - changing.length, 'word')} that no rule changes`}
          </button>
        ) : null}
        {dropped.size > 0 ? (
          <button type="button" onClick={() => setDropped(new Set())}>
            Apply all rules
          </button>
        ) : null}
      </p>
    </div>
  )
}

const wordsOf = (rows: Rows): readonly string[] => rows.map((row) => row[0] ?? '')
const changes = (row: readonly string[]): boolean => row.some((word, i) => i > 0 && word !== row[i - 1])

/** The rules where replaying all of them gives the very words drawn; none where it does not, since then nothing is to be shown. */
function replayable({ steps, rows, rules = [] }: Drawing) {
  if (rules.length !== steps.length - 1) return { rules: [], between: [] }
  const words = wordsOf(rows)
  const again = replay(words, rules, new Set())
  return again.kind === 'ran' && again.rows.every((row, i) => row.join('\n') === rows[i]?.join('\n'))
    ? { rules, between: influences(words, rules) }
    : { rules: [], between: [] }
}

/** What dropping rules did, in words. */
function Damage({
  truth,
  rows,
  dropped,
}: {
  readonly truth: Rows
  readonly rows: Rows
  readonly dropped: ReadonlySet<number>
}) {
  const wrong = rows.filter((row, i) => row.at(-1) !== truth[i]?.at(-1)).length
  const which = [...dropped]
    .toSorted((a, b) => a - b)
    .map((rule) => rule + 1)
    .join(', ')
  return (
    <span role="status" class="damage">
      Without rule {which}: {wrong === 0 ? 'every word still ends correctly' : `${wrong} of `}
      {wrong === 0 ? null : `${plural(truth.length, 'word')} end incorrectly`}.
    </span>
  )
}

interface TableProps {
  readonly steps: readonly string[]
  readonly truth: Rows
  readonly rows: Rows
  /** Numbers of the words that are shown. */
  readonly shown: readonly number[]
  readonly dropped: ReadonlySet<number>
  /** True if the rows are a replay: the expected word is beside each. */
  readonly replays: boolean
  readonly toggle: ((rule: number) => void) | null
}

function Table({ steps, truth, rows, shown, dropped, replays, toggle }: TableProps) {
  const link = usePartLinks()
  return (
    <Scroll label="Words after each rule">
      <table>
        <thead>
          <tr>
            {steps.map((step, i) => {
              const linked = link(`step/${i}`, visible(step))
              return (
                <th
                  key={`${i} ${step}`}
                  scope="col"
                  class={`${dropped.has(i - 1) ? 'dropped' : ''}${linked.on ? ' linked' : ''}`}
                  {...linked.props}
                >
                  {i === 0 || toggle === null ? (
                    visible(step)
                  ) : (
                    <label>
                      <input type="checkbox" checked={!dropped.has(i - 1)} onChange={() => toggle(i - 1)} />
                      {i}. {visible(step)}
                    </label>
                  )}
                  <br />
                  <small>
                    {i === 0
                      ? plural(rows.length, 'word')
                      : dropped.has(i - 1)
                        ? 'dropped'
                        : `${rows.filter((row) => row[i] !== row[i - 1]).length} changed`}
                  </small>
                </th>
              )
            })}
            {replays ? <th scope="col">should become</th> : null}
          </tr>
        </thead>
        <tbody>
          {shown.map((number) => {
            const row = rows[number] ?? []
            const wanted = truth[number]?.at(-1) ?? ''
            const linked = link(`row/${number}`, row.map(visible).join(' → '))
            return (
              <tr key={number} class={linked.on ? 'linked' : ''} {...linked.props}>
                {row.slice(0, steps.length).map((word, i) => (
                  <td
                    key={`${i}`}
                    class={`${i > 0 && word !== row[i - 1] ? 'changed' : 'same'}${word === truth[number]?.[i] ? '' : ' otherwise'}`}
                  >
                    <Changed before={i === 0 ? word : (row[i - 1] ?? word)} after={word} />
                  </td>
                ))}
                {replays ? (
                  <td class={row.at(-1) === wanted ? 'same' : 'broken'}>
                    {row.at(-1) === wanted ? '✓' : '✗'} {visible(wanted)}
                  </td>
                ) : null}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

/** A word with its changed middle part marked. */
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
