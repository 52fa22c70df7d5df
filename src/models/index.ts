import type { Provider } from './provider.ts'
import { baseline } from './providers/baseline.ts'
import { chatProviders } from './providers/chat.ts'
import { exec } from './providers/exec.ts'
import { hybrid } from './providers/hybrid.ts'
import { llama } from './providers/llama.ts'
import { replay } from './providers/replay.ts'
import { scoringProviders } from './providers/scoring.ts'
import { simulated } from './providers/simulated.ts'
import { twoPassProviders } from './providers/two-pass.ts'

export {
  anthropicMessages,
  type Codec,
  decodeResponse,
  googleGenerateContent,
  openAiChat,
  usageIn,
} from './codecs/index.ts'
export { settingValue } from './extra-body.ts'
export { MAX_WAIT_MS } from './failures.ts'
export { headersSchema } from './headers.ts'
export { scoringModel } from './loglikelihood.ts'
export {
  type Allowance,
  type Failure,
  failure,
  type Model,
  type ModelCall,
  type ModelReply,
  type ModelResponse,
  plainAnswer,
  plainMaximum,
  type TokenUsage,
  type WireModel,
} from './model.ts'
export { type Price, type PriceTable, parsePrices, priceIn, shippedPrices } from './prices.ts'
export {
  costsMoney,
  factsOf,
  findProvider,
  type ModelFacts,
  type ModelOptions,
  type Needs,
  needsOf,
  openModel,
  type Provider,
  type ProviderEnvironment,
  type Replay,
} from './provider.ts'
export { answeringBaselines } from './providers/baseline.ts'
export { readBody } from './read-reply.ts'
export {
  parseAssignments,
  type Settings,
  settingsAs,
  settingsFrom,
  settingsSchema,
  settingsText,
} from './settings.ts'
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
  simulated,
  hybrid,
  ...twoPassProviders,
  replay,
  exec,
  llama,
  ...chatProviders,
  ...scoringProviders,
]
