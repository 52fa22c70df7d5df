import { useMemo, useState } from 'preact/hooks'
import { Scroll } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'
import { type Influence, influences, replay } from './replay.ts'

const ACROSS = 74
const LABEL = 9

interface ArcsProps {
  /** The rules in their order. */
  readonly labels: readonly string[]
  readonly words: readonly string[]
  readonly influences: readonly Influence[]
  readonly dropped: ReadonlySet<number>
}

/** The rules in a row: feeding as arcs above them, bleeding as broken arcs below. */
function Arcs({ labels, words, influences, dropped }: ArcsProps) {
  const reach = (kind: Influence['kind']): number =>
    Math.max(0, ...influences.filter((one) => one.kind === kind).map(({ from, to }) => to - from))
  const rise = (steps: number): number => (steps === 0 ? 0 : 14 + 10 * steps)
  const middle = rise(reach('feeds')) + 18
  const height = middle + rise(reach('bleeds')) + 22
  const x = (rule: number): number => ACROSS * (rule + 0.5)
  const width = ACROSS * labels.length
  return (
    <>
      <svg
        class="drawing arcs"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${plural(influences.length, 'influence')} between ${plural(labels.length, 'rule')}`}
      >
        {influences.map((one) => {
          const up = one.kind === 'feeds' ? -1 : 1
          const top = middle + up * (11 + 1.33 * rise(one.to - one.from))
          const foot = middle + up * 11
          return (
            <path
              key={`${one.from} ${one.to} ${one.kind}`}
              class={`${one.kind}${dropped.has(one.from) || dropped.has(one.to) ? ' off' : ''}`}
              d={`M${x(one.from) + 5},${foot}C${x(one.from) + 5},${top} ${x(one.to) - 5},${top} ${x(one.to) - 5},${foot}`}
            >
              <title>{sentence(one, words)}</title>
            </path>
          )
        })}
        {labels.map((label, rule) => (
          <g
            key={`${rule}`}
            transform={`translate(${x(rule)},${middle})`}
            class={dropped.has(rule) ? 'rule off' : 'rule'}
          >
            <title>{visible(label)}</title>
            <text dy="0.35em" text-anchor="middle">
              {rule + 1}. {visible([...label].slice(0, LABEL).join(''))}
              {[...label].length > LABEL ? '…' : ''}
            </text>
          </g>
        ))}
      </svg>
      <details>
        <summary>
          {[
            `${plural(influences.filter(({ kind }) => kind === 'feeds').length, 'feeding')} (above)`,
            `${plural(influences.filter(({ kind }) => kind === 'bleeds').length, 'bleeding')} (below, broken)`,
          ].join(', ')}{' '}
          on these words
        </summary>
        <ul>
          {influences.map((one) => (
            <li key={`${one.from} ${one.to} ${one.kind}`}>{sentence(one, words)}</li>
          ))}
        </ul>
      </details>
    </>
  )
}

/** Words that are named before they are only counted. */
const MAX_SHOWN = 4

function sentence({ from, to, kind, words: shown }: Influence, words: readonly string[]): string {
  const named = shown.slice(0, MAX_SHOWN).map((i) => visible(words[i] ?? ''))
  const rest = shown.length - named.length
  const more = kind === 'feeds' ? 'more' : 'fewer'
  return `Rule ${from + 1} ${kind} rule ${to + 1}, which finds ${more} places because of it: ${named.join(', ')}${rest > 0 ? ` and ${plural(rest, 'other')}` : ''}.`
}

type Drawing = DrawingOf<'steps'>
type Rows = readonly (readonly string[])[]

/**
 * Words after each rule of a cascade; what a rule changed is marked. Words that do not change under any rule are folded away.
 * Rules that come as data can be dropped: the words are replayed without them, beside what they should become.
 */
export function Steps({ drawing }: { drawing: Drawing }) {
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

/** What dropping rules did, as text. */
function Damage({ truth, rows, dropped }: { truth: Rows; rows: Rows; dropped: ReadonlySet<number> }) {
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
function Changed({ before, after }: { before: string; after: string }) {
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
