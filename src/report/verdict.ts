import type { Estimate } from '../core/index.ts'

/**
 * The one place that turns a paired comparison into a verdict. Terminal, report, view and JSON show the same `text`. The direction is
 * always A - B; a difference is significant where its p, adjusted for all pairs of the run, is below 0.05.
 */

/** What a verdict is made from. */
export interface VerdictInput {
  /** Short names. */
  readonly a: string
  readonly b: string
  /** A - B, with its interval. */
  readonly difference: Pick<Estimate, 'value' | 'low' | 'high'>
  /** Adjusted for `pairs` comparisons. */
  readonly p: number
  readonly pairs: number
  /** Shared items; those that only A, and only B, has right. */
  readonly items: number
  readonly onlyA: number
  readonly onlyB: number
  /** Items that both have right. */
  readonly bothCorrect: number
  readonly groups: number
  /** Groups where A, and where B, has more right. */
  readonly groupsForA: number
  readonly groupsForB: number
  /** What a group is, in the plural: `grammars`. */
  readonly groupNoun: string
  /** Smallest difference found with power 80 %; null: not known. */
  readonly minimumDetectable: number | null
  /** Further items that would settle a difference of this size with power 80 %; null: not known. */
  readonly itemsNeeded: number | null
  /** Judged by its own p although the run has more pairs. Default: false. */
  readonly unadjusted?: boolean
  /** A judge scored, corrected by what people say of some responses or not. Absent: no judge did. */
  readonly judge?: 'corrected' | 'uncorrected'
}

export type Verdict = {
  /** `mixed`: each is better on some tasks. */
  readonly kind: 'better' | 'mixed' | 'no-difference' | 'inconclusive' | 'too-few-groups' | 'one-group' | 'tied'
  /** The better one; null: neither. */
  readonly winner: 'a' | 'b' | null
  /** The verdict, then the reason or what to do; whole sentences. */
  readonly text: string
}

const SIGNIFICANT = 0.05
/** From this many groups on, the signs of groups alone can be significant after adjustment for a few pairs. */
const ENOUGH_GROUPS = 12
/** A difference that is too small to matter, if it would have been detected. */
const SMALL = 0.05

/** The first sentence of a verdict, and what follows. */
export function inTwo(text: string): { readonly title: string; readonly detail: string } {
  const end = text.indexOf('. ') + 1
  return end === 0 ? { title: text, detail: '' } : { title: text.slice(0, end), detail: text.slice(end + 1) }
}

/** The verdict of a paired comparison. */
export function verdictOf(input: VerdictInput): Verdict {
  const found = onTheseItems(input)
  return { ...found, text: `${found.text}${judgeText(input)}` }
}

function judgeText({ judge }: VerdictInput): string {
  if (judge === undefined) return ''
  return judge === 'corrected'
    ? ' Scores by a judge, corrected by what people say of some responses.'
    : ' Scores by a judge, whose errors are not corrected: label a random sample of the responses.'
}

function onTheseItems(input: VerdictInput): Verdict {
  const { a, b, items, onlyA, onlyB, bothCorrect, groups, groupNoun, p, difference, minimumDetectable } = input
  if (onlyA + onlyB === 0 && input.judge !== 'corrected')
    return {
      kind: 'tied',
      winner: null,
      text:
        bothCorrect === items
          ? `Tied: both answer all ${count(items, 'item')} correctly. Use a harder preset.`
          : `Tied: ${a} and ${b} agree on all ${count(items, 'item')} (${bothCorrect} correct).`,
    }
  const winner = difference.value > 0 ? 'a' : 'b'
  const [better, worse] = winner === 'a' ? [a, b] : [b, a]
  if (groups === 1)
    return {
      kind: 'one-group',
      winner: null,
      text: `Inconclusive: all ${count(items, 'item')} come from one group. ${better} is ahead by ${points(input)} there, which says little about other ${groupNoun}. Add ${groupNoun}.`,
    }
  const adjusted =
    input.unadjusted === true
      ? ' (one planned comparison, not adjusted)'
      : input.pairs > 1
        ? ` (adjusted for ${input.pairs} pairs)`
        : ''
  if (p < SIGNIFICANT) {
    const gain = Math.abs(difference.value)
    const limits = winner === 'a' ? [difference.low, difference.high] : [-difference.high, -difference.low]
    const size = groups === items ? count(items, 'item') : `${count(items, 'item')} in ${groups} ${groupNoun}`
    return {
      kind: 'better',
      winner,
      text:
        `${better} is better than ${worse}: ${signed(gain)} accuracy [${limits.map(signed).join(', ')}], ${pText(p)}${adjusted}, ${size}.` +
        (groups < ENOUGH_GROUPS && groups < items ? ` ${assumption(input)}` : ''),
    }
  }
  const line = `${a} − ${b} = ${signed(difference.value)} [${signed(difference.low)}, ${signed(difference.high)}], ${pText(p)}${adjusted}`
  if (groups < ENOUGH_GROUPS && groups < items)
    return {
      kind: 'too-few-groups',
      winner: null,
      text: `Inconclusive: only ${groups} independent ${groupNoun}; ${line}. Add ${groupNoun}, not items per group.`,
    }
  if (minimumDetectable !== null && minimumDetectable <= SMALL)
    return {
      kind: 'no-difference',
      winner: null,
      text: `No significant difference: ${line}. A difference of ${minimumDetectable.toFixed(2)} would have been detected (80 % power).`,
    }
  return {
    kind: 'inconclusive',
    winner: null,
    text: `Inconclusive: ${line}.${input.itemsNeeded === null ? '' : ` About ${roundedCount(input.itemsNeeded)} more items would detect this difference (80 % power).`}`,
  }
}

/** With few groups the result depends on the model of how groups differ: states this, with the sign test. */
function assumption({ a, b, groups, groupsForA, groupsForB, groupNoun, onlyA, onlyB }: VerdictInput): string {
  const [ahead, most] = groupsForA >= groupsForB ? [a, groupsForA] : [b, groupsForB]
  const least = 2 ** (1 - groups)
  const signs =
    most === groups
      ? `All ${groups} ${groupNoun} favour ${ahead} (${pText(least)} by their signs alone, the least that ${groups} can give)`
      : `${most} of ${groups} ${groupNoun} favour ${ahead}`
  const enough = Math.ceil(1 - Math.log2(0.01))
  return (
    `This assumes that accuracy varies over ${groupNoun} like a beta distribution. ${signs}; item by item ${onlyA} to ${onlyB}.` +
    (groups < enough ? ` ${enough} ${groupNoun} would settle it without the assumption.` : '')
  )
}

const points = ({ difference }: VerdictInput): string => signed(Math.abs(difference.value))

const signed = (value: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(Math.abs(value) < 0.1 ? 3 : 2)}`

const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toPrecision(2)}`)

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Two significant digits: the number of items needed is an extrapolation. */
export const roundedCount = (n: number): string => Number(n.toPrecision(2)).toLocaleString('en-US')
