import { z } from 'zod'
import { isObject, type Json, type Message, type Request } from '../../core/index.ts'

/** A field of the group or of the item. */
const place = z.tuple([z.enum(['shared', 'given']), z.string()])
type Question = { readonly [part in 'shared' | 'given']: Json }

/** Texts in pieces, of which those that stand in the group or in the item, such as a grammar, are named and not repeated. */
const kept = z.looseObject({
  prompt: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.union([z.string(), z.array(z.union([z.string(), place]))]),
      }),
    )
    .min(1),
})

/** Shorter texts are repeated. */
const MIN_NAMED = 40

/** The raw body that keeps the prompt of an imported response; null: its source does not say it. */
export function storedPrompt(prompt: readonly Message[] | undefined, question: Question): string | null {
  if (prompt === undefined) return null
  const long = (['shared', 'given'] as const).flatMap((part) =>
    Object.entries(isObject(question[part]) ? question[part] : {})
      .filter(([, text]) => typeof text === 'string' && text.length >= MIN_NAMED)
      .map(([name, text]) => ({ text: text as string, name: [part, name] as const })),
  )
  const pieces = (content: string): readonly (string | readonly [string, string])[] => {
    const found = long.find(({ text }) => content.includes(text))
    if (found === undefined) return [content]
    const at = content.indexOf(found.text)
    return [content.slice(0, at), found.name, ...pieces(content.slice(at + found.text.length))]
  }
  const messages = prompt.map(({ role, content }) => {
    const parts = pieces(content)
    return { role, content: parts.length === 1 ? content : parts }
  })
  return JSON.stringify({ prompt: messages })
}

/** The prompt in a raw body; null: it holds none. */
export function seenPrompt(raw: string, question: Question): Request | null {
  const textOf = (piece: string | z.infer<typeof place>): string =>
    typeof piece === 'string' ? piece : String((question[piece[0]] as { readonly [name: string]: Json })[piece[1]])
  try {
    const { prompt } = kept.parse(JSON.parse(raw))
    const messages = prompt.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(textOf).join(''),
    }))
    return { kind: 'chat', messages }
  } catch {
    return null
  }
}
