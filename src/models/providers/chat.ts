import {
  anthropicMessages,
  type Codec,
  googleGenerateContent,
  openAiChat,
  openAiCompatible,
  openAiResponses,
} from '../codecs/index.ts'
import { givenHeaders, hasSecret, headerVariables } from '../headers.ts'
import { httpModel } from '../http-model.ts'
import type { WireModel } from '../model.ts'
import {
  givenBaseUrl,
  givenKey,
  type Provider,
  requireBaseUrl,
  requireKey,
  routeOf,
  serverOf,
  splitBaseUrl,
} from '../provider.ts'

/** A provider whose models chat over HTTP. */
interface ChatProvider {
  readonly name: string
  readonly summary: string
  readonly codec: Codec
  /** Environment variable of its key. */
  readonly apiKey: string
  readonly server: string | { readonly variable: string }
  /** Its name in messages about its key. */
  readonly title: string
  /** What models share their limits. Default: those of this provider. */
  readonly route?: string
  readonly batches?: WireModel['batches']
  /** Headers of every request. Default: none. */
  readonly version?: { readonly [name: string]: string }
  /** Headers that authenticate. */
  headers(apiKey: string): { readonly [name: string]: string }
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })

const openai = {
  title: 'OpenAI',
  apiKey: 'OPENAI_API_KEY',
  server: 'https://api.openai.com/v1',
  route: 'openai',
  headers: bearer,
} as const

const COMPATIBLE_URL = 'OPENAI_COMPATIBLE_BASE_URL'
const COMPATIBLE_KEY = 'OPENAI_COMPATIBLE_API_KEY'

const table: readonly ChatProvider[] = [
  {
    name: 'openai-compatible',
    title: 'server',
    summary: `any server with /chat/completions; base URL in ${COMPATIBLE_URL}, key (if any) in ${COMPATIBLE_KEY}, or other variables`,
    codec: openAiCompatible,
    apiKey: COMPATIBLE_KEY,
    server: { variable: COMPATIBLE_URL },
    headers: bearer,
  },
  {
    ...openai,
    name: 'openai',
    summary: `OpenAI chat completions; key in ${openai.apiKey}`,
    codec: openAiChat,
    batches: 'openai-chat',
  },
  {
    ...openai,
    name: 'openai-responses',
    summary: `OpenAI Responses; key in ${openai.apiKey}`,
    codec: openAiResponses,
    batches: 'openai-responses',
  },
  {
    name: 'anthropic',
    title: 'Anthropic',
    summary: 'Anthropic messages; key in ANTHROPIC_API_KEY',
    codec: anthropicMessages,
    apiKey: 'ANTHROPIC_API_KEY',
    server: 'https://api.anthropic.com/v1',
    batches: 'anthropic',
    version: { 'anthropic-version': '2023-06-01' },
    headers: (apiKey) => ({ 'x-api-key': apiKey }),
  },
  {
    name: 'google',
    title: 'Google',
    summary: 'Google generateContent; key in GOOGLE_GENERATIVE_AI_API_KEY',
    codec: googleGenerateContent,
    apiKey: 'GOOGLE_GENERATIVE_AI_API_KEY',
    server: 'https://generativelanguage.googleapis.com/v1beta',
    batches: 'google',
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  },
]

/** Models that chat over HTTP, one provider a row of the table. */
export const chatProviders: readonly Provider[] = table.map(
  ({ name, title, summary, codec, apiKey, server, route = name, batches, version = {}, headers }) => ({
    name,
    argument: 'MODEL',
    summary,
    needs: (_model, options) => ({
      server: serverOf(options, typeof server === 'string' ? { url: server } : server),
      secrets: [options.apiKeyEnv ?? apiKey, ...headerVariables(options)],
    }),
    costs: () => true,
    open(model, options, around) {
      const isOwn = typeof server !== 'string'
      const given = isOwn ? requireBaseUrl(options, around, server.variable) : givenBaseUrl(options, around)
      const own = givenHeaders(options, around)
      const key =
        isOwn || (hasSecret(own) && options.apiKeyEnv === undefined)
          ? givenKey(options, around, apiKey)
          : requireKey(around, options.apiKeyEnv ?? apiKey, `the ${title} key`)
      const { base, query } = given === undefined ? { base: server as string, query: null } : splitBaseUrl(given)
      const endpoint = { base, query, headers: { ...version, ...(key === undefined ? {} : headers(key)), ...own } }
      const opened = httpModel(`${name}:${model}`, model, routeOf(route, given), codec, endpoint)
      return Promise.resolve(batches === undefined ? opened : { ...opened, wire: { ...opened.wire, batches } })
    },
  }),
)
