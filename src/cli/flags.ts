import { parseArgs } from 'node:util'
import { z } from 'zod'
import { hint, UsageError } from '../core/errors.ts'
import { schemaErrorMap } from '../core/schema-errors.ts'

/** A flag of a command, derived from a key of its schema. */
export interface Flag {
  readonly key: string
  /** As typed, without dashes. */
  readonly name: string
  readonly kind: 'switch' | 'value' | 'list'
  readonly placeholder: string
  readonly description: string
  readonly example: string
  /** On by default; typed as `--no-NAME`. */
  readonly negated: boolean
  readonly required: boolean
  /** The type of one value. */
  readonly type: z.ZodType
}

/** The flags of a command; `meta` of their schemas says what help shows. */
export type FlagSchema = z.ZodObject

const kebab = (key: string): string => key.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

export const flagsOf = (schema: FlagSchema): readonly Flag[] =>
  Object.entries(schema.shape).map(([key, outer]) => {
    const { inner, required } = unwrap(outer as z.ZodType)
    const facts = metaOf(outer as z.ZodType)
    const list = inner instanceof z.ZodArray || inner instanceof z.ZodTuple
    return {
      key,
      name: String(facts['flag'] ?? kebab(key)),
      kind: inner instanceof z.ZodBoolean ? 'switch' : list ? 'list' : 'value',
      placeholder: String(facts['placeholder'] ?? ''),
      description: String(facts['description'] ?? ''),
      example: String(facts['example'] ?? ''),
      negated: facts['negated'] === true,
      required,
      type: inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner,
    }
  })

type Facts = { readonly [fact: string]: unknown }

/** What `meta` says of a schema or of what it wraps, the outermost first. */
export function metaOf(schema: z.ZodType): Facts {
  const own = schema.meta() ?? {}
  const below = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly
  return below ? { ...metaOf(schema.unwrap() as z.ZodType), ...own } : own
}

function unwrap(schema: z.ZodType): { readonly inner: z.ZodType; readonly required: boolean } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return { inner: unwrap(schema.unwrap() as z.ZodType).inner, required: false }
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodNullable) return unwrap(schema.unwrap() as z.ZodType)
  // A value that is read from text, such as a shard I/N.
  if (schema instanceof z.ZodPipe) return { inner: schema.in as z.ZodType, required: true }
  return { inner: schema, required: true }
}

/** As a flag is typed. */
export const typed = ({ name, negated }: Flag): string => `--${negated ? 'no-' : ''}${name}`

export interface Parsed {
  readonly flags: { readonly [key: string]: unknown }
  readonly args: readonly string[]
}

/**
 * Flags and arguments of a command line.
 *
 * @throws UsageError with the flag, what was expected, what it got, and an example.
 */
export function parseCommandLine(schema: FlagSchema, line: readonly string[]): Parsed {
  const flags = flagsOf(schema)
  const options = Object.fromEntries(
    flags.map(({ name, kind }) => [name, { type: kind === 'switch' ? ('boolean' as const) : ('string' as const) }]),
  )
  const { tokens } = parseArgs({ args: [...line], options, strict: false, tokens: true, allowPositionals: true })
  const values: { [key: string]: unknown } = {}
  const args: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const off = token.name.startsWith('no-') ? token.name.slice(3) : null
    const flag =
      flags.find(({ name }) => name === token.name) ?? flags.find(({ name, kind }) => name === off && kind === 'switch')
    if (flag === undefined || !token.rawName.startsWith('--'))
      throw new UsageError(
        `unknown option ${token.rawName}${hint(token.rawName, flags.map(typed))}. List the options: --help-all`,
      )
    const value = readToken(flag, token, off === flag.name)
    if (flag.kind === 'list') values[flag.key] = [...((values[flag.key] as unknown[] | undefined) ?? []), value]
    else if (values[flag.key] === undefined) values[flag.key] = value
    else throw new UsageError(`${typed(flag)}: expected one value, got several. Give it once`)
  }
  return { flags: checked(schema, flags, values), args }
}

interface Token {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function readToken(flag: Flag, { rawName, value, inlineValue }: Token, off: boolean): unknown {
  if (flag.kind === 'switch') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got "${value}"`)
    return !off
  }
  if (value === undefined || (inlineValue !== true && /^--[a-z]/u.test(value)))
    throw new UsageError(`missing value: ${rawName} ${flag.placeholder}${exampleOf(flag)}`)
  return flag.type instanceof z.ZodNumber ? numberOf(flag, value) : value
}

const exampleOf = (flag: Flag): string => (flag.example === '' ? '' : `. Example: ${typed(flag)} ${flag.example}`)

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu
/** Characters of a value in a message. */
const MAX_SHOWN = 40

function numberOf(flag: Flag, text: string): number {
  const number = PLAIN.test(text.trim()) ? Number(text) : Number.NaN
  if (Number.isFinite(number) && flag.type.safeParse(number).success) return number
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
  const got = text.trim() === '' ? 'nothing' : Number.isNaN(number) ? `"${shown}"` : shown
  throw new UsageError(
    `${typed(flag)}: expected ${describeNumber(flag.type as z.ZodNumber)}, got ${got}${exampleOf(flag)}`,
  )
}

/** The range of a number, e.g. `a whole number from 0 to 65535`. */
export function describeNumber(type: z.ZodNumber): string {
  const { type: kind, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = z.toJSONSchema(type)
  const number = kind === 'integer' ? 'a whole number' : 'a number'
  const highest = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum
  if (minimum !== undefined && highest !== null) return `${number} from ${minimum} to ${highest}`
  const low = exclusiveMinimum === undefined ? `of at least ${minimum}` : `above ${exclusiveMinimum}`
  return `${number} ${low}${exclusiveMaximum === undefined ? '' : ` and below ${exclusiveMaximum}`}`
}

/** The values as their schemas read them, with defaults. @throws UsageError for the first that does not fit. */
function checked(schema: FlagSchema, flags: readonly Flag[], values: Parsed['flags']): Parsed['flags'] {
  const missing = flags.find(({ key, required, kind }) => required && kind !== 'switch' && values[key] === undefined)
  if (missing !== undefined)
    throw new UsageError(`missing ${typed(missing)} ${missing.placeholder}${exampleOf(missing)}`)
  const result = schema.safeParse(values, { error: schemaErrorMap })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const flag = flags.find(({ key }) => key === issue?.path[0])
  const message = issue?.message ?? 'unexpected value'
  throw new UsageError(flag === undefined ? message : `${typed(flag)}: ${message}${exampleOf(flag)}`)
}
