import type { Provider } from './provider.ts'
import { anthropic } from './providers/anthropic.ts'
import { baseline } from './providers/baseline.ts'
import { exec } from './providers/exec.ts'
import { google } from './providers/google.ts'
import { hybrid } from './providers/hybrid.ts'
import { llama } from './providers/llama.ts'
import { openai, openaiResponses } from './providers/openai.ts'
import { openaiCompatible } from './providers/openai-compatible.ts'
import { replay } from './providers/replay.ts'
import { scoringProviders } from './providers/scoring.ts'
import { twoPassProviders } from './providers/two-pass.ts'

export { apiFailure } from './batching/api.ts'
export type {
  BatchIntent,
  Batching,
  BatchLine,
  EndedState,
  LineResult,
  RemoteState,
  Search,
  Submission,
  Unread,
} from './batching/batching.ts'
export { draftOf, readResult } from './batching/relay.ts'
export { MAX_WAIT_MS } from './failures.ts'
export {
  type Allowance,
  type Answer,
  type Call,
  type Failure,
  failure,
  type Model,
  plainAnswer,
  plainMaximum,
  type Reply,
  type Settings,
  type TokenUsage,
} from './model.ts'
export { type Price, type PriceTable, parsePrices, priceIn, shippedPrices } from './prices.ts'
export {
  costsMoney,
  factsOf,
  type ModelFacts,
  type ModelOptions,
  openModel,
  type Provider,
  type Replay,
  type Surroundings,
  secretsOf,
} from './provider.ts'
export { readBody, usageIn } from './read-body.ts'
export { scoringModel } from './scored.ts'
export { settingsSchema, settingsText } from './settings.ts'
export { type Bounds, checkUsage } from './usage.ts'

/**
 * Every way to reach a model, by hand, one line each.
 *
 * @example
 * import { providers } from '@touchstone-eval/touchstone/node'
 *
 * console.log(providers.some(({ name }) => name === 'openai')) // true
 */
export const providers: readonly Provider[] = [
  baseline,
  hybrid,
  ...twoPassProviders,
  replay,
  exec,
  llama,
  openaiCompatible,
  openai,
  openaiResponses,
  anthropic,
  google,
  ...scoringProviders,
]
