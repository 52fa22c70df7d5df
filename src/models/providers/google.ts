import type { Provider } from '../provider.ts'
import { givenBaseUrl, needEnv, routeOf } from '../provider.ts'
import { sdkModel } from '../sdk.ts'
import { transport } from '../transport.ts'

const API_KEY = 'GOOGLE_GENERATIVE_AI_API_KEY'

export const google: Provider = {
  name: 'google',
  rest: 'MODEL',
  summary: `Google generateContent; key in ${API_KEY}`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  async open(rest, options, around) {
    const { createGoogle } = await import('@ai-sdk/google')
    const baseURL = givenBaseUrl(options, around)
    const provider = createGoogle({
      apiKey: needEnv(around, options.apiKeyEnv ?? API_KEY, 'the Google key'),
      ...(baseURL === undefined ? {} : { baseURL }),
      fetch: transport,
    })
    return sdkModel({
      name: `google:${rest}`,
      route: routeOf('google', baseURL),
      model: provider(rest),
      special: ({ thinkingBudget }) =>
        thinkingBudget === undefined ? {} : { options: { google: { thinkingConfig: { thinkingBudget } } } },
    })
  },
}
