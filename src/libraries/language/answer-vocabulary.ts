/** A place that names an answer. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly answer: string
  /** May be another word that is spelled alike; counts only where nothing else is said. */
  readonly faint: boolean
}

export interface AnswerVocabulary {
  /** All mentions in a text, in order, not overlapping. Linear. */
  find(text: string): readonly Mention[]
  /**
   * `verdict`: whoever says another one changes the answer ("Yes. No."). `named`: answers occur in explanations too ("Ann,
   * since Bob is younger").
   */
  readonly kind: 'verdict' | 'named'
  /** Of "A ... than B" the answer is A after these words; after others neither is. Absent: `than` means nothing. */
  readonly wins?: readonly string[]
  /** What joins answers to one ("3 to 4") beside commas, slashes, "or", "and", "nor". */
  readonly joins?: RegExp
  /** An answer is all that is asserted in the sentence ("chess and rowing"), but for alternatives ("or"). */
  readonly together?: boolean
  /** Answers among several in a part of a sentence that are meant, e.g. those with a unit. */
  preferred?(mention: Mention, text: string): boolean
}
