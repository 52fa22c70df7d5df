import type { z } from 'zod'
import { hint } from './errors.ts'

/**
 * What a schema says of a value that does not fit, in words: what was expected and what came. Everything else stays as the
 * schema says it.
 */
export const schemaErrorMap: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_union') return untagged(issue)
  const expected = expectedOf(issue)
  return expected === null ? undefined : `expected ${expected}, came ${cameInWords(issue.input)}${nearestOf(issue)}`
}

/** Of forms that are told apart by a key: what stands there. */
function untagged({ discriminator, options, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>) {
  if (typeof discriminator !== 'string' || !Array.isArray(options)) return undefined
  const value: unknown = (input as { readonly [key: string]: unknown })[discriminator]
  const names = options.map(String)
  const near = typeof value === 'string' ? hint(value, names) : ''
  return `expected ${names.length === 1 ? '' : 'one of '}${names.join(', ')}, came ${cameInWords(value)}${near}`
}

const KINDS: { readonly [kind: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'null',
}

function expectedOf(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? null
  if (issue.code === 'invalid_value')
    return `${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(shown).join(', ')}`
  if (typeof issue.input === 'string' && issue.input === '' && issue.code === 'too_small')
    return 'a text that is not empty'
  if (Array.isArray(issue.input) && issue.input.length === 0 && issue.code === 'too_small')
    return 'a list that is not empty'
  if (typeof issue.input === 'string' && issue.code === 'too_big')
    return `a text of at most ${issue.maximum} characters`
  if (typeof issue.input !== 'number') return null
  if (issue.code === 'too_small') return `a number ${issue.inclusive ? 'of at least' : 'above'} ${issue.minimum}`
  if (issue.code === 'too_big') return `a number ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`
  return null
}

/** Where one of several texts was expected, the one that may have been meant. */
const nearestOf = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'invalid_value' && typeof issue.input === 'string' ? hint(issue.input, issue.values.map(String)) : ''

const shown = (value: unknown): string => (typeof value === 'string' ? value : String(value))

/** Characters of a value in a message. */
const LONGEST = 80

function cameInWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : written(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** A file may hold a value that is nested deeper than can be written. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return Array.isArray(value) ? 'a list that cannot be written' : 'a value that cannot be written'
  }
}
