import { type Json, UsageError } from '../core/index.ts'
import type { ModelInput } from '../lab/index.ts'
import type { FlagName, Settings } from '../models/index.ts'
import { settingFlags } from '../models/settings.ts'
import type { Experiment } from '../runner/index.ts'
import { amount, countOf, MAX_CALLS, numberFlag, wholeFrom0 } from './numbers.ts'
import { priceFlag, text } from './words.ts'

/** Who is asked, how, and how far: the flags of all that asks models. */
export interface AskFlags extends Pick<Settings, FlagName> {
  readonly model?: readonly string[]
  readonly samples?: number
  readonly baseUrl?: string
  readonly baseUrlEnv?: string
  readonly apiKeyEnv?: string
  readonly setModel?: readonly string[]
  readonly concurrency?: number
  readonly timeout?: number
  readonly retries?: number
  readonly price?: { readonly input: number; readonly output: number }
  readonly prices?: string
  readonly maxUsd?: number
  readonly ask: boolean
  readonly batch: boolean
  readonly cache?: string
  readonly offline: boolean
  readonly poll?: number
  readonly wait: boolean
  readonly preflight: boolean
  readonly durable: boolean
}

const optional = (brief: string) => ({ kind: 'parsed', parse: text, optional: true, brief }) as const

type SettingFlags = {
  readonly [name in FlagName]: {
    readonly kind: 'parsed'
    readonly parse: (text: string) => NonNullable<Settings[name]>
    readonly optional: true
    readonly brief: string
  }
}

const modelSettings = Object.fromEntries(
  Object.entries(settingFlags).map(([name, { description, parse }]) => [
    name,
    { kind: 'parsed', parse, optional: true, brief: description },
  ]),
) as unknown as SettingFlags

/** Who is asked, and how. */
export const modelFlags = {
  model: {
    kind: 'parsed',
    parse: text,
    optional: true,
    variadic: true,
    brief: 'provider:model, e.g. baseline:random or openai:NAME; repeat for several',
  },
  samples: numberFlag(countOf(3), 'Responses to each item; left out: 1'),
  ...modelSettings,
  baseUrl: optional('Base URL of an OpenAI-compatible server'),
  baseUrlEnv: optional('Environment variable that holds the base URL'),
  apiKeyEnv: optional('Environment variable that holds the key'),
  setModel: {
    kind: 'parsed',
    parse: text,
    optional: true,
    variadic: true,
    brief: 'KEY=VALUE: any setting, body.KEY of the request body or headers.NAME; repeat for several',
  },
} as const

/** How fast, how long, how much. */
export const limitFlags = {
  concurrency: numberFlag(countOf(8, MAX_CALLS), 'Most calls at once to one provider'),
  timeout: numberFlag(amount(60), 'Seconds until a call is given up'),
  retries: numberFlag(wholeFrom0(8, 100), 'Further attempts after a failure that may pass'),
  price: {
    kind: 'parsed',
    parse: priceFlag,
    optional: true,
    brief: 'INPUT,OUTPUT of the models that cost money, in US dollars for a million tokens',
  },
  prices: optional('A price file (as `touchstone prices` prints one) instead of the one in the package'),
  maxUsd: numberFlag(amount(5), 'Stop before more than this is spent'),
} as const

/** By which way, and when. */
export const wayFlags = {
  ask: { kind: 'boolean', default: true, brief: 'Ask the models; --no-ask: only plan, for resume or push' },
  batch: {
    kind: 'boolean',
    default: false,
    brief: 'Ask in batches where a provider has them: slow, half the price',
  },
  poll: numberFlag(amount(30), 'Seconds between two looks at a batch; left out: 30'),
  wait: { kind: 'boolean', default: true, brief: 'Wait for batches; --no-wait: resume collects them' },
  cache: optional('Folder of answers that runs share: what was asked before is not asked again'),
  offline: {
    kind: 'boolean',
    default: false,
    brief: 'Ask no provider: replay what --cache holds, costs and times too',
  },
  preflight: { kind: 'boolean', default: true, brief: 'One call to a remote model ahead of all others' },
  durable: { kind: 'boolean', default: false, brief: 'Survive power loss too, not only a killed process' },
} as const

/** The flags of a way as the lab takes them. */
export const wayOf = ({ durable, preflight, wait, poll, cache, offline, ask }: AskFlags) => ({
  ...(poll === undefined ? {} : { poll }),
  ...(cache === undefined ? {} : { cache }),
  offline,
  ask,
  durable,
  preflight,
  wait,
})

/** The limits of the flags. */
export const limitsOf = (flags: AskFlags): Partial<Experiment['limits']> => ({
  ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
  ...(flags.retries === undefined ? {} : { retries: flags.retries }),
  ...(flags.maxUsd === undefined ? {} : { usd: flags.maxUsd }),
})

/** Providers that take batches. */
const BATCHING = /^(?:hybrid:)*(?:openai|openai-responses|anthropic|google):/u
const inBatches = (model: string): boolean => BATCHING.test(model)

/** The models of the flags; `subsample`: each is asked about such a part of the items. @throws UsageError for none. */
export async function modelsOf(
  flags: AskFlags,
  subsample?: { readonly share: number } | { readonly perStratum: number },
): Promise<readonly ModelInput[]> {
  const { costsMoney, parseAssignments, providers } = await import('../models/index.ts')
  if (flags.model === undefined || flags.model.length === 0)
    throw new UsageError('name at least one --model, e.g. --model baseline:random')
  if (flags.batch && !flags.model.some(inBatches))
    throw new UsageError('--batch: openai, openai-responses, anthropic and google models can be asked in batches')
  const names = Object.keys(settingFlags) as FlagName[]
  const further = parseAssignments(flags.setModel ?? [])
  const settings: { readonly [key: string]: Json } = {
    ...Object.fromEntries(names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]))),
    ...further.settings,
  }
  return flags.model.map((model) => ({
    model,
    settings: [settings],
    ...(flags.samples === undefined ? {} : { samples: flags.samples }),
    ...(subsample === undefined ? {} : { subsample }),
    ...(flags.batch && inBatches(model) ? { batch: {} } : {}),
    ...(flags.price === undefined || !costsMoney(model, providers) ? {} : { price: flags.price }),
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.baseUrlEnv === undefined ? {} : { baseUrlEnv: flags.baseUrlEnv }),
    ...(flags.apiKeyEnv === undefined ? {} : { apiKeyEnv: flags.apiKeyEnv }),
    ...(Object.keys(further.headers).length === 0 ? {} : { headers: further.headers }),
  }))
}
