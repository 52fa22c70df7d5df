import { openAiBatching } from '../batching/openai.ts'
import type { ModelOptions, Provider, Surroundings } from '../provider.ts'
import { givenBaseUrl, requireKey, routeOf, splitBaseUrl } from '../provider.ts'
import { sdkModel } from '../sdk.ts'
import { transportWith } from '../transport.ts'

const API_KEY = 'OPENAI_API_KEY'

async function client(options: ModelOptions, around: Surroundings) {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const given = givenBaseUrl(options, around)
  const { base: baseURL, query } = given === undefined ? { base: undefined, query: null } : splitBaseUrl(given)
  const apiKey = requireKey(around, options.apiKeyEnv ?? API_KEY, 'the OpenAI key')
  const provider = createOpenAI({
    apiKey,
    ...(baseURL === undefined ? {} : { baseURL }),
    fetch: transportWith(query),
  })
  const api = {
    base: baseURL ?? 'https://api.openai.com/v1',
    query,
    headers: { authorization: `Bearer ${apiKey}` },
  }
  return { provider, route: routeOf('openai', baseURL), api }
}

/** OpenAI by chat completions, which take seeds; the Responses route does not. */
export const openai: Provider = {
  name: 'openai',
  rest: 'MODEL',
  summary: `OpenAI chat completions; key in ${API_KEY}`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  async open(rest, options, around) {
    const { provider, route, api } = await client(options, around)
    return sdkModel({
      name: `openai:${rest}`,
      route,
      model: provider.chat(rest),
      batching: openAiBatching(api, '/v1/chat/completions'),
      special: ({ thinkingBudget }) => (thinkingBudget === undefined ? {} : { ignored: ['thinkingBudget'] }),
    })
  },
}

/** OpenAI by the Responses route, the only one some models have. */
export const openaiResponses: Provider = {
  name: 'openai-responses',
  rest: 'MODEL',
  summary: `OpenAI Responses; key in ${API_KEY}`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  async open(rest, options, around) {
    const { provider, route, api } = await client(options, around)
    return sdkModel({
      name: `openai-responses:${rest}`,
      route,
      model: provider.responses(rest),
      batching: openAiBatching(api, '/v1/responses'),
      special: ({ thinkingBudget, effort }) => ({
        ...(thinkingBudget === undefined ? {} : { ignored: ['thinkingBudget'] }),
        // The SDK leaves the effort out for models whose names it does not know.
        ...(effort === undefined ? {} : { options: { openai: { forceReasoning: true } } }),
      }),
    })
  },
}
