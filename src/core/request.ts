/** One message of a conversation. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}
/** A request to a model: messages to answer, or a text to score. */
export type Request =
  | { readonly kind: 'chat'; readonly messages: readonly Message[] }
  /** The log-probability of `text` after `context`. */
  | { readonly kind: 'score'; readonly context: string; readonly text: string }

/** Messages; the response is text. */
export type ChatRequest = Extract<Request, { readonly kind: 'chat' }>
/** A text to score after a context; the response is log-probabilities in nats. */
export type LoglikelihoodRequest = Extract<Request, { readonly kind: 'score' }>
