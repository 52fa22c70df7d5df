import { z } from 'zod'
import { hint, UsageError } from './errors.ts'
import { schemaErrorMap } from './schema-errors.ts'

/** The way to a part of a value: keys and places in lists. */
export type SchemaPath = readonly (string | number)[]

/**
 * A value as a schema reads it.
 *
 * @param place - what stands before a message about a part, such as the line of a file.
 * @throws UsageError that names path, what was expected and what came and, for an unknown key, the nearest known one.
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
 * What a schema says against a value, a message each; the value was read with {@link schemaErrorMap}.
 *
 * @param schema - where keys that are unknown are to be told with those that there are.
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
      return `${place([...path, key])}${where}${known.includes(key) ? `"${key}" does not go with the other keys` : `unknown key "${key}"${hint(key, known)}`}; keys here: ${known.join(', ')}`
    })
  }
  return [`${place(path)}${path.length === 0 ? '' : `${path.join('.')}: `}${issue.message}`]
}

type Branch = readonly z.core.$ZodIssue[]

/** What none of several forms takes: told of the form that was meant, where the value has its kind and its keys. */
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
  // An unknown key is the likeliest slip; the forms' keys are told together.
  const slip = branches.map(unknown).find((issue) => issue !== undefined)
  if (slip !== undefined) return explainIssue(slip, path, root, place)
  const where = path.length === 0 ? '' : `${path.join('.')}: `
  return [`${place(path)}${where}${joined(branches.flatMap((branch) => branch.map(({ message }) => message)))}`]
}

/** What each form expected, and once what came. */
function joined(messages: readonly string[]): string {
  const told = messages.map((message) => /^expected (?<expected>.+), came (?<came>.+)$/su.exec(message)?.groups)
  const [first] = told
  if (first === undefined || told.includes(undefined)) return [...new Set(messages)].join('; or ')
  const expected = new Set(told.map((one) => one?.['expected']))
  // A hint stands behind what came.
  const came = told.map((one) => one?.['came'] ?? '').toSorted((a, b) => b.length - a.length)[0]
  return `expected ${[...expected].join(' or ')}, came ${came}`
}

/** The keys a mapping at this path may have. */
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

/** What a schema is under its defaults, options, preprocessing and unions. */
function inside(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodPipe) return inside(schema.out as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inside(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => inside(one as z.ZodType))
  return [schema]
}
