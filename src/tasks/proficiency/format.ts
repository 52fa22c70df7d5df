import { z } from 'zod'
import { type JsonObject, UsageError } from '../../core/index.ts'

/** How strings are written for a model; recorded with the group, so that a run states what was scored. */
export const formatSchema = z
  .strictObject({
    separator: z.string().max(8).default('').describe('between two tokens of a string'),
    terminator: z.string().min(1).max(8).default('\n').describe('after every string'),
    opening: z.string().max(8).default('\n').describe('before the first string'),
    instruction: z.string().max(4000).default('').describe('before the opening'),
    scoreEnd: z.boolean().default(true).describe('score the terminator too (needed to detect a deletion at the end)'),
    alignment: z
      .enum(['report', 'require'])
      .default('report')
      .describe('when a token of the model spans two terminals: count it, or fail the call'),
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
export const joinTokens = (text: string, separator: string): string => text.split(' ').join(separator)

/** @throws UsageError where strings written like this could not be read back. */
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
          `language ${language}: without a separator token ${JSON.stringify(a)} is a prefix of ${JSON.stringify(b)}; set format.separator to " "`,
        )
}
