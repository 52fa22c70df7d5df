import type { FinishReason, Json, Message } from '../../core/index.ts'

/** A response as another tool kept it: of an item by id, or by the key that an exported file gave it. */
export interface ExternalResponse {
  /** Its line in the file; left out: it is counted. */
  readonly line?: number | undefined
  readonly key?: string | undefined
  readonly item?: string | undefined
  readonly style?: string | undefined
  readonly model?: string | undefined
  readonly sample?: number | undefined
  readonly text?: string | undefined
  /** What the model saw, where the file says it. */
  readonly prompt?: readonly Message[] | undefined
  /** Why there is no text. */
  readonly missing?: string | undefined
  readonly finish?: FinishReason | undefined
  readonly reasoning?: string | null | undefined
  readonly usage?:
    | { readonly [name in 'inputTokens' | 'outputTokens' | 'reasoningTokens']?: number | undefined }
    | undefined
  /** From question to answer. */
  readonly seconds?: number | undefined
  readonly settings?: { readonly [name: string]: Json } | undefined
}
