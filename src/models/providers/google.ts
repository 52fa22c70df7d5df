import { googleBatching } from '../batching/google.ts'
import type { Provider } from '../provider.ts'
import { givenBaseUrl, requireKey, routeOf, splitBaseUrl } from '../provider.ts'
import { sdkModel } from '../sdk.ts'
import { transportWith } from '../transport.ts'

const API_KEY = 'GOOGLE_GENERATIVE_AI_API_KEY'

export const google: Provider = {
  name: 'google',
  rest: 'MODEL',
  summary: `Google generateContent; key in ${API_KEY}`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  async open(rest, options, around) {
    const { createGoogle } = await import('@ai-sdk/google')
    const given = givenBaseUrl(options, around)
    const { base: baseURL, query } = given === undefined ? { base: undefined, query: null } : splitBaseUrl(given)
    const apiKey = requireKey(around, options.apiKeyEnv ?? API_KEY, 'the Google key')
    const provider = createGoogle({
      apiKey,
      ...(baseURL === undefined ? {} : { baseURL }),
      fetch: transportWith(query),
    })
    return sdkModel({
      name: `google:${rest}`,
      route: routeOf('google', baseURL),
      model: provider(rest),
      batching: googleBatching(
        {
          base: baseURL ?? 'https://generativelanguage.googleapis.com/v1beta',
          query,
          headers: { 'x-goog-api-key': apiKey },
        },
        rest,
      ),
      special: ({ thinkingBudget }) =>
        thinkingBudget === undefined ? {} : { options: { google: { thinkingConfig: { thinkingBudget } } } },
    })
  },
}
