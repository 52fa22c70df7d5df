import { type Cfg, type CfgRule, type CfgSymbol, GrammarSyntaxError, nonterminal, terminal } from '../grammar/cfg.ts'
import { parseNltkGrammar } from './nltk.ts'
import { MAX_GRAMMAR_CHARACTERS } from './tokens.ts'

/** A grammar from a file of another tool, as far as it is context-free. */
export interface GrammarFile {
  readonly grammar: Cfg
  /** The way back: what each nonterminal that the file does not name stands for, as the file writes it. */
  readonly groups: { readonly [nonterminal: string]: string }
  /** Names without a rule, which are terminals. */
  readonly undefinedNames: readonly string[]
  /** What the grammar has not of the file, in sentences. */
  readonly omitted: readonly string[]
}

type Kind = 'name' | 'string' | 'pattern' | 'sign' | 'directive' | 'line'
interface Token {
  readonly kind: Kind
  /** Of a string what it says, of others how they are written. */
  readonly text: string
  readonly at: number
  readonly end: number
}

/** Comments of all notations; `#` begins one unless it is a character of W3C such as `#x20`. */
const SKIPPED = /[ \t\r\f]+|\(\*[\s\S]*?\*\)|\/\*[\s\S]*?\*\/|\/\/[^\n]*|#(?!x[\da-f])[^\n]*|\ufeff/iuy
const TOKENS: readonly (readonly [Kind, RegExp])[] = [
  ['line', /\n/y],
  ['directive', /%(?:ignore|import|declare|override|extend|start)\b(?:(?!\/\/)[^\n])*/y],
  // A range, a regular expression, a class, a character by its code, or words about a pattern.
  ['pattern', /(?:"[^"\n]{1,8}"|'[^'\n]{1,8}')\s*(?:\.{2,3}|…)\s*(?:"[^"\n]{1,8}"|'[^'\n]{1,8}')/y],
  ['pattern', /r(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/(?![\s/*])(?:[^/\\\n]|\\.)+\/[imslux]*/y],
  ['pattern', /\[\^?(?:[^\s\]"'|<>]-[^\s\]"'|<>]|#x[\da-f]+|\^)[^\]\n]*\]|#x[\da-f]+/iy],
  ['pattern', /\?[ \t][^?\n]+[ \t]\?/y],
  ['string', /"(?:[^"\\\n]|\\.)*"i?|'(?:[^'\\\n]|\\.)*'i?|“[^”\n]*”|‘[^’\n]*’|`[^`\n]+`/y],
  ['name', /<[\p{L}\p{N}_][^<>\n]*>|[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*/uy],
  ['sign', /::=|:=|->|→|\.\.|\d+|[=:|()[\]{}?*+,;.~!\-/ελ]/uy],
]

const DEFINES = ['::=', ':=', '=', ':', '->', '→']
const CLOSING: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}' }
/** Of terminals in Lark. */
const TOKEN_NAME = /^_?[A-Z][A-Z\d_]*$/u
const EMPTY = ['ε', 'ϵ', 'λ', '<empty>', '<epsilon>']

/**
 * Reads a grammar that a tool, a standard or a textbook wrote: NLTK, BNF, EBNF (ISO, W3C or Go), Lark. Groups, options and repeats become
 * rules of nonterminals called after the rule that has them; a token that is described by a pattern (a regular expression, a
 * range, a class, words between `?`) is one terminal, called as the file calls it; so is a name without a rule. The first rule
 * is the start, in Lark `start` or the first that is no token.
 *
 * @throws {GrammarSyntaxError} with line and column.
 *
 * @example
 * import { readGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { grammar, groups } = readGrammar('sum ::= term ("+" term)*\nterm ::= [0-9] | "(" sum ")"')
 * console.log(grammar.rules.length, groups) // 5 { sum_1: '("+" term)*' }
 */
export function readGrammar(text: string, options: { readonly start?: string } = {}): GrammarFile {
  if (text.length > MAX_GRAMMAR_CHARACTERS)
    fail(text, 0, `the text has ${text.length} characters, at most ${MAX_GRAMMAR_CHARACTERS} are read`)
  const bare = text.replaceAll(/#.*/gu, '')
  const isNltk = /^[^\n"'<%:=;]*(?:->|→)/mu.test(bare) && !/^(?:[^\n"']*(?:::=|[^:]:[^:=])|\s*\|)/mu.test(bare)
  if (!isNltk) return new Reader(text).read(options.start)
  const { start, rules } = parseNltkGrammar(text)
  return closed({ start: options.start ?? start, rules }, {}, [])
}

function fail(text: string, at: number, problem: string): never {
  const before = text.slice(0, at).split('\n')
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  throw new GrammarSyntaxError(place, problem, 'Write rules such as name ::= "word" other | (a b)*, or omit this')
}

/** Names without a rule become terminals, and are named. */
function closed(grammar: Cfg, groups: GrammarFile['groups'], omitted: readonly string[]): GrammarFile {
  const defined = new Set(grammar.rules.map(({ left }) => left))
  const bare = new Set<string>()
  const rules = grammar.rules.map((rule) => ({
    ...rule,
    right: rule.right.flatMap((symbol) => {
      if (symbol.kind === 'nonterminal' && EMPTY.includes(symbol.name) && !defined.has(symbol.name)) return []
      if (symbol.kind === 'terminal' || defined.has(symbol.name)) return symbol
      bare.add(symbol.name)
      return terminal(symbol.name)
    }),
  }))
  if (!defined.has(grammar.start))
    throw new GrammarSyntaxError(
      { line: 1, column: 1 },
      `expected a rule for the start symbol ${grammar.start}, found none`,
      'Name another start symbol, or add the rule',
    )
  const without = bare.size === 0 ? [] : [`without a rule, so terminals: ${[...bare].join(', ')}`]
  return {
    grammar: { start: grammar.start, rules },
    groups,
    undefinedNames: [...bare],
    omitted: [...without, ...omitted],
  }
}

class Reader {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private readonly rules: CfgRule[] = []
  private readonly groups: { [name: string]: string } = {}
  private readonly patterns = new Set<string>()
  private readonly omitted = new Set<string>()
  private readonly plainWords = new Set<string>()
  private readonly names: ReadonlySet<string>
  private readonly made = new Map<string, number>()
  private readonly defines: string
  private at = 0

  constructor(text: string) {
    this.text = text
    const tokens = tokensOf(text)
    const isPlain =
      /^\s*<[^<>\n]+>\s*::=/u.test(text) && !tokens.some(({ kind, at }) => kind === 'string' && text[at] !== '`')
    this.tokens = isPlain ? tokens.map((token) => this.plain(token)) : tokens
    const first = this.tokens.find(({ kind, text: sign }) => kind === 'sign' && DEFINES.includes(sign))
    this.defines = first?.text ?? fail(text, 0, 'expected a rule such as name ::= ..., found none')
    this.names = new Set(this.tokens.flatMap(({ kind, text: name }) => (kind === 'name' ? nameOf(name) : [])))
  }

  read(start: string | undefined): GrammarFile {
    for (;;) {
      while (this.peek()?.kind === 'line' || this.is(';') || this.is('.')) this.at++
      const token = this.peek()
      if (token === undefined) break
      if (token.kind === 'directive') this.directive(token)
      else this.rule(this.header() ?? fail(this.text, token.at, `expected a rule, found ${token.text}`))
    }
    const first = this.rules[0]?.left ?? fail(this.text, 0, 'expected a rule, found none')
    const isToken = ({ left }: CfgRule) => this.defines === ':' && TOKEN_NAME.test(left)
    const lark = this.rules.find(({ left }) => left === 'start') ?? this.rules.find((rule) => !isToken(rule))
    const begin = start ?? (this.defines === ':' ? lark?.left : undefined) ?? first
    const [patterns, said] = [[...this.patterns], [] as string[]]
    if (patterns.length > 0) said.push(`patterns, each one terminal: ${patterns.join(', ')}`)
    if (this.plainWords.size > 0)
      said.push(`the file has no quotes, so words of the language: ${[...this.plainWords].join(' ')}`)
    return closed({ start: begin, rules: this.rules }, this.groups, [...said, ...this.omitted])
  }

  /** BNF without quotes, as in `<sum> ::= <sum> + <term>`: signs are words, unless they repeat (`<a>*`) or end a line. */
  private plain(token: Token): Token {
    const { kind, text, at, end } = token
    const isRepeat = /^[>\])}][*+?]$/u.test(this.text.slice(at - 1, end))
    const isEnd = /^[;.][ \t\r]*(?:\n|$)/u.test(this.text.slice(at, at + 80))
    const isWord = kind === 'sign' || (kind === 'name' && /^\w(?!.*::=)/u.test(text + this.text.slice(end, end + 20)))
    if (isRepeat || isEnd || !isWord || ['::=', '|', '[', ']', '{', '}', ...EMPTY].includes(text)) return token
    this.plainWords.add(text)
    return { ...token, kind: 'string' }
  }

  private peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  private is(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token?.kind === 'sign' && token.text === sign
  }

  private directive({ text }: Token): void {
    this.at++
    this.omitted.add(text.trim())
  }

  /** The name that a rule here defines, and where its body begins; null: no rule begins here. */
  private header(): { readonly name: string; readonly body: number; readonly isTemplate: boolean } | null {
    let k = 0
    while (this.is('?', k) || this.is('!', k)) k++
    const token = this.peek(k++)
    if (token?.kind !== 'name') return null
    if (this.is('.', k) && /^\d+$/u.test(this.peek(k + 1)?.text ?? '')) k += 2
    else if (this.is('.', k) && this.is('-', k + 1)) k += 3
    const isTemplate = this.is('{', k) && this.defines === ':'
    if (isTemplate) while (!this.is('}', k++) && this.peek(k) !== undefined) {}
    // Names of ISO EBNF may have blanks in them.
    const words = [token.text]
    while (this.defines === '=' && this.peek(k)?.kind === 'name') words.push(this.peek(k++)?.text ?? '')
    // A definition may stand on the next line.
    while (this.peek(k)?.kind === 'line') k++
    return this.is(this.defines, k) ? { name: nameOf(words.join(' ')), body: this.at + k + 1, isTemplate } : null
  }

  private rule({ name, body, isTemplate }: { name: string; body: number; isTemplate: boolean }): void {
    const from = this.at
    this.at = body
    // Terminals of Lark are strings of characters: a token is one terminal unless it is words to choose from.
    const isToken = this.defines === ':' && TOKEN_NAME.test(name)
    const [known, patterns] = [this.rules.length, new Set(this.patterns)]
    const alternatives = this.alternatives(name, null)
    const isWords = alternatives.every(
      ([first, ...more]) => first?.kind === 'terminal' && more.length === 0 && !this.patterns.has(first.name),
    )
    if (!isTemplate && (!isToken || isWords)) {
      this.add(name, alternatives, known)
      return
    }
    this.rules.length = known
    this.patterns.clear()
    for (const one of isTemplate ? patterns : [...patterns, name]) this.patterns.add(one)
    if (isTemplate)
      this.omitted.add(`the template ${this.text.slice(this.tokens[from]?.at, this.tokens[body - 1]?.at).trim()}`)
    else this.add(name, [[terminal(name)]])
  }

  private add(left: string, alternatives: readonly (readonly CfgSymbol[])[], at = this.rules.length): void {
    this.rules.splice(at, 0, ...alternatives.map((right) => ({ left, right, weight: null })))
  }

  /** Alternatives up to a closing sign, or of a rule (null) up to the next one. */
  private alternatives(rule: string, close: string | null): readonly (readonly CfgSymbol[])[] {
    const found: CfgSymbol[][] = []
    let right: CfgSymbol[] = []
    for (;;) {
      const token = this.peek()
      if (token === undefined || (close === null && this.ends())) break
      if (token.kind === 'line' || this.is(',')) this.at++
      else if (close !== null && this.is(close)) break
      else if (this.is('|') || (this.is('/') && this.defines !== ':')) {
        this.at++
        found.push(right)
        right = []
      } else if (this.is('->') && this.defines !== '->') this.at += 2
      else if (EMPTY.includes(token.text)) this.at++
      else if (this.is('-')) {
        const from = this.at++
        this.item(rule)
        this.omitted.add(`the exception ${this.slice(from)} in ${rule}`)
      } else right.push(...this.item(rule))
    }
    return [...found, right]
  }

  private ends(): boolean {
    const token = this.peek()
    if (this.is(';') || token?.kind === 'directive') return true
    if (this.is('.')) return this.peek(1) === undefined || this.peek(1)?.kind === 'line'
    const begins = this.at === 0 || this.peek(-1)?.kind === 'line'
    return begins && token?.kind !== 'line' && this.header() !== null
  }

  private slice(from: number): string {
    const [first, last] = [this.tokens[from], this.tokens[this.at - 1]]
    return this.text.slice(first?.at, last?.end).replaceAll(/\s+/gu, ' ')
  }

  /** A symbol or group with its repetition operator. */
  private item(rule: string): readonly CfgSymbol[] {
    const from = this.at
    let times = 1
    if (/^\d+$/u.test(this.peek()?.text ?? '') && this.is('*', 1)) {
      times = Number(this.peek()?.text)
      this.at += 2
    }
    const token = this.peek() as Token
    this.at++
    let inner: readonly (readonly CfgSymbol[])[]
    let often = ''
    if (token.kind === 'string') inner = [token.text === '' ? [] : [terminal(token.text)]]
    else if (token.kind === 'pattern') {
      this.patterns.add(token.text)
      inner = [[terminal(token.text)]]
    } else if (token.kind === 'name') inner = [[nonterminal(this.fullName(token.text))]]
    else if (CLOSING[token.text] !== undefined) {
      const close = CLOSING[token.text] as string
      inner = this.alternatives(rule, close)
      if (!this.is(close)) fail(this.text, token.at, `this ${token.text} is not closed`)
      this.at++
      often = token.text === '[' ? '?' : token.text === '{' ? '*' : ''
      if (often === '*' && this.is('-')) {
        this.at++
        often = '+'
      }
    } else return fail(this.text, token.at, `expected a name, a word in quotes or a group, found ${token.text}`)
    while (this.is('?') || this.is('*') || this.is('+')) {
      const sign = this.peek()?.text ?? ''
      often = often === '' || often === sign ? sign : '*'
      this.at++
    }
    let most = times
    if (this.is('~')) {
      times = Number(this.peek(1)?.text)
      const isRange = this.is('..', 2)
      most = isRange ? Number(this.peek(3)?.text) : times
      this.at += isRange ? 4 : 2
      if (!(times >= 0 && most >= times && most <= 1000))
        fail(this.text, token.at, 'expected ~ N or ~ N..M, at most 1000')
    }
    const [one] = inner
    if (often === '' && inner.length === 1 && one !== undefined && most === times)
      return Array.from({ length: times }, () => one).flat()
    const made = this.fresh(rule)
    this.groups[made] = this.slice(from)
    const again = nonterminal(made)
    if (most > times || times !== 1) {
      const counts = Array.from({ length: most - times + 1 }, (_, k) => times + k)
      const [base] = inner.length === 1 ? inner : [undefined]
      let unit = base
      if (unit === undefined) {
        const part = this.fresh(rule)
        this.add(part, inner)
        unit = [nonterminal(part)]
      }
      this.add(
        made,
        counts.map((n) => Array.from({ length: n }, () => unit).flat()),
      )
    } else if (often === '') this.add(made, inner)
    else if (often === '?') this.add(made, [[], ...inner])
    else this.add(made, [...(often === '*' ? [[]] : inner), ...inner.map((right) => [again, ...right])])
    return [again]
  }

  /** A name of ISO EBNF with the words that follow it; elsewhere a name; arguments of a template are not read. */
  private fullName(first: string): string {
    const words = [first]
    while (this.defines === '=' && this.peek()?.kind === 'name') words.push(this.tokens[this.at++]?.text ?? '')
    const name = nameOf(words.join(' '))
    if (this.defines === ':' && this.is('{') && this.peek()?.at === this.tokens[this.at - 1]?.end) {
      const from = this.at - 1
      while (!this.is('}') && this.peek() !== undefined) this.at++
      this.at++
      return this.slice(from)
    }
    return name
  }

  private fresh(rule: string): string {
    let count = this.made.get(rule) ?? 1
    while (this.names.has(`${rule}_${count}`)) count++
    this.made.set(rule, count + 1)
    return `${rule}_${count}`
  }
}

const nameOf = (text: string): string => text.replaceAll(/^<|>$/gu, '').trim()

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    SKIPPED.lastIndex = at
    if (SKIPPED.test(text)) {
      at = SKIPPED.lastIndex
      continue
    }
    const found = TOKENS.find(([, pattern]) => {
      pattern.lastIndex = at
      return pattern.test(text)
    })
    if (found === undefined)
      fail(text, at, `unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) as number))}`)
    const [kind, { lastIndex: end }] = found
    const written = text.slice(at, end)
    tokens.push({ kind, text: kind === 'string' ? said(written, text, at) : written, at, end })
    at = end
  }
  return tokens
}

const CONTROLS: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', f: '\f' }

/** What a string says: without quotes, with its escapes read; `"or"i` is the word in small letters. */
function said(written: string, text: string, at: number): string {
  const isAnyCase = /["']i$/u.test(written)
  const inner = written.slice(1, isAnyCase ? -2 : -1)
  const plain = /^["']/u.test(written)
    ? inner.replaceAll(
        /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/gu,
        (_, x, u, wide, other: string) => {
          const code = Number.parseInt(x ?? u ?? wide ?? '0', 16)
          if (code > 0x10ffff || /^[xuU]$/u.test(other ?? '')) fail(text, at, 'this escape names no character')
          return other === undefined ? String.fromCodePoint(code) : (CONTROLS[other] ?? other)
        },
      )
    : inner
  return isAnyCase ? plain.toLowerCase() : plain
}
