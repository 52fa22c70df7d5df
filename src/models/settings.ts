import { z } from 'zod'
import { schemaErrorMap, UsageError } from '../core/index.ts'

/** Where settings are written: bodies of four wire formats (chat completions have two dialects), and options of llama.cpp on this machine. */
export type SettingsTarget = 'openai' | 'openai-compatible' | 'openai-responses' | 'anthropic' | 'google' | 'llama'

/** One model setting, and its names elsewhere. */
interface Setting {
  readonly schema: z.ZodType<string | number>
  readonly description: string
  /**
   * The field that holds it, by target; `true`: the codec of the target writes it. Default: the target does not take it, and responses
   * list it as ignored.
   */
  readonly fields: { readonly [target in SettingsTarget]?: string | true }
  /** Its key in `model_generate_config` of Inspect logs. */
  readonly inspect: string
  /** Its key in `generation_args` of Every Eval Ever. Default: its schema has none. */
  readonly everyEvalEver?: string
  /** Is it an option of the command line too? Default: yes. */
  readonly flag?: false
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
  seed: {
    schema: z.int(),
    description: 'Seed of the sampling, where a provider takes one',
    fields: { openai: 'seed', 'openai-compatible': 'seed', google: 'seed', llama: 'seed' },
    inspect: 'seed',
    // On the command line, --seed is the seed of the items.
    flag: false,
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
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}

/** Settings that are options of the command line. */
export type FlagName = {
  [name in SettingName]: (typeof SETTINGS)[name] extends { readonly flag: false } ? never : name
}[SettingName]

/** The options of the command line for settings, in the order of their help; `parse` throws a UsageError. */
export const settingFlags = Object.fromEntries(
  table.flatMap(([name, { schema, description, flag }]) =>
    flag === false ? [] : [[name, { description, parse: (text: string) => parseSetting(schema, text) }]],
  ),
) as { readonly [name in FlagName]: { readonly description: string; parse(text: string): NonNullable<Settings[name]> } }

function parseSetting(schema: z.ZodType, text: string): unknown {
  const value = text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  const read = schema.safeParse(value, { error: schemaErrorMap })
  if (read.success) return read.data
  throw new UsageError(read.error.issues[0]?.message ?? `"${text}" does not fit`)
}

/** Writes settings as fields of a target; `ignored` names those that it does not take. */
export function writeSettings(
  settings: Settings,
  target: SettingsTarget,
): { readonly fields: { [field: string]: string | number }; readonly ignored: string[] } {
  const fields: { [field: string]: string | number } = {}
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
): { readonly [name: string]: string | number | boolean } {
  return Object.fromEntries(
    table.flatMap(([name, { [format]: key }]) => {
      const value = keys[key]
      return ['string', 'number', 'boolean'].includes(typeof value) ? [[name, value as string | number | boolean]] : []
    }),
  )
}
