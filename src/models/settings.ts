import { z } from 'zod'
import type { Settings } from './model.ts'

/** Settings as an experiment writes them. */
export const settingsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional().describe('sampling temperature'),
  topP: z.number().min(0).max(1).optional().describe('nucleus sampling'),
  maxTokens: z.int().min(1).optional().describe('most tokens of a response, hidden reasoning included'),
  seed: z.int().optional().describe('seed of the sampling, where a route takes one'),
  effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional().describe('reasoning effort'),
  thinkingBudget: z.int().min(0).optional().describe('tokens for thinking'),
})

/** Settings as the ledger keeps them: JSON with sorted keys, absent ones left out. */
export function settingsText(settings: Settings): string {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}
