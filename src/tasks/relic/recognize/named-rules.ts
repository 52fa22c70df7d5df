import { memoize } from '../../../core/index.ts'
import { compiled } from './compiled.ts'
import type { Shared } from './prompt.ts'

/** A rule that a line of prose states: `NT5 -> NT0 NT5`, `NT3 → 't27', 't29'` (two rules), `\( S \rightarrow NT1\, NT7 \)`. */
interface NamedRule {
  /** Offsets into the line. */
  readonly span: readonly [start: number, end: number]
  /** Does the grammar have it? */
  readonly holds: boolean
  /** Its number among the grammar's rules, left-hand side first, as `names` has it; null: it has none. */
  readonly rule: string | null
  /** Names in it that are none of the grammar's. */
  readonly strangers: readonly string[]
}

/** Markdown and TeX marks between symbols. */
const MARKS = /[`*$(){}[\]]|\\(?:text|mathrm|mathit|quad|[,;! ()[\]])/gu
/** Left-hand side and arrow; a longer arrow (`=>*`) states a derivation in several steps. */
const HEAD =
  /(?<![\w'])([A-Za-z_]\w{0,39})\s{0,8}(?:->|→|=>|⇒|\\(?:rightarrow|Rightarrow|to)(?![A-Za-z]))(?![*>])\s{0,8}/gu
const WORD = /(?:'([^'\s]{1,40})'|([A-Za-z_]\w{0,39}))/uy
const GAP = /\s{1,8}/uy
const COMMA = /\s{0,8}[,|]\s{0,8}/uy
/**
 * Questions, negations and conjectures are not assertions: words before a rule, back to the last full stop, within this
 * limit.
 */
const HEDGE =
  /\b(?:no|not|never|none|false|untrue|wrong|incorrect|neither|nor|cannot|without|if|whether|is there|are there|could|would|should|need|needs|needed|want|must|suppose|assume|assuming|maybe|perhaps|unless|try)\b|n't\b/iu
/** After a rule: it does not exist. */
const DENIED =
  /^[\s`'"*]*(?:(?:is|are)(?: not|n't) (?:directly |explicitly )?(?:a rule|a production|one of|among|in (?:the|this) (?:rules|grammar|list)|there\b|present|listed|valid|correct|true)|(?:does|do)(?: not|n't) exist|(?:is|are) (?:false|wrong|untrue|incorrect|absent|missing|no (?:rule|production)))/iu
const FAR_BACK = 100
const STOPS = /[.;:!?]/u

/** Rules of a grammar in Chomsky normal form that a line asserts. Linear in the line. */
export function namedRules(names: Names, line: string): readonly NamedRule[] {
  if (!/[>→⇒\\]/u.test(line)) return []
  // Every mark gives way to as many blanks, so that offsets stay what they are.
  const plain = line.replaceAll(/[‘’“”"]/gu, "'").replaceAll(MARKS, (mark) => ' '.repeat(mark.length))
  const found: NamedRule[] = []
  let read = 0
  for (const head of plain.matchAll(HEAD)) {
    // A left-hand side inside the right-hand side before it goes on with a derivation, whose forms are no rules.
    if (head.index < read) continue
    const [whole, parent = ''] = head
    if (!isSymbol(names, parent)) continue
    const hedged = isHedged(plain, head.index)
    let body = bodyAt(names, plain, head.index + whole.length)
    if (body !== null) read = body.end
    while (body?.kind === 'rule') {
      if (!hedged && !DENIED.test(plain.slice(body.end, body.end + FAR_BACK)))
        found.push(ruleOf(names, parent, body, [head.index, body.end]))
      read = body.end
      COMMA.lastIndex = read
      const comma = COMMA.exec(plain)
      body = comma === null ? null : bodyAt(names, plain, read + comma[0].length)
    }
  }
  return found
}

interface Body {
  /** `form`: more than a rule, such as a derivation step. */
  readonly kind: 'rule' | 'form'
  readonly words: readonly string[]
  readonly end: number
}

/** The right-hand side that stands at a place: a token, or two symbols; null: something else. */
function bodyAt(names: Names, text: string, start: number): Body | null {
  const words: string[] = []
  let end = start
  for (let at = start; words.length < 3; ) {
    WORD.lastIndex = at
    const word = WORD.exec(text)
    const name = word?.[1] ?? word?.[2]
    if (word === null || name === undefined || !(isSymbol(names, name) || isToken(names, name))) break
    words.push(name)
    end = at + word[0].length
    GAP.lastIndex = end
    const gap = GAP.exec(text)
    if (gap === null) break
    at = end + gap[0].length
  }
  const [first, second] = words
  if (first === undefined) return null
  const rule =
    words.length === 1
      ? isToken(names, first)
      : words.length === 2 && isSymbol(names, first) && isSymbol(names, second ?? '')
  return { kind: rule ? 'rule' : 'form', words, end }
}

function ruleOf(names: Names, parent: string, { words }: Body, span: readonly [number, number]): NamedRule {
  const strangers = [parent, ...words].filter((name) => !names.symbols.has(name) && !names.terminals.has(name))
  const left = names.symbols.get(parent)
  const codes =
    words.length === 1 ? [names.terminals.get(words[0] ?? '')] : words.map((name) => names.symbols.get(name))
  const key = [left, ...codes].join(' ')
  const holds = strangers.length === 0 && (words.length === 1 ? names.lexical : names.binary).has(key)
  return { span, holds, rule: holds ? key : null, strangers }
}

/** A symbol of the grammar, or one that could be: releases name them NT0, NT1, ... */
const isSymbol = ({ symbols }: Names, name: string): boolean => symbols.has(name) || /^NT\d{1,4}$/u.test(name)
/** A token of the grammar, or one that could be: t0, t1, ... */
const isToken = ({ terminals }: Names, name: string): boolean => terminals.has(name) || /^t\d{1,4}$/u.test(name)

function isHedged(text: string, at: number): boolean {
  const before =
    text
      .slice(Math.max(0, at - FAR_BACK), at)
      .split(STOPS)
      .at(-1) ?? ''
  const after = text.slice(at, at + FAR_BACK).split(/[.;:!]/u, 1)[0] ?? ''
  return HEDGE.test(before) || after.includes('?')
}

/** The symbols and rules of a grammar, to be found by name. */
interface Names {
  readonly symbols: ReadonlyMap<string, number>
  readonly terminals: ReadonlyMap<string, number>
  readonly binary: ReadonlySet<string>
  readonly lexical: ReadonlySet<string>
}

export const namesOf = memoize((shared: Shared): Names => {
  const { nonterminals, terminals, binary, lexical } = compiled(shared)
  const rules = (flat: Int32Array, width: number): ReadonlySet<string> =>
    new Set(Array.from({ length: flat.length / width }, (_, i) => flat.slice(width * i, width * (i + 1)).join(' ')))
  return {
    symbols: new Map(nonterminals.map((name, i) => [name, i])),
    terminals: new Map(terminals.map((name, i) => [name, i])),
    binary: rules(binary, 3),
    lexical: rules(lexical, 2),
  }
})
