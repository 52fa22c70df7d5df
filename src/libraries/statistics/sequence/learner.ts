/**
 * An in-context learner: a probability model over sequences of symbols 0..size-1 that learns from every symbol it
 * reads and has no other memory. What it predicts is a proper distribution: the probabilities sum to 1.
 */
export interface SequenceLearner {
  readonly size: number
  /** P(symbol is next | all read so far) */
  probability(symbol: number): number
  /** Reads a symbol. */
  read(symbol: number): void
  /** Where `rewind` can come back to; marks nest. */
  mark(): number
  /** Unreads everything since the mark. */
  rewind(mark: number): void
}

/** The probability of each symbol of a sequence given those before it; the learner ends where it began. */
export function scoreSequence(learner: SequenceLearner, symbols: ArrayLike<number>): Float64Array {
  const start = learner.mark()
  const out = new Float64Array(symbols.length)
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i] as number
    out[i] = learner.probability(symbol)
    learner.read(symbol)
  }
  learner.rewind(start)
  return out
}

/** Every symbol equally likely, always: nothing is learnt. */
export function uniform(size: number): SequenceLearner {
  return { size, probability: () => 1 / size, read: () => {}, mark: () => 0, rewind: () => {} }
}
