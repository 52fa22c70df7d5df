import { UsageError } from '../core/errors.ts'

/** What the value of a flag may be; both ends are told when something else comes. */
interface Numbers {
  readonly whole: boolean
  readonly low: { readonly from: number } | { readonly above: number }
  readonly high: { readonly to: number } | { readonly below: number } | null
  /** A value that fits, for whoever does not know what to give instead. */
  readonly example: number
}

/** Reads one number of the command line. @throws UsageError that says what was expected, what came and what would do. */
export interface NumberParser {
  (input: string): number
  /** What it takes, for help and tests. */
  readonly numbers: Numbers
}

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu

function parserOf(numbers: Numbers): NumberParser {
  const parse = (input: string): number => {
    const value = PLAIN.test(input.trim()) ? Number(input) : null
    if (value !== null && Number.isFinite(value) && fits(value, numbers)) return value
    throw new UsageError(`expected ${inWords(numbers)}, came ${told(input)}; give, for example, ${numbers.example}`)
  }
  return Object.freeze(Object.assign(parse, { numbers: Object.freeze(numbers) }))
}

function fits(value: number, { whole, low, high }: Numbers): boolean {
  if (whole && !Number.isSafeInteger(value)) return false
  if (!('from' in low ? value >= low.from : value > low.above)) return false
  return high === null || ('to' in high ? value <= high.to : value < high.below)
}

function inWords({ whole, low, high }: Numbers): string {
  const kind = `a ${whole ? 'whole ' : ''}number`
  if ('from' in low && high !== null && 'to' in high) return `${kind} from ${low.from} to ${high.to}`
  const least = 'from' in low ? `of at least ${low.from}` : `above ${low.above}`
  const most = high === null ? [] : ['to' in high ? `at most ${high.to}` : `below ${high.below}`]
  return `${kind} ${[least, ...most].join(' and ')}`
}

const MAX_LENGTH = 40
const told = (input: string): string => {
  if (input.trim() === '') return 'nothing'
  const shown = input.length > MAX_LENGTH ? `${input.slice(0, MAX_LENGTH)}...` : input
  return PLAIN.test(input.trim()) ? shown : `"${shown}"`
}

/** A number of things: none makes no sense. */
export const countOf = (example: number, most?: number): NumberParser =>
  parserOf({ whole: true, low: { from: 1 }, high: most === undefined ? null : { to: most }, example })

/** A whole number that may be 0: an index, retries, threads. */
export const wholeFrom0 = (example: number, most?: number): NumberParser =>
  parserOf({ whole: true, low: { from: 0 }, high: most === undefined ? null : { to: most }, example })

/** Seconds, dollars: any amount above 0. */
export const amount = (example: number): NumberParser =>
  parserOf({ whole: false, low: { above: 0 }, high: null, example })

/** Any number from one to another, ends included. */
export const between = (from: number, to: number, example: number): NumberParser =>
  parserOf({ whole: false, low: { from }, high: { to }, example })

/** A chance or a share that is neither 0 nor all of it. */
export const inside = (above: number, below: number, example: number): NumberParser =>
  parserOf({ whole: false, low: { above }, high: { below }, example })

export const port = (example: number): NumberParser => wholeFrom0(example, 65_535)
/** 0: one a core. */
export const threadCount = wholeFrom0(2, 1024)
/** Most calls at once to one provider. */
export const MAX_CALLS = 10_000

/** A flag with a number that may be left out. */
export const numberFlag = (parse: NumberParser, brief: string) =>
  ({ kind: 'parsed', parse, optional: true, brief }) as const
