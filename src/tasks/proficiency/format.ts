import { z } from 'zod'
import { type JsonObject, UsageError } from '../../core/index.ts'

/** How strings are written for a model; recorded with the group, so that a run says what was scored. */
export const formatSchema = z
  .strictObject({
    separator: z.string().max(8).default('').describe('between two tokens of a string'),
    terminator: z.string().min(1).max(8).default('\n').describe('after every string'),
    opening: z.string().max(8).default('\n').describe('before the first string'),
    instruction: z.string().max(4000).default('').describe('before the opening'),
    scoreEnd: z
      .boolean()
      .default(true)
      .describe('score the terminator too; without it a deletion at the end cannot be seen'),
    alignment: z
      .enum(['report', 'require'])
      .default('report')
      .describe('what to do where a token of the model spans two terminals: count it, or fail the cell'),
  })
  .prefault({})

export interface Format extends JsonObject {
  readonly separator: string
  readonly terminator: string
  readonly opening: string
  readonly instruction: string
  readonly scoreEnd: boolean
  readonly alignment: 'report' | 'require'
}

/** A string as written: tokens joined. Strings are stored as tokens joined by single spaces. */
export const written = (text: string, separator: string): string => text.split(' ').join(separator)

/** @throws UsageError where strings so written could not be read back. */
export function checkFormat(format: Format, alphabet: readonly string[], language: string): void {
  const { separator, terminator } = format
  for (const token of alphabet)
    if (token.includes(terminator) || (separator !== '' && token.includes(separator)))
      throw new UsageError(
        `language ${language}: token ${JSON.stringify(token)} contains the separator or the terminator; choose another`,
      )
  if (separator !== '') return
  for (const a of alphabet)
    for (const b of alphabet)
      if (a !== b && b.startsWith(a))
        throw new UsageError(
          `language ${language}: without a separator token ${JSON.stringify(a)} cannot be told from the beginning of ${JSON.stringify(b)}; set format.separator to " "`,
        )
}

/**
 * Start of each token's stretch of `text` (what stands between two tokens belongs to the one after it) and of the
 * terminator's; null where `text` is not the string. Between all tokens stands a separator of one length, or a space before
 * every `group`-th token.
 */
export function stretches(text: string, tokens: readonly string[], terminator: string, group: number): number[] | null {
  const tail = text.endsWith(terminator) ? terminator.length : 0
  const body = text.length - tail
  const gap = gapsOf(body - tokens.reduce((sum, token) => sum + token.length, 0), tokens.length, group)
  if (gap === null) return null
  const starts: number[] = []
  let at = 0
  for (const [i, token] of tokens.entries()) {
    const from = at + (i === 0 ? 0 : gap(i))
    if (!text.startsWith(token, from)) return null
    starts.push(at)
    at = from + token.length
  }
  if (at !== body) return null
  if (tail > 0) starts.push(body)
  return starts
}

/** What stands before token i > 0, by how much there is in all. */
function gapsOf(spare: number, count: number, group: number): ((i: number) => number) | null {
  const each = count > 1 ? spare / (count - 1) : 0
  if (Number.isInteger(each) && each >= 0) return () => each
  return spare === Math.ceil(count / group) - 1 ? (i) => (i % group === 0 ? 1 : 0) : null
}
