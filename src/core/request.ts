/** One message of a conversation. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}
/** What a model gets: messages to answer, or a text to score. */
export type Request =
  | { readonly kind: 'chat'; readonly messages: readonly Message[] }
  /** The log-probability of `text` after `context`. */
  | { readonly kind: 'score'; readonly context: string; readonly text: string }

/** A question put as messages: words come back. */
export type ChatRequest = Extract<Request, { readonly kind: 'chat' }>
/** A text whose tokens are scored after a context: log-probabilities in nats come back. */
export type LoglikelihoodRequest = Extract<Request, { readonly kind: 'score' }>
