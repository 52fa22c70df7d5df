import { z } from 'zod'
import { hint, UsageError } from './errors.ts'

/**
 * Zod error map: "expected X, got Y". Issues that it does not know keep zod's own text.
 */
export const schemaErrorMap: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_union') return untagged(issue)
  const expected = expectedOf(issue)
  return expected === null ? undefined : `expected ${expected}, got ${describe(issue.input)}${nearestOf(issue)}`
}

/** A union discriminated by a key: names the allowed values of the key. */
function untagged({ discriminator, options, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>) {
  if (typeof discriminator !== 'string' || !Array.isArray(options)) return undefined
  const value: unknown = (input as { readonly [key: string]: unknown })[discriminator]
  const names = options.map(String)
  const near = typeof value === 'string' ? hint(value, names) : ''
  return `expected ${names.length === 1 ? '' : 'one of '}${names.join(', ')}, got ${describe(value)}${near}`
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

/** The allowed value that may have been meant. */
const nearestOf = (issue: z.core.$ZodRawIssue): string =>
  issue.code === 'invalid_value' && typeof issue.input === 'string' ? hint(issue.input, issue.values.map(String)) : ''

const shown = (value: unknown): string => (typeof value === 'string' ? value : String(value))

/** Longest value shown in a message, in characters. */
const MAX_LENGTH = 80

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : written(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** JSON.stringify fails for very deeply nested values. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return Array.isArray(value) ? 'a list that cannot be written' : 'a value that cannot be written'
  }
}

/** Path to a part of a value: keys and list positions. */
export type SchemaPath = readonly (string | number)[]

/**
 * Parses a value with a schema.
 *
 * @param place - prefix of a message about a part, such as its line in a file.
 * @throws UsageError with path, expected and given value and, for an unknown key, the nearest known key.
 */
export function parseWithSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: (path: SchemaPath) => string,
): z.infer<Schema> {
  const result = schema.safeParse(value, { error: schemaErrorMap })
  if (result.success) return result.data
  throw new UsageError(schemaErrors(result.error, schema, place).join('\n'))
}

/**
 * One message per issue of a value that was parsed with {@link schemaErrorMap}.
 *
 * @param schema - used to list the known keys beside an unknown one.
 */
export const schemaErrors = (
  { issues }: z.core.$ZodError,
  schema: z.ZodType,
  place: (path: SchemaPath) => string = () => '',
): readonly string[] => [...new Set(issues.flatMap((issue) => explainIssue(issue, [], schema, place)))]

function explainIssue(
  issue: z.core.$ZodIssue,
  before: SchemaPath,
  root: z.ZodType,
  place: (path: SchemaPath) => string,
): string[] {
  const path: SchemaPath = [...before, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return explainUnion(issue.errors, path, root, place)
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(root, path)
    return issue.keys.map((key) => {
      const where = path.length === 0 ? '' : `${path.join('.')}: `
      return `${place([...path, key])}${where}${known.includes(key) ? `"${key}" does not go with the other keys` : `unknown key "${key}"${hint(key, known)}`}${known.length === 0 ? '' : `; keys here: ${known.join(', ')}`}`
    })
  }
  return [`${place(path)}${path.length === 0 ? '' : `${path.join('.')}: `}${issue.message}`]
}

type Branch = readonly z.core.$ZodIssue[]

/** An undiscriminated union: reports the issues of the option whose kind and keys fit the value, if one does. */
function explainUnion(
  branches: readonly Branch[],
  path: SchemaPath,
  root: z.ZodType,
  place: (path: SchemaPath) => string,
): string[] {
  const unknown = (branch: Branch) => branch.find((issue) => issue.code === 'unrecognized_keys')
  const ofKind = branches.filter((branch) =>
    branch.every((issue) => issue.path.length > 0 || issue === unknown(branch)),
  )
  const meant = ofKind.filter((branch) => unknown(branch) === undefined)
  const [only, ...others] = meant
  if (only !== undefined && others.length === 0) return only.flatMap((issue) => explainIssue(issue, path, root, place))
  if (only !== undefined) {
    const each = meant.map((branch) => branch.flatMap((issue) => explainIssue(issue, path, root, () => '')).join(', '))
    return [`${place(path)}${[...new Set(each)].join('; or ')}`]
  }
  // An unknown key is the likeliest mistake: report it with the keys of all options.
  const slip = branches.map(unknown).find((issue) => issue !== undefined)
  if (slip !== undefined) return explainIssue(slip, path, root, place)
  const where = path.length === 0 ? '' : `${path.join('.')}: `
  return [`${place(path)}${where}${joined(branches.flatMap((branch) => branch.map(({ message }) => message)))}`]
}

/** Joins "expected A, got X" and "expected B, got X" into "expected A or B, got X". */
function joined(messages: readonly string[]): string {
  const parts = messages.map((message) => /^expected (?<expected>.+), got (?<got>.+)$/su.exec(message)?.groups)
  const [first] = parts
  if (first === undefined || parts.includes(undefined)) return [...new Set(messages)].join('; or ')
  const expected = new Set(parts.map((one) => one?.['expected']))
  // A hint follows the given value.
  const got = parts.map((one) => one?.['got'] ?? '').toSorted((a, b) => b.length - a.length)[0]
  return `expected ${[...expected].join(' or ')}, got ${got}`
}

/** The keys that an object at this path may have. */
function keysAt(schema: z.ZodType, path: SchemaPath): readonly string[] {
  const options = inside(schema)
  const [head, ...rest] = path
  if (head === undefined) return options.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []))
  return options.flatMap((one) => {
    if (one instanceof z.ZodObject) {
      const shape: { readonly [key: string]: z.ZodType } = one.shape
      const next = shape[String(head)]
      return next === undefined ? [] : keysAt(next, rest)
    }
    return one instanceof z.ZodArray ? keysAt(one.element as z.ZodType, rest) : []
  })
}

/** The schemas below defaults, optionals, pipes and unions. */
function inside(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodPipe) return inside(schema.out as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inside(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => inside(one as z.ZodType))
  return [schema]
}
