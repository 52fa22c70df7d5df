import { Fault } from './limits.ts'
import {
  type Atom,
  atom,
  type Clause,
  type Compound,
  compound,
  EMPTY,
  listOf,
  type Term,
  TRUE,
  type Variable,
  variable,
} from './terms.ts'

interface Operator {
  readonly priority: number
  readonly left: number
  readonly right: number
}
const infixes = new Map<string, Operator>()
const prefixes = new Map<string, Operator>()
const infix = (priority: number, type: 'xfx' | 'xfy' | 'yfx', names: string): void => {
  for (const name of names.split(' '))
    infixes.set(name, {
      priority,
      left: type === 'yfx' ? priority : priority - 1,
      right: type === 'xfy' ? priority : priority - 1,
    })
}
const prefix = (priority: number, type: 'fy' | 'fx', names: string): void => {
  for (const name of names.split(' '))
    prefixes.set(name, { priority, left: 0, right: type === 'fy' ? priority : priority - 1 })
}
infix(1200, 'xfx', ':-')
prefix(1200, 'fx', ':- ?-')
prefix(1150, 'fx', 'dynamic discontiguous')
infix(1100, 'xfy', '; |')
infix(1050, 'xfy', '-> *->')
infix(1000, 'xfy', ',')
prefix(900, 'fy', '\\+')
infix(700, 'xfx', '= \\= == \\== @< @> @=< @>= =.. is =:= =\\= < > =< >=')
infix(600, 'xfy', ':')
infix(500, 'yfx', '+ - /\\ \\/')
infix(400, 'yfx', '* / // mod rem div << >>')
infix(200, 'xfx', '**')
infix(200, 'xfy', '^')
prefix(200, 'fy', '- + \\')

/** Deepest nesting of what is read. */
const MAX_DEPTH = 256

/** One clause after another; what is wrong with one is the fault of the whole text. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #variables = new Map<string, Variable>()
  #all: Variable[] = []
  constructor(text: string) {
    this.#tokens = [...tokens(text)]
  }
  get done(): boolean {
    return this.#at >= this.#tokens.length
  }
  /** The next clause as a term, with its variables. */
  next(): { readonly term: Term; readonly variables: readonly Variable[] } {
    this.#variables = new Map()
    this.#all = []
    const term = this.#term(1200, 0)
    if (this.#take()?.kind !== 'end') throw new Fault('syntax', 'a clause does not end in a full stop')
    return { term, variables: this.#all }
  }
  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }
  #take(): Token | undefined {
    return this.#tokens[this.#at++]
  }
  #is(text: string): boolean {
    const token = this.#peek()
    return token?.kind === 'punctuation' && token.text === text
  }
  #expect(text: string): void {
    if (!this.#is(text)) throw new Fault('syntax', `expected ${text}`)
    this.#at++
  }
  #term(most: number, depth: number): Term {
    if (depth > MAX_DEPTH) throw new Fault('syntax', `nested deeper than ${MAX_DEPTH}`)
    let { term: left, priority } = this.#primary(most, depth)
    for (let links = 0; ; links++) {
      const token = this.#peek()
      if (token === undefined || token.kind === 'end' || token.kind === 'number') return left
      const found = token.kind === 'quoted' || token.kind === 'variable' ? undefined : infixes.get(token.text)
      if (found === undefined || found.priority > most || priority > found.left) return left
      if (links > 10_000) throw new Fault('syntax', 'a term is too long')
      this.#at++
      const right = this.#term(found.right, depth + 1)
      left = compound(token.text === '|' ? ';' : token.text, left, right)
      priority = found.priority
    }
  }
  #primary(most: number, depth: number): { readonly term: Term; readonly priority: number } {
    const token = this.#take()
    const plain = (term: Term) => ({ term, priority: 0 })
    if (token === undefined || token.kind === 'end') throw new Fault('syntax', 'a clause breaks off')
    if (token.kind === 'number') return plain({ kind: 'number', value: token.value, float: token.float })
    if (token.kind === 'variable') return plain(this.#variable(token.text))
    if (token.kind === 'punctuation' && token.text !== '!' && token.text !== ';') {
      if (token.text === '(') {
        const term = this.#term(1200, depth + 1)
        this.#expect(')')
        return plain(term)
      }
      if (token.text === '[') return plain(this.#list(depth))
      throw new Fault('syntax', `unexpected ${token.text}`)
    }
    if (token.glued) {
      this.#at++
      const args = this.#arguments(depth)
      this.#expect(')')
      return plain({ kind: 'compound', name: token.text, args })
    }
    const next = this.#peek()
    if (token.kind === 'atom' && token.text === '-' && next?.kind === 'number') {
      this.#at++
      return plain({ kind: 'number', value: -next.value, float: next.float })
    }
    const operator = token.kind === 'atom' ? prefixes.get(token.text) : undefined
    if (operator === undefined || this.#closes(next)) return plain(atom(token.text))
    const priority = Math.min(operator.priority, most)
    const argument = this.#term(Math.min(operator.right, priority), depth + 1)
    return { term: compound(token.text, argument), priority }
  }
  /** Does a term that could be the argument of a prefix operator not begin here? */
  #closes(next: Token | undefined): boolean {
    if (next === undefined || next.kind === 'end') return true
    if (next.kind === 'punctuation') return next.text !== '(' && next.text !== '['
    return next.kind === 'atom' && infixes.has(next.text) && !prefixes.has(next.text) && !next.glued
  }
  #variable(name: string): Variable {
    const known = name === '_' ? undefined : this.#variables.get(name)
    if (known !== undefined) return known
    const made = variable(name)
    if (name !== '_') this.#variables.set(name, made)
    this.#all.push(made)
    return made
  }
  #arguments(depth: number): readonly Term[] {
    const args = [this.#term(999, depth + 1)]
    while (this.#is(',')) {
      this.#at++
      args.push(this.#term(999, depth + 1))
    }
    return args
  }
  #list(depth: number): Term {
    if (this.#is(']')) {
      this.#at++
      return EMPTY
    }
    const items = this.#arguments(depth)
    let tail: Term = EMPTY
    if (this.#is('|')) {
      this.#at++
      tail = this.#term(999, depth + 1)
    }
    this.#expect(']')
    return listOf(items, tail)
  }
}

/** What cannot be defined: the control of the language itself. */
const CONTROL = new Set([',/2', ';/2', '->/2', '*->/2', '!/0', '\\+/1', 'true/0', 'fail/0', 'false/0', '=/2', ':-/2'])

/** Longest program that is read, in characters. */
export const MAX_PROGRAM_LENGTH = 1_000_000

/**
 * The clauses of a program in order. Directives are read and never run.
 *
 * @throws Fault (syntax)
 */
export function readProgram(text: string): readonly Clause[] {
  if (text.length > MAX_PROGRAM_LENGTH) throw new Fault('syntax', `longer than ${MAX_PROGRAM_LENGTH} characters`)
  const reader = new Reader(text)
  const clauses: Clause[] = []
  while (!reader.done) {
    const { term, variables } = reader.next()
    if (term.kind === 'compound' && term.args.length === 1 && (term.name === ':-' || term.name === '?-')) continue
    const rule = term.kind === 'compound' && term.name === ':-' && term.args.length === 2
    const [head, body] = rule ? (term.args as readonly [Term, Term]) : [term, TRUE]
    clauses.push({ head: headOf(head), body, variables })
  }
  return clauses
}

function headOf(term: Term): Atom | Compound {
  if (term.kind !== 'atom' && term.kind !== 'compound') throw new Fault('syntax', 'a head is a predicate')
  const arity = term.kind === 'atom' ? 0 : term.args.length
  if (CONTROL.has(`${term.name}/${arity}`)) throw new Fault('syntax', `${term.name}/${arity} cannot be defined`)
  return term
}

type Token =
  | { readonly kind: 'atom' | 'quoted' | 'variable' | 'punctuation'; readonly text: string; readonly glued: boolean }
  | { readonly kind: 'number'; readonly value: number; readonly float: boolean }
  | { readonly kind: 'end' }

/** Longest name. */
const MAX_LENGTH = 256

const BLANK = /(?:\s|%[^\n]*)*/y
/** A full stop, a number, a variable, a name, a quoted name without escapes and control characters, punctuation. */
const TOKEN =
  /(\.(?=[\s%]|$))|(\d+(?:\.\d+(?:[eE][+-]?\d+)?)?)|([A-Z_]\w*)|([a-z]\w*|[-+*/\\^<>=~:.?@#&$]+)|'([^'\\\p{Cc}]*)'|[!;,|()[\]{}]/uy

/** Tokens in order, each clause closed by `end`. Linear in the text. @throws Fault (syntax) */
function* tokens(text: string): Generator<Token> {
  for (let at = 0; ; ) {
    BLANK.lastIndex = at
    at += BLANK.exec(text)?.[0].length ?? 0
    if (at >= text.length) return
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2)
      if (close === -1) throw new Fault('syntax', 'a comment is not closed')
      at = close + 2
      continue
    }
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) throw new Fault('syntax', `unexpected ${JSON.stringify(text[at])}`)
    const [whole, end, number, variable, name, quoted] = found
    at += whole.length
    if (whole.length > MAX_LENGTH) throw new Fault('syntax', `a name is longer than ${MAX_LENGTH} characters`)
    /** Does an argument list begin here? */
    const glued = text[at] === '('
    if (end !== undefined) yield { kind: 'end' }
    else if (number !== undefined) {
      const [value, float] = [Number(number), number.includes('.')]
      if (!float && !Number.isSafeInteger(value)) throw new Fault('syntax', `${number} is too large a number`)
      yield { kind: 'number', value, float }
    } else if (variable !== undefined) yield { kind: 'variable', text: variable, glued: false }
    else if (name !== undefined) yield { kind: 'atom', text: name, glued }
    else if (quoted !== undefined) yield { kind: 'quoted', text: quoted, glued }
    else yield { kind: 'punctuation', text: whole, glued }
  }
}
