import { z } from 'zod'
import { hint, type Json, type JsonObject, schemaErrorMap, sortedJson, UsageError } from '../core/index.ts'
import { bodySchema, mergedBody, settingValue } from './extra-body.ts'

/** Where settings are written: bodies of four wire formats (chat completions have two dialects), and options of llama.cpp on this machine. */
export type SettingsTarget = 'openai' | 'openai-compatible' | 'openai-responses' | 'anthropic' | 'google' | 'llama'

/** One model setting, and its names elsewhere. */
interface Setting {
  readonly schema: z.ZodType<Json>
  readonly description: string
  /**
   * The field that holds it, by target; `true`: the codec of the target writes it. Default: the target does not take it, and responses
   * list it as ignored.
   */
  readonly fields: { readonly [target in SettingsTarget]?: string | true }
  /** Its key in `model_generate_config` of Inspect logs. Default: there is none. */
  readonly inspect?: string
  /** Its key in `generation_args` of Every Eval Ever. Default: its schema has none. */
  readonly everyEvalEver?: string
}

/** All settings of models. Whatever reads or writes settings derives from this table. */
export const SETTINGS = {
  temperature: {
    schema: z.number().min(0).max(2),
    description: 'Sampling temperature',
    fields: {
      openai: 'temperature',
      'openai-compatible': 'temperature',
      'openai-responses': 'temperature',
      anthropic: 'temperature',
      google: 'temperature',
      llama: 'temperature',
    },
    inspect: 'temperature',
    everyEvalEver: 'temperature',
  },
  topP: {
    schema: z.number().min(0).max(1),
    description: 'Nucleus sampling: share of the probability that is sampled from',
    fields: {
      openai: 'top_p',
      'openai-compatible': 'top_p',
      'openai-responses': 'top_p',
      anthropic: 'top_p',
      google: 'topP',
      llama: 'topP',
    },
    inspect: 'top_p',
    everyEvalEver: 'top_p',
  },
  topK: {
    schema: z.int().min(1),
    description: 'Number of likeliest tokens that are sampled from',
    fields: { 'openai-compatible': 'top_k', anthropic: 'top_k', google: 'topK', llama: 'topK' },
    inspect: 'top_k',
    everyEvalEver: 'top_k',
  },
  maxTokens: {
    schema: z.int().min(1),
    description: 'Maximum number of tokens of a response, hidden reasoning included',
    fields: {
      openai: 'max_tokens',
      'openai-compatible': 'max_tokens',
      'openai-responses': 'max_output_tokens',
      anthropic: 'max_tokens',
      google: 'maxOutputTokens',
      llama: true,
    },
    inspect: 'max_tokens',
    everyEvalEver: 'max_tokens',
  },
  maxTokensField: {
    schema: z.enum(['max_tokens', 'max_completion_tokens']),
    description: 'Field of chat completions that holds maxTokens. Default: by the name of the model',
    fields: { openai: true, 'openai-compatible': true },
  },
  stop: {
    schema: z.preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.string().min(1)).min(1),
    ) as z.ZodType<readonly string[]>,
    description: 'Texts before which a response ends',
    fields: {
      openai: 'stop',
      'openai-compatible': 'stop',
      anthropic: 'stop_sequences',
      google: 'stopSequences',
      llama: 'customStopTriggers',
    },
    inspect: 'stop_seqs',
  },
  frequencyPenalty: {
    schema: z.number().min(-2).max(2),
    description: 'Penalty on tokens by how often they were written',
    fields: { openai: 'frequency_penalty', 'openai-compatible': 'frequency_penalty', google: 'frequencyPenalty' },
    inspect: 'frequency_penalty',
  },
  presencePenalty: {
    schema: z.number().min(-2).max(2),
    description: 'Penalty on tokens that were written before',
    fields: { openai: 'presence_penalty', 'openai-compatible': 'presence_penalty', google: 'presencePenalty' },
    inspect: 'presence_penalty',
  },
  seed: {
    schema: z.int(),
    description: 'Seed of the sampling, where a provider takes one',
    fields: { openai: 'seed', 'openai-compatible': 'seed', google: 'seed', llama: 'seed' },
    inspect: 'seed',
  },
  effort: {
    schema: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
    description: 'Reasoning effort',
    fields: {
      openai: 'reasoning_effort',
      'openai-compatible': 'reasoning_effort',
      'openai-responses': true,
      anthropic: true,
      google: true,
    },
    inspect: 'reasoning_effort',
  },
  thinkingBudget: {
    schema: z.int().min(0),
    description: 'Maximum number of tokens for reasoning',
    fields: { anthropic: true, google: true, llama: true },
    inspect: 'reasoning_tokens',
  },
  body: {
    schema: bodySchema,
    description: 'Further fields of the request body, as the server calls them; objects are merged',
    fields: { openai: true, 'openai-compatible': true, 'openai-responses': true, anthropic: true, google: true },
    inspect: 'extra_body',
  },
} as const satisfies { readonly [name: string]: Setting }

type SettingName = keyof typeof SETTINGS

const table = Object.entries(SETTINGS) as [SettingName, Setting][]

/** Settings of a call. Those that a provider does not take are reported as ignored, never dropped silently. */
export type Settings = { readonly [name in SettingName]?: z.infer<(typeof SETTINGS)[name]['schema']> }

/** Settings as an experiment writes them. */
export const settingsSchema = z.strictObject(
  Object.fromEntries(table.map(([name, { schema, description }]) => [name, schema.optional().describe(description)])),
) as unknown as z.ZodType<Settings, Settings>

/** Settings as the ledger keeps them: JSON with sorted keys, without those that are not set. */
export function settingsText(settings: Settings): string {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined)
  return sortedJson(Object.fromEntries(set) as JsonObject)
}

function parseSetting(schema: z.ZodType, text: string): unknown {
  const isList = /^\s{0,99}[[{]/u.test(text)
  const asText = isList ? null : schema.safeParse(text)
  if (asText?.success === true) return asText.data
  const read = schema.safeParse(isList ? jsonOrText(text) : numberOrText(text), { error: schemaErrorMap })
  if (read.success) return read.data
  throw new UsageError(read.error.issues[0]?.message ?? `"${text}" does not fit`)
}

const numberOrText = (text: string): string | number =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)

/** A value as a command line has it: JSON where it is JSON, else a text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Settings and headers of `KEY=VALUE` texts; fields of a body and headers are written `body.KEY` and `headers.NAME`. @throws UsageError */
export function parseAssignments(texts: readonly string[]): {
  readonly settings: Settings
  readonly headers: { readonly [name: string]: string }
} {
  const settings: { [name: string]: unknown } = {}
  const headers: { [name: string]: string } = {}
  const body: { [key: string]: unknown } = {}
  for (const text of texts) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/su.exec(text) ?? []
    const [name = '', ...path] = key.split('.')
    if (name === 'headers' && path.length > 0) headers[path.join('.')] = value
    else if (name === 'body' && path.length > 0) setIn(body, path, jsonOrText(value))
    else if (Object.hasOwn(SETTINGS, key)) settings[key] = parseSetting(SETTINGS[key as SettingName].schema, value)
    else
      throw new UsageError(
        `expected a setting, body.KEY or headers.NAME with its value after "=", got "${text}"${hint(key, Object.keys(SETTINGS))}. Settings are ${Object.keys(SETTINGS).join(', ')}`,
      )
  }
  const whole =
    Object.keys(body).length === 0
      ? settings
      : { ...settings, body: mergedBody((settings['body'] ?? {}) as JsonObject, body) }
  const read = settingsSchema.safeParse(whole, { error: schemaErrorMap })
  if (!read.success) throw new UsageError(read.error.issues[0]?.message ?? 'these settings do not fit')
  return { settings: read.data, headers }
}

function setIn(body: { [key: string]: unknown }, [key = '', ...path]: readonly string[], value: unknown): void {
  if (path.length === 0) {
    body[key] = value
    return
  }
  const inner = Object.hasOwn(body, key) ? body[key] : undefined
  const next = typeof inner === 'object' && inner !== null ? (inner as { [key: string]: unknown }) : {}
  body[key] = next
  setIn(next, path, value)
}

/** Writes settings as fields of a target; `ignored` names those that it does not take. */
export function writeSettings(
  settings: Settings,
  target: SettingsTarget,
): { readonly fields: { [field: string]: Json }; readonly ignored: string[] } {
  const fields: { [field: string]: Json } = {}
  const ignored: string[] = []
  for (const [name, setting] of table) {
    const value = settings[name]
    const field = setting.fields[target]
    if (value === undefined) continue
    if (field === undefined) ignored.push(name)
    else if (field !== true) fields[field] = value
  }
  return { fields, ignored }
}

/** Settings under the keys of another format, as far as it has them. */
export function settingsAs(
  format: 'inspect' | 'everyEvalEver',
  settings: { readonly [name: string]: unknown },
): { readonly [key: string]: unknown } {
  return Object.fromEntries(
    table.flatMap(([name, { [format]: key }]) =>
      key === undefined || settings[name] === undefined ? [] : [[key, settings[name]]],
    ),
  )
}

/** Settings in our names, read from the keys of another format. Their values are kept whatever they are, so that models asked in different ways stay apart. */
export function settingsFrom(
  format: 'inspect',
  keys: { readonly [key: string]: unknown },
): { readonly [name: string]: Json } {
  return Object.fromEntries(
    table.flatMap(([name, { [format]: key }]) => {
      const value = key === undefined ? null : (keys[key] ?? null)
      const isEmpty = typeof value === 'object' && (value === null || Object.keys(value).length === 0)
      return isEmpty || !settingValue.safeParse(value).success ? [] : [[name, value as Json]]
    }),
  )
}
