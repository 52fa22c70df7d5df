import { z } from 'zod'
import { defineTask, type Family, type Features, isArray, type Json } from '../../../core/index.ts'

/** What a log says of a question. */
export type Given = {
  readonly messages: { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]
  readonly choices: string[] | null
}

const noItems = { kind: 'unreachable', proved: true, reason: 'items of logs are imported' } as const
const scored = { kind: 'unparsed', reason: 'scored by the program that wrote the log' } as const

/** The task of imported logs: it asks and scores nothing. Which task a log is of, is the configuration of its items. */
export const scoredLogs = defineTask<Record<string, never>, null, null, Given, Json, Features>({
  name: 'logs/scored',
  summary: 'Questions, answers and scores of a log, as given there',
  asGiven: 'scores',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: z.strictObject({}),
  presets: {},
  features: z.object({}),
  layout: () => ({ size: 0, strata: [{}], layout: 'none', at: () => noItems }),
  draw: () => noItems,
  styles: ['as-logged'],
  request({ given: { messages, choices } }) {
    const listed = choices?.map((text, i) => `${String.fromCharCode(65 + i)}) ${text}`).join('\n')
    const last = messages.at(-1)
    if (last === undefined || listed === undefined) return { kind: 'chat', messages }
    return { kind: 'chat', messages: [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${listed}` }] }
  },
  parsers: { strict: () => scored, lenient: () => scored },
  grade: () => ({ value: 0 }),
  gold: ({ answer }) => String(isArray(answer) ? (answer[0] ?? '') : answer),
  oracle: () => true,
  witness: () => null,
  check: () => true,
  analyses: [],
})

/** Runs may hold it; nobody generates it. */
export const logs: Family = { name: 'logs', tasks: [], imported: [scoredLogs], importers: [] }
