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
  const { facts, rest } = leadingFacts(text)
  const reader = new Reader(rest)
  const clauses = [...facts]
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

const BLANK = /(?:\s|%[^\n]*)+/y
const NAME = /[a-z][A-Za-z0-9_]*/y
const VARIABLE = /[A-Z_][A-Za-z0-9_]*/y
const NUMBER = /\d+(?:\.\d+(?:[eE][+-]?\d+)?)?/y
const SYMBOL = /[-+*/\\^<>=~:.?@#&$]+/y
const SOLO = /[!;,|()[\]{}]/y
/** Longest name or number: nothing that a person writes is longer. */
const MAX_LENGTH = 256

/** Tested before a pattern: most programs are long lists of facts. */
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a
/** Printed ASCII is no blank, but for the beginning of a comment. */
const mayBeBlank = (code: number): boolean => code <= 0x20 || code === 0x25 || code >= 0x7f

/** Tokens in order, each clause closed by `end`. Linear in the text. @throws Fault (syntax) */
function* tokens(text: string): Generator<Token> {
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return null
    at += found.length
    return found
  }
  /** Does an argument list begin here? */
  const glued = (): boolean => text[at] === '('
  const short = (name: string): string => {
    if (name.length > MAX_LENGTH) throw new Fault('syntax', `a name is longer than ${MAX_LENGTH} characters`)
    return name
  }
  for (;;) {
    if (mayBeBlank(text.charCodeAt(at))) take(BLANK)
    if (at >= text.length) return
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2)
      if (close === -1) throw new Fault('syntax', 'a comment is not closed')
      at = close + 2
      continue
    }
    if (text[at] === '.' && (at + 1 >= text.length || /[\s%]/.test(text[at + 1] as string))) {
      at++
      yield { kind: 'end' }
      continue
    }
    const first = text.charCodeAt(at)
    const number = isDigit(first) ? take(NUMBER) : null
    if (number !== null) {
      const value = Number(short(number))
      const float = number.includes('.')
      if (!float && !Number.isSafeInteger(value)) throw new Fault('syntax', `${number} is too large a number`)
      yield { kind: 'number', value, float }
      continue
    }
    const variable = isSmall(first) ? null : take(VARIABLE)
    if (variable !== null) {
      yield { kind: 'variable', text: short(variable), glued: false }
      continue
    }
    const name = isSmall(first) ? take(NAME) : take(SYMBOL)
    if (name !== null) {
      yield { kind: 'atom', text: short(name), glued: glued() }
      continue
    }
    if (text[at] === "'") {
      const close = text.indexOf("'", at + 1)
      const body = close === -1 ? '' : text.slice(at + 1, close)
      // Control characters and escapes are left out: no name of ours can be written.
      if (close === -1 || body.length > MAX_LENGTH || !/^[^\\\p{Cc}]*$/u.test(body))
        throw new Fault('syntax', 'a quoted name is not closed, too long, or has escapes')
      at = close + 1
      yield { kind: 'quoted', text: body, glued: glued() }
      continue
    }
    const solo = take(SOLO)
    if (solo === null) throw new Fault('syntax', `unexpected character ${JSON.stringify(text[at])}`)
    yield { kind: 'punctuation', text: solo, glued: glued() }
  }
}

/** `name(name, name).`, as most programs begin with by the hundred; longer names are left to the reader, which refuses them. */
const FACT = /\s*([a-z]\w{0,255})\(([a-z]\w{0,255}(?:, ?[a-z]\w{0,255})*)\)\.(?=[\s%]|$)/y

/** The plain facts that a program begins with, and what follows them: read by one pattern, many times as fast as token by token. */
export function leadingFacts(text: string): { readonly facts: readonly Clause[]; readonly rest: string } {
  const facts: Clause[] = []
  let at = 0
  for (;;) {
    FACT.lastIndex = at
    const found = FACT.exec(text)
    if (found === null) return { facts, rest: text.slice(at) }
    const [all, name, names] = found as unknown as [string, string, string]
    facts.push({ head: compound(name, ...names.split(/, ?/).map(atom)), body: TRUE, variables: [] })
    at += all.length
  }
}
