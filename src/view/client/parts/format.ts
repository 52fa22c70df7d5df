import type { Json } from '../../../core/index.ts'
import { splitCamelCase } from '../../../core/split-camel-case.ts'
import { points, trueMinus, UNSEEN } from '../../../core/text.ts'
import { type RunSummary, type ShownEstimate, valueWords } from '../../api/index.ts'

export { dateWords } from '../../api/index.ts'
export { points }

/** A share to three digits, as the report shows it on its page. */
export const formatShare = (value: number): string => trueMinus(value.toFixed(3))

/** `0.5 [0.4, 0.6], n = 100` */
export const intervalWords = (
  { value, low, high, n }: Omit<ShownEstimate, 'method'>,
  words: (value: number) => string = formatShare,
): string => `${words(value)} [${words(low)}, ${words(high)}], n = ${formatInteger(n)}`

export const formatP = (p: number | null): string =>
  p === null ? 'p unknown' : `p ${p < 0.001 ? '' : '= '}${pValue(p)}`

/** A p value: two significant digits, no leading zero before them. */
export const pValue = (p: number | null): string =>
  p === null ? '–' : p < 0.001 ? '< .001' : p >= 0.995 ? '1' : p.toFixed(p < 0.1 ? 3 : 2).replace(/^0/u, '')

/** A share in per cent, without the sign. */
export const percent = (share: number, digits = 0): string => rounded(100 * share, digits)

/** A number with fixed digits and a true minus sign; rounded to 0 it has no sign. */
export function rounded(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** A difference: as {@link rounded}, with a plus sign where it is more than 0. */
export function signed(value: number, digits: number): string {
  const text = rounded(value, digits)
  return value > 0 && Number(text) !== 0 ? `+${text}` : text
}

/** A whole number with thin spaces between thousands. */
export const formatInteger = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/gu, '\u202F')

/** A reason of a set, whose words are part of a hash and put every count before a plural. */
export const reasonWords = (reason: string): string => reason.replaceAll(/\b1 strings\b/gu, '1 string')

export const capitalized = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatInteger(count)} ${count === 1 ? one : many}`

/** How much of something a response took, named by a plural: `1 output token`. */
export const countWords = (name: string, value: Json | undefined): string =>
  typeof value === 'number' && Number.isInteger(value)
    ? plural(value, name.replace(/s$/u, ''), name)
    : `${formatValue(value, 20)} ${name}`

/** Any value in one line. */
export function formatValue(value: Json | undefined, most = 80): string {
  const text = valueWords(value)
  return visible(text.length > most ? `${text.slice(0, most - 1)}…` : text)
}

/** A prediction or target in a table cell, as its item's page has it. */
export const answerWords = (answer: string): string =>
  answer === 'true' ? 'Yes' : answer === 'false' ? 'No' : formatValue(answer, 60)

/** Text for a page: control and direction characters become visible signs; line breaks and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `\u2039U+${code.toString(16).toUpperCase().padStart(4, '0')}\u203A`
  })

/** Name of a feature as words: `query word` for `queryWord`. */
export const featureName = (name: string): string => splitCamelCase(visible(name)).slice(0, 60)

/** One word of a command line that is shown to be copied, whatever a run or a model is called. */
export const shellWord = (text: string): string =>
  /^[\w.=:,/-]+$/u.test(text) ? text : `'${visible(text).replaceAll("'", String.raw`'\''`)}'`

/** A p value near 0 as 1.2e−7, with a true minus; the smallest number stands for less. */
export const small = (value: number): string =>
  value === 0 ? `<${trueMinus('1e-300')}` : trueMinus(value.toExponential(1))

/** A size without an upper end, to three digits at least. */
export const formatNumber = (value: number): string =>
  trueMinus(Math.abs(value) >= 100 ? formatInteger(Math.round(value)) : String(Number(value.toPrecision(3))))

export const secondsWords = (seconds: number): string =>
  `${seconds >= 10 ? formatInteger(Math.round(seconds)) : seconds.toFixed(1)} s`

type Spending = Pick<RunSummary, 'usd' | 'limit'>

/** What a run has spent, and of how much; null where it costs nothing. */
export function spentWords({ usd, limit }: Spending, underWay: boolean): string | null {
  if (usd === 0 && limit === null) return null
  // A limit of cents is spent in parts of them.
  const dollars = (amount: number): string => `$${amount.toFixed(limit !== null && limit < 1 ? 4 : 2)}`
  const most = underWay && usd > 0 ? ', calls in flight at their maximum' : ''
  return `${dollars(usd)}${limit === null ? '' : ` of ${dollars(limit)}`}${most}`
}

/** Share of the cost limit below which no call may be sent. */
const NEARLY = 0.1

/** How to continue an interrupted run; with its cost limit nearly reached it would send no call. */
export function goOnWords({ usd, limit, path }: Spending & Pick<RunSummary, 'path'>): string {
  const resume = `touchstone resume ${shellWord(path)}`
  return limit !== null && limit - usd < NEARLY * limit
    ? `the cost limit is nearly reached: ${resume} --max-usd MORE`
    : `no process works on it: ${resume}`
}

/** The part of a prediction that the target has too; a parser may keep more, for analyses. */
export function besideTruth(answer: Json, truth: Json): Json {
  if (!isRecord(answer) || !isRecord(truth)) return answer
  const same = Object.entries(answer).filter(([name]) => Object.hasOwn(truth, name))
  return same.length === 0 ? answer : Object.fromEntries(same)
}

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
