/** A word of the older language and what it became in each younger one; sounds stand between blanks, null: no word is known. */
export interface Descent {
  readonly [key: string]: string | readonly (string | null)[]
  readonly older: string
  readonly younger: readonly (string | null)[]
}

/** The question: which laws turned the older words into the younger ones? */
export interface Given {
  readonly [key: string]: string | readonly string[] | readonly Descent[] | Limits
  /** Names of the younger languages. */
  readonly languages: readonly string[]
  readonly words: readonly Descent[]
  /** Words on which an answer is tried; no prompt and no baseline reads them. */
  readonly unseen: readonly Descent[]
  readonly limits: Limits
}

export interface Limits {
  readonly [key: string]: number
  /** Laws of one language at most; later ones are not read. */
  readonly laws: number
}

/** Laws by language, in the order in which they ran, each as its text; those of the truth are empty where nobody knows them. */
export interface Answer {
  readonly [key: string]: readonly (readonly string[])[]
  readonly laws: readonly (readonly string[])[]
}
