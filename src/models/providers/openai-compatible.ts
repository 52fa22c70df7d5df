import type { Provider } from '../provider.ts'
import { givenKey, requireBaseUrl, routeOf, splitBaseUrl } from '../provider.ts'
import { sdkModel } from '../sdk.ts'
import { transportWith } from '../transport.ts'

const BASE_URL = 'OPENAI_COMPATIBLE_BASE_URL'
const API_KEY = 'OPENAI_COMPATIBLE_API_KEY'

/** Any server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, LM Studio, OpenRouter. */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  rest: 'MODEL',
  summary: `any server with /chat/completions; base URL in ${BASE_URL}, key (if any) in ${API_KEY}, or other variables`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  async open(rest, options, around) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const { base: baseURL, query } = splitBaseUrl(requireBaseUrl(options, around, BASE_URL))
    const apiKey = givenKey(options, around, API_KEY)
    const provider = createOpenAICompatible({
      name: 'server',
      baseURL,
      ...(apiKey === undefined ? {} : { apiKey }),
      fetch: transportWith(query),
    })
    return sdkModel({
      name: `openai-compatible:${rest}`,
      route: routeOf('openai-compatible', baseURL),
      model: provider.chatModel(rest),
      special: ({ thinkingBudget }) => (thinkingBudget === undefined ? {} : { ignored: ['thinkingBudget'] }),
    })
  },
}
