import { anthropicBatching } from '../batching/anthropic.ts'
import type { Settings } from '../model.ts'
import type { Provider } from '../provider.ts'
import { givenBaseUrl, requireKey, routeOf, splitBaseUrl } from '../provider.ts'
import { sdkModel } from '../sdk.ts'
import { transportWith } from '../transport.ts'

const API_KEY = 'ANTHROPIC_API_KEY'

/** An effort becomes a budget for thinking on top of the maximum, as large as the SDK likes. */
const maxOutput = ({ maxTokens, effort }: Settings): number | null =>
  maxTokens === undefined || (effort !== undefined && effort !== 'none') ? null : maxTokens

export const anthropic: Provider = {
  name: 'anthropic',
  rest: 'MODEL',
  summary: `Anthropic messages; key in ${API_KEY}`,
  secrets: (options) => [options.apiKeyEnv ?? API_KEY],
  costs: () => true,
  facts: () => ({ kind: 'chat', mostOutput: maxOutput }),
  async open(rest, options, around) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const given = givenBaseUrl(options, around)
    const { base: baseURL, query } = given === undefined ? { base: undefined, query: null } : splitBaseUrl(given)
    const apiKey = requireKey(around, options.apiKeyEnv ?? API_KEY, 'the Anthropic key')
    const provider = createAnthropic({
      apiKey,
      ...(baseURL === undefined ? {} : { baseURL }),
      fetch: transportWith(query),
    })
    return sdkModel({
      name: `anthropic:${rest}`,
      route: routeOf('anthropic', baseURL),
      model: provider(rest),
      batching: anthropicBatching({
        base: baseURL ?? 'https://api.anthropic.com/v1',
        query,
        headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
      }),
      mostOutput: maxOutput,
      // The SDK asks for the budget on top of the maximum; ours holds both.
      special: ({ thinkingBudget, maxTokens }) =>
        thinkingBudget === undefined
          ? {}
          : thinkingBudget === 0
            ? { options: { anthropic: { thinking: { type: 'disabled' } } } }
            : {
                options: { anthropic: { thinking: { type: 'enabled', budgetTokens: thinkingBudget } } },
                ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens - thinkingBudget }),
              },
    })
  },
}
