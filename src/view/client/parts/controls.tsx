import type { ComponentChildren, ComponentProps } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { linkTo, type Route } from '../routing.ts'
import { formatInteger, visible } from './format.ts'
import { colourOf, modelName } from './names.ts'

export function Pick({
  label,
  value,
  options,
  onPick,
  none = null,
}: {
  label: string
  value: string | undefined
  /** Values, with their words where these are others. */
  options: readonly (string | readonly [value: string, words: string])[]
  /** undefined: nothing. */
  onPick: (value: string | undefined) => void
  /** The option for nothing; null: a value is required. */
  none?: string | null
}) {
  return (
    <label>
      {label}{' '}
      <select value={value ?? ''} onChange={({ currentTarget }) => onPick(currentTarget.value || undefined)}>
        {none === null ? null : <option value="">{none}</option>}
        {options.map((option) => {
          const [one, words] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={one} value={one}>
              {visible(words)}
            </option>
          )
        })}
      </select>
    </label>
  )
}

export function Command({ what, text }: { what: string; text: string }) {
  const [state, setState] = useState<{ readonly of: string; readonly says: string } | null>(null)
  const line = useRef<HTMLElement>(null)
  /** Pages on a plain file host may not write to the clipboard: then the line is selected. */
  const choose = (): void => {
    if (line.current !== null) getSelection()?.selectAllChildren(line.current)
    setState({ of: text, says: 'chosen: Ctrl-C' })
  }
  const copy = (): void => {
    const written = navigator.clipboard?.writeText(text)
    if (written === undefined) choose()
    else written.then(() => setState({ of: text, says: '✓ copied' }), choose)
  }
  return (
    <p class="controls">
      <span>{what}:</span>
      <code ref={line}>{text}</code>
      <button type="button" onClick={copy} aria-label={`copy the command of ${what}`}>
        {state?.of === text ? state.says : 'copy'}
      </button>
    </p>
  )
}

/** What is not seen at first: its title, what is inside, and a body that is made when it is opened. */
export function Fold({
  title,
  note = '',
  open: first = false,
  children,
}: {
  title: ComponentChildren
  note?: ComponentChildren
  open?: boolean
  children: ComponentChildren
}) {
  const [open, setOpen] = useState(first)
  return (
    <details class="fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title} <small>{note}</small>
      </summary>
      {open ? children : null}
    </details>
  )
}

/** What may be wider than the page, and then scrolls by itself: with the keyboard too. It is no landmark: a page has many. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  // biome-ignore lint/a11y/useSemanticElements: nothing in it is a field
  <div class="scroll" role="group" tabIndex={0} aria-label={label}>
    {children}
  </div>
)

/** A figure whose parts can be reached one by one; a group for screen readers. */
export const Picture = ({
  label,
  children,
  ...props
}: Omit<ComponentProps<'svg'>, 'label'> & {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn
  <svg role="group" aria-label={label} {...props}>
    {children}
  </svg>
)

/** Outcomes of responses: icon, word, and the tint of their chips and cells. */
export const OUTCOMES = {
  right: { icon: '✓', word: 'correct', tint: 'good' },
  wrong: { icon: '✕', word: 'wrong', tint: 'bad' },
  unparsed: { icon: '?', word: 'unparsed', tint: 'warn' },
  truncated: { icon: '⋯', word: 'truncated', tint: 'warn' },
  refused: { icon: '⊘', word: 'refused', tint: 'warn' },
  failed: { icon: '!', word: 'failed', tint: 'bad' },
} as const
export type OutcomeName = keyof typeof OUTCOMES

/** The outcomes that are no answer. */
export const TROUBLE = ['unparsed', 'truncated', 'refused', 'failed'] as const

/** A share of the responses from which trouble is coloured. */
const MUCH = 0.05

/** How many of some responses had which trouble, each linked to their items. @param few - are those of less than a twentieth named too? */
export function Troubles({
  run,
  count,
  of,
  kept = [],
  few = true,
}: {
  run: string
  count: (outcome: (typeof TROUBLE)[number]) => number
  of: number
  /** Further conditions on the items. */
  kept?: Route['parameters']
  few?: boolean
}) {
  const some = TROUBLE.map((outcome) => ({ outcome, n: count(outcome), ...OUTCOMES[outcome] }))
  return (
    <>
      {some
        .filter(({ n }) => n > 0 && (few || n >= MUCH * of))
        .map(({ outcome, n, icon, word, tint }) => {
          const kind = outcome === 'failed' ? 'bad' : n >= MUCH * of ? tint : ''
          const href = linkTo(['r', run, 'items'], [['outcome', outcome], ...kept])
          return (
            <a key={outcome} class={`chip ${kind}`} href={href}>
              {kind === '' ? null : <span aria-hidden="true">{icon} </span>}
              {formatInteger(n)} {word}
            </a>
          )
        })}
    </>
  )
}

/** An outcome: icon, and its word or what it is of. */
export const Outcome = ({ outcome, children }: { outcome: OutcomeName; children?: string }) => (
  <span class={`chip ${OUTCOMES[outcome].tint}`}>
    <span aria-hidden="true">{OUTCOMES[outcome].icon}</span> {children ?? OUTCOMES[outcome].word}
    {children === undefined ? null : <span class="hidden"> {OUTCOMES[outcome].word}</span>}
  </span>
)

/** A sentence whose short names with hyphens, such as those of models, do not break over lines. */
export const Sentence = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split(/(?<!\S)((?=\S{3,20}(?!\S))\S+-\S+)/u)
      .map((part, i) => (i % 2 === 0 ? part : <span class="unbroken">{part}</span>))}
  </>
)

/** Mark, provider and short name of a model. @param colour - default: that of its place in the run */
export function ModelName({
  model,
  provider = true,
  colour = colourOf(model),
}: {
  model: string
  provider?: boolean
  colour?: number
}) {
  const short = modelName(model)
  const full = visible(model)
  return (
    <span class="model" title={full}>
      <i class={`pt m${colour}`} aria-hidden="true" />{' '}
      {provider && full.endsWith(short) ? <span class="provider">{full.slice(0, -short.length)}</span> : null}
      <b>{short}</b>
    </span>
  )
}

/** Family and name of a task, or of a condition that begins with one. */
export function TaskName({ task }: { task: string }) {
  const [, family = '', name = ''] = /^([^/]*\/)?(.*)$/su.exec(visible(task)) ?? []
  return (
    <span class="task">
      <span class="provider">{family}</span>
      <b>{name}</b>
    </span>
  )
}

/** A short text with its label; what is written counts when the field is left. */
export const Field = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <label>
    {label} <input value={value} size={8} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  </label>
)
