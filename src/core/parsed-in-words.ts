import { z } from 'zod'
import { hint, UsageError } from './errors.ts'
import { misfitInWords } from './misfit.ts'

/** The way to a part of a value: keys and places in lists. */
export type SchemaPath = readonly (string | number)[]

/**
 * A value as a schema reads it.
 *
 * @param place - what stands before a message about a part, such as the line of a file.
 * @throws UsageError that names path, what was expected and what came and, for an unknown key, the nearest known one.
 */
export function parsedInWords<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: (path: SchemaPath) => string,
): z.infer<Schema> {
  const result = schema.safeParse(value, { error: misfitInWords })
  if (result.success) return result.data
  const messages = result.error.issues.flatMap((issue) => explainIssue(issue, [], schema, place))
  throw new UsageError([...new Set(messages)].join('\n'))
}

function explainIssue(
  issue: z.core.$ZodIssue,
  before: SchemaPath,
  root: z.ZodType,
  place: (path: SchemaPath) => string,
): string[] {
  const path: SchemaPath = [...before, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'invalid_union') {
    const branches = issue.errors
    // An unknown key is the likeliest slip; the branches' keys are told together.
    const unknown = branches.flat().find((one) => one.code === 'unrecognized_keys')
    if (unknown !== undefined) return explainIssue(unknown, path, root, place)
    return [
      `${place(path)}${path.join('.')}: ${branches.map((branch) => branch.map((one) => one.message).join(', ')).join('; or ')}`,
    ]
  }
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(root, path)
    return issue.keys.map((key) => {
      const where = path.length === 0 ? '' : `${path.join('.')}: `
      return `${place([...path, key])}${where}unknown key "${key}"${hint(key, known)}; keys here: ${known.join(', ')}`
    })
  }
  return [`${place(path)}${path.length === 0 ? '' : `${path.join('.')}: `}${issue.message}`]
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
