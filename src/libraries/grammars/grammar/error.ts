/** A place in a grammar's text, both 1-based; columns count UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A grammar text that cannot be read: where, what was expected, what stood there, and what to do about it. */
export class GrammarSyntaxError extends Error {
  override readonly name = 'GrammarSyntaxError'
  readonly line: number
  readonly column: number

  constructor(place: Place, problem: string, remedy: string) {
    super(`line ${place.line}, column ${place.column}: ${problem}. ${remedy}`)
    this.line = place.line
    this.column = place.column
  }
}

/** A grammar that is well written but not of the kind asked for. */
export class GrammarKindError extends Error {
  override readonly name = 'GrammarKindError'
}
