import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { Settings } from './model.ts'

type Bag = { readonly [key: string]: unknown }
const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})

/**
 * What became of an effort that was asked for, where it is not what the server took, in words for what had no effect: routes turn it
 * into a budget of tokens, let a `thinkingBudget` go before it, or leave it out for models that they take for ones without thoughts; the
 * Responses route tells the effort that it worked with.
 */
export function otherEffort(
  { effort, thinkingBudget }: Settings,
  result: LanguageModelV4GenerateResult,
): readonly string[] {
  if (effort === undefined) return []
  const sent = bag(result.request?.body)
  const asked = sent['reasoning_effort'] ?? bag(sent['reasoning'])['effort'] ?? bag(sent['output_config'])['effort']
  if (typeof asked === 'string') {
    const taken = bag(bag(result.response?.body)['reasoning'])['effort']
    return typeof taken === 'string' && asked !== taken
      ? [`effort (asked as "${asked}", the server says "${taken}")`]
      : []
  }
  if (thinkingBudget !== undefined) return ['effort (thinkingBudget goes before it)']
  const thinking = { ...bag(sent['thinking']), ...bag(bag(sent['generationConfig'])['thinkingConfig']) } as Bag
  const budget = thinking['budget_tokens'] ?? thinking['thinkingBudget']
  if (typeof budget === 'number')
    return effort === 'none' ? [] : [`effort (sent as a budget of ${budget} tokens for thinking)`]
  return 'type' in thinking || 'thinkingLevel' in thinking ? [] : ['effort']
}
