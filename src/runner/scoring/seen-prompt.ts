import { z } from 'zod'
import type { Json, Message, Request } from '../../core/index.ts'
import { isObject } from '../../core/index.ts'

/** What an item of a group asks. */
interface Question {
  readonly shared: Json
  readonly given: Json
}

/**
 * A prompt as an imported response keeps it: its texts in pieces, of which those that stand in the group or in the item, such as
 * a grammar, are named and not repeated.
 */
const stored = z.looseObject({
  prompt: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.union([
          z.string(),
          z.array(z.union([z.string(), z.object({ shared: z.string() }), z.object({ given: z.string() })])),
        ]),
      }),
    )
    .min(1),
})

/** Shorter texts are repeated. */
const MIN_NAMED = 40

/** The raw body that keeps the prompt of an imported response. */
export function storedPrompt(prompt: readonly Message[], question: Question): string {
  const long = (['shared', 'given'] as const).flatMap((part) => {
    const fields = question[part]
    if (!isObject(fields)) return []
    return Object.entries(fields).flatMap(([name, text]) =>
      typeof text === 'string' && text.length >= MIN_NAMED ? [{ text, name: { [part]: name } }] : [],
    )
  })
  const pieces = (content: string): string | Json[] => {
    const found = long.find(({ text }) => content.includes(text))
    if (found === undefined) return content
    const at = content.indexOf(found.text)
    return [content.slice(0, at), found.name, pieces(content.slice(at + found.text.length))].flat()
  }
  return JSON.stringify({ prompt: prompt.map(({ role, content }) => ({ role, content: pieces(content) })) })
}

/** The prompt in a raw body; null: it holds none. */
export function seenPrompt(raw: string, question: Question): Request | null {
  const named = (part: Json, name: string): string => String((part as { readonly [name: string]: Json })[name])
  try {
    const { prompt } = stored.parse(JSON.parse(raw))
    const messages = prompt.map(({ role, content }) => ({
      role,
      content: [content]
        .flat()
        .map((piece) => {
          if (typeof piece === 'string') return piece
          return 'shared' in piece ? named(question.shared, piece.shared) : named(question.given, piece.given)
        })
        .join(''),
    }))
    return { kind: 'chat', messages }
  } catch {
    return null
  }
}
