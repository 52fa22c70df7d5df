/** Terms of Prolog. A variable holds its binding; every binding is recorded on a trail to undo it. */
export type Term = Atom | Numeral | Variable | Compound
export interface Atom {
  readonly kind: 'atom'
  readonly name: string
}
export interface Numeral {
  readonly kind: 'number'
  readonly value: number
  /** 2 and 2.0 compare as equal numbers and do not unify. */
  readonly float: boolean
}
export interface Variable {
  readonly kind: 'variable'
  readonly name: string
  /** Of two that are free the older one stays, and comes first in order. */
  readonly age: number
  bound: Term | null
}
export interface Compound {
  readonly kind: 'compound'
  readonly name: string
  readonly args: readonly Term[]
}

/** A clause as it was read: every use of it takes a copy with new variables. */
export interface Clause {
  readonly head: Atom | Compound
  readonly body: Term
  /** None: it is ground, and needs no copy. */
  readonly variables: readonly Variable[]
}

export const atom = (name: string): Atom => ({ kind: 'atom', name })
export const integer = (value: number): Numeral => ({ kind: 'number', value, float: false })
export const compound = (name: string, ...args: readonly Term[]): Compound => ({ kind: 'compound', name, args })
export const variable = (name = '_', age = 0): Variable => ({ kind: 'variable', name, age, bound: null })

export const TRUE = atom('true')
export const EMPTY = atom('[]')
export const LIST = '.'

/** `name/arity` of what can be called; null of a variable or number. */
export function indicator(term: Term): string | null {
  if (term.kind === 'atom') return `${term.name}/0`
  return term.kind === 'compound' ? `${term.name}/${term.args.length}` : null
}

export const listOf = (items: readonly Term[], tail: Term = EMPTY): Term =>
  items.reduceRight((rest, item) => compound(LIST, item, rest), tail)

/** Clauses by what they define, `name/arity`, in order. */
export type Program = ReadonlyMap<string, readonly Clause[]>

export const byIndicator = (clauses: readonly Clause[]): Program =>
  Map.groupBy(clauses, ({ head }) => indicator(head) ?? '')
