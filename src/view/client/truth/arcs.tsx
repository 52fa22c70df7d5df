import { plural, visible } from '../parts/format.ts'
import type { Influence } from './replay.ts'

const ACROSS = 74
const LABEL = 9

export interface ArcsProps {
  /** The rules in their order. */
  readonly labels: readonly string[]
  readonly words: readonly string[]
  readonly influences: readonly Influence[]
  readonly dropped: ReadonlySet<number>
}

/** The rules in a row: feeding as arcs above them, bleeding as broken arcs below. */
export function Arcs({ labels, words, influences, dropped }: ArcsProps) {
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
