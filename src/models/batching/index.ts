import type { Model } from '../model.ts'
import { anthropicBatching } from './anthropic.ts'
import type { Batching } from './batching.ts'
import { googleBatching } from './google.ts'
import { openAiBatching } from './openai.ts'

export { apiFailure } from './api.ts'
export type {
  BatchIntent,
  Batching,
  BatchLine,
  EndedState,
  LineResult,
  RemoteState,
  Search,
  Submission,
  UnparsedLine,
} from './batching.ts'

/** How the calls of a model are sent off together; undefined: its provider has no batches. */
export function batchingOf({ wire }: Model): Batching | undefined {
  switch (wire?.batches) {
    case 'openai-chat':
      return openAiBatching(wire.endpoint, '/v1/chat/completions')
    case 'openai-responses':
      return openAiBatching(wire.endpoint, '/v1/responses')
    case 'anthropic':
      return anthropicBatching(wire.endpoint)
    case 'google':
      return googleBatching(wire.endpoint, wire.model)
    default:
      return undefined
  }
}
