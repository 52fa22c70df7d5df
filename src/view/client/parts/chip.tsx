import { formatInteger } from './format.ts'

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

/** How many responses had a trouble; linked to them. Nothing where none had. */
export function Trouble({
  outcome,
  count,
  of,
  href,
}: {
  readonly outcome: (typeof TROUBLE)[number]
  readonly count: number
  readonly of: number
  readonly href: string | null
}) {
  if (count === 0) return null
  const { icon, word, tint } = OUTCOMES[outcome]
  const kind = outcome === 'failed' ? 'bad' : count >= MUCH * of ? tint : ''
  const inside = (
    <>
      {kind === '' ? null : <span aria-hidden="true">{icon} </span>}
      {formatInteger(count)} {word}
    </>
  )
  return href === null ? (
    <span class={`chip ${kind}`}>{inside}</span>
  ) : (
    <a class={`chip ${kind}`} href={href}>
      {inside}
    </a>
  )
}

/** An outcome: icon, and its word or what it is of. */
export const Outcome = ({ outcome, children }: { readonly outcome: OutcomeName; readonly children?: string }) => (
  <span class={`chip ${OUTCOMES[outcome].tint}`}>
    <span aria-hidden="true">{OUTCOMES[outcome].icon}</span> {children ?? OUTCOMES[outcome].word}
    {children === undefined ? null : <span class="hidden"> {OUTCOMES[outcome].word}</span>}
  </span>
)
