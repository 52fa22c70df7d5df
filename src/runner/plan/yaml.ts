import { type Document, Lexer, LineCounter, parseDocument } from 'yaml'
import { UsageError } from '../../core/index.ts'

/** Limits of a YAML text that no config comes near: characters, nesting, uses of aliases. */
const MAX_CHARACTERS = 1_000_000
const DEEPEST = 64
const MAX_ALIASES = 100

export interface Yaml {
  readonly value: unknown
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

/**
 * Reads YAML (or JSON) that may be hostile, in bounded time and memory.
 * @param name - of the file, for messages.
 * @throws UsageError that says what is wrong with it, and where.
 */
export function readYaml(text: string, name: string): Yaml {
  if (text.length > MAX_CHARACTERS)
    throw new UsageError(`${name} has ${text.length} characters; a config has at most ${MAX_CHARACTERS}`)
  if (nestsTooDeep(text)) throw tooDeep(name)
  const lines = new LineCounter()
  try {
    // A config is what JSON can say: binary data, sets and the like are no values of it.
    const options = { lineCounter: lines, uniqueKeys: true, strict: true, resolveKnownTags: false }
    const document = parseDocument(text, options)
    const first = document.errors[0] ?? document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
    if (first !== undefined)
      throw /call stack/u.test(first.message) ? tooDeep(name) : new UsageError(`${name}: ${first.message}`)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (depth(value) > DEEPEST) throw tooDeep(name)
    return { value, document, lines }
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(name)
    if (error instanceof ReferenceError)
      throw new UsageError(
        `${name} is not usable: its aliases (*name) expand too far or are undefined. Write the values out`,
      )
    throw error
  }
}

const tooDeep = (name: string): UsageError =>
  new UsageError(`${name} is nested too deep: expected at most ${DEEPEST} levels`)

/** Are too many brackets open at once? Checked before parsing, whose time grows with the square of their number. */
function nestsTooDeep(text: string): boolean {
  let open = 0
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') open++
    else if (token === ']' || token === '}') open--
    if (open > DEEPEST) return true
  }
  return false
}

/** Levels of nesting, counted up to one beyond the deepest allowed. */
function depth(value: unknown, above = 0): number {
  if (typeof value !== 'object' || value === null || above > DEEPEST) return above
  let deepest = above + 1
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depth(inner, above + 1))
  return deepest
}
