/** Another worker looks after the batches of a model by now: nothing more is done with them here. */
export class TakenOver extends Error {
  readonly kind = 'taken-over'
  override readonly name = 'TakenOver'
}

export const isTakenOver = (error: unknown): error is TakenOver =>
  error instanceof Error && 'kind' in error && error.kind === 'taken-over'
