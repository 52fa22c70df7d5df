import { hint, type Task, UsageError } from '../core/index.ts'
import type { Model } from './model.ts'

/** What an experiment may say about a model beside its spec. Secrets are named, never given. */
export interface ModelOptions {
  readonly baseUrl?: string
  /** Environment variable with the base URL. */
  readonly baseUrlEnv?: string
  /** Environment variable with the key. */
  readonly apiKeyEnv?: string
  /** Sent with every request; `${NAME}` in a value stands for an environment variable. */
  readonly headers?: { readonly [name: string]: string }
}

/** What providers need of their surroundings, given as values so that tests and other homes can give others. */
export interface ProviderEnvironment {
  readonly env: { readonly [name: string]: string | undefined }
  /** Opens recorded responses for `replay:`. */
  openReplay(path: string): Promise<Replay>
}

/** Recorded responses by cell. */
export interface Replay {
  /** As which it was asked, as the ledger writes them; none: it does not say. */
  readonly settings: readonly string[]
  /** Why its responses are none to the items of a task as it is now; null: nothing is known against it. */
  against(task: Task): string | null
  /** Of the settings that are asked for, where it was asked in several ways. */
  find(cell: {
    readonly item: string
    readonly style: string
    readonly sample: number
    readonly settings: string
  }): Promise<import('./model.ts').ModelResponse | null>
  close(): Promise<void>
}

/** What is set aside for the calls of a model follows from these: a run that is made again without key or network books the same. */
export type ModelFacts = Pick<Model, 'kind' | 'remote' | 'probing' | 'maxInput' | 'maxOutput'>

type Server = { readonly url: string } | { readonly variable: string }

/** What a model asks of the machine that calls it. */
export interface Needs {
  /** Its server: a base URL, or the environment variable that holds it. Default: none. */
  readonly server?: Server
  /** Environment variables whose values go to its server. Default: none. */
  readonly secrets?: readonly string[]
  /** A program that it starts. */
  readonly program?: string
  /** A file or folder that it reads. */
  readonly file?: string
}

/** One way to reach models. Each reads its own part of the spec; nothing else knows its name. */
export interface Provider {
  readonly name: string
  /** What follows the colon, for help texts, e.g. `MODEL` or `FILE`; empty: nothing does. */
  readonly argument: string
  readonly summary: string
  /** What its models ask of this machine. Left out: unknown, as of a program. */
  needs?(argument: string, options: ModelOptions, providers: readonly Provider[]): Needs
  /** May a call cost money? Then a limit in dollars needs the model's price. Left out: it costs nothing. */
  costs?(argument: string, providers: readonly Provider[]): boolean
  /** Responses of its models differ from the bodies that they came in: they were changed, or joined from several. */
  readonly rewrites?: true
  /** What its models are, without opening one. Left out: chats that count as their settings do. */
  facts?(argument: string, providers: readonly Provider[]): ModelFacts
  /** `providers` are all there are, for one that reaches a model through another. */
  open(
    argument: string,
    options: ModelOptions,
    around: ProviderEnvironment,
    providers: readonly Provider[],
  ): Promise<Model>
}

/** Opens `provider:model`. @throws UsageError for a spec that no provider reads. */
export async function openModel(
  spec: string,
  options: ModelOptions,
  providers: readonly Provider[],
  around: ProviderEnvironment,
): Promise<Model> {
  const { provider, argument } = findProvider(spec, providers)
  return provider.open(argument, options, around, providers)
}

/** What the model of a spec asks of this machine. @throws UsageError */
export function needsOf(spec: string, options: ModelOptions, providers: readonly Provider[]): Needs {
  const { provider, argument } = findProvider(spec, providers)
  return provider.needs === undefined ? { program: spec } : provider.needs(argument, options, providers)
}

/** The server that is given or named, else the provider's own. */
export const serverOf = ({ baseUrl, baseUrlEnv }: ModelOptions, own: Server): Server =>
  baseUrl !== undefined ? { url: baseUrl } : baseUrlEnv !== undefined ? { variable: baseUrlEnv } : own

/** May a call to the model of a spec cost money? @throws UsageError */
export function costsMoney(spec: string, providers: readonly Provider[]): boolean {
  const { provider, argument } = findProvider(spec, providers)
  return provider.costs?.(argument, providers) ?? false
}

/** What the model of a spec is, without opening it. @throws UsageError */
export function factsOf(spec: string, providers: readonly Provider[]): ModelFacts {
  const { provider, argument } = findProvider(spec, providers)
  return provider.facts?.(argument, providers) ?? { kind: 'chat' }
}

/** The provider of a spec and what follows its colon. @throws UsageError */
export function findProvider(
  spec: string,
  providers: readonly Provider[],
): { readonly provider: Provider; readonly argument: string } {
  const colon = spec.indexOf(':')
  const name = colon < 0 ? spec : spec.slice(0, colon)
  const argument = colon < 0 ? '' : spec.slice(colon + 1)
  const provider = providers.find((one) => one.name === name)
  const names = providers.map((one) => one.name)
  if (provider === undefined)
    throw new UsageError(
      `expected a model as provider:model, got "${spec}"${hint(name, names)}. Providers: ${names.join(', ')}`,
    )
  if (argument === '' && provider.argument !== '')
    throw new UsageError(`"${spec}" names no model. Write ${provider.name}:${provider.argument}`)
  return { provider, argument }
}

/** The base URL that is given, or that of the variable that is named or else of `fallback`. @throws UsageError */
export function requireBaseUrl(
  { baseUrl, baseUrlEnv }: ModelOptions,
  around: ProviderEnvironment,
  fallback: string,
): string {
  const name = baseUrlEnv ?? fallback
  if (baseUrl === undefined && baseUrlEnv === undefined && (around.env[name] ?? '') === '')
    throw new UsageError(
      `no base URL: give one with --base-url URL (baseUrl in an experiment), or in the environment variable ${name}`,
    )
  const text = baseUrl ?? requireEnv(around, name, 'the base URL')
  // A variable may hold a secret: its value is never shown.
  const url = /^https?:\/\//iu.test(text) ? URL.parse(text) : null
  if (url === null)
    throw new UsageError(
      `expected a base URL such as http://127.0.0.1:8000/v1; ${baseUrl === undefined ? `what ${name} holds` : `"${baseUrl}"`} is none`,
    )
  if (url.hash !== '')
    throw new UsageError(
      `a base URL has no part after "#": ${baseUrl === undefined ? `what ${name} holds` : `"${baseUrl}"`} has one`,
    )
  return text
}

/**
 * Splits a base URL from its query: paths are appended to the base, and every request carries the query.
 * The base ends without a slash.
 */
export function splitBaseUrl(text: string): { readonly base: string; readonly query: URLSearchParams } {
  const url = new URL(text)
  const query = new URLSearchParams(url.search)
  url.search = ''
  return { base: url.href.replace(/\/{1,64}$/u, ''), query }
}

/** The base URL that is given or named, or undefined for the provider's own. @throws UsageError */
export const givenBaseUrl = (options: ModelOptions, around: ProviderEnvironment): string | undefined =>
  options.baseUrl === undefined && options.baseUrlEnv === undefined ? undefined : requireBaseUrl(options, around, '')

/** The route of a server: models on one host share its limits. */
export const routeOf = (provider: string, baseUrl: string | undefined): string =>
  baseUrl === undefined ? provider : `${provider} ${new URL(baseUrl).host}`

/** The value of an environment variable that must be set. @throws UsageError */
export function requireEnv(around: ProviderEnvironment, name: string, what: string): string {
  const value = around.env[name]
  if (value === undefined || value === '')
    throw new UsageError(`${what} is missing: the environment variable ${name} is not set`)
  return value
}

/** The key of a server, without blanks and line breaks around it, as files of secrets have them. @throws UsageError */
export function requireKey(around: ProviderEnvironment, name: string, what: string): string {
  const key = requireEnv(around, name, what).trim()
  // The value is a secret, and is never shown.
  if (!/^[\t -~\u{80}-\u{ff}]+$/u.test(key))
    throw new UsageError(
      `${what} is not usable: the environment variable ${name} ${key === '' ? 'is blank' : 'holds a line break or another character that no key has. Copy only the key'}`,
    )
  return key
}

/** The key that is named or that of the variable `fallback`, where that is set: a server of one's own may need none. @throws UsageError */
export function givenKey(
  { apiKeyEnv }: ModelOptions,
  around: ProviderEnvironment,
  fallback: string,
): string | undefined {
  if (apiKeyEnv === undefined && (around.env[fallback] ?? '') === '') return undefined
  return requireKey(around, apiKeyEnv ?? fallback, 'the key of this server')
}
