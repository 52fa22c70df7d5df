import { ruleSetOf, type Shared, symbolsOf } from '../grammars/grammar.ts'

/** A rule that a line of prose states: `NT5 -> NT0 NT5`, `NT3 → 't27', 't29'` (two rules), `\( S \rightarrow NT1\, NT7 \)`. */
interface NamedRule {
  /** Offsets into the line. */
  readonly span: readonly [start: number, end: number]
  /** Does the grammar have it? */
  readonly holds: boolean
  /** By names, left-hand side first; null: the grammar has no such rule. */
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
export function namedRules(shared: Shared, line: string): readonly NamedRule[] {
  if (!/[>→⇒\\]/u.test(line)) return []
  // Every mark gives way to as many blanks, so that offsets stay what they are.
  const plain = line.replaceAll(/[‘’“”"]/gu, "'").replaceAll(MARKS, (mark) => ' '.repeat(mark.length))
  const found: NamedRule[] = []
  let read = 0
  for (const head of plain.matchAll(HEAD)) {
    // A left-hand side inside the right-hand side before it goes on with a derivation, whose forms are no rules.
    if (head.index < read) continue
    const [whole, parent = ''] = head
    if (!isSymbol(shared, parent)) continue
    const hedged = isHedged(plain, head.index)
    let body = bodyAt(shared, plain, head.index + whole.length)
    if (body !== null) read = body.end
    while (body?.kind === 'rule') {
      if (!hedged && !DENIED.test(plain.slice(body.end, body.end + FAR_BACK)))
        found.push(ruleOf(shared, parent, body, [head.index, body.end]))
      read = body.end
      COMMA.lastIndex = read
      const comma = COMMA.exec(plain)
      body = comma === null ? null : bodyAt(shared, plain, read + comma[0].length)
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
function bodyAt(shared: Shared, text: string, start: number): Body | null {
  const words: string[] = []
  let end = start
  for (let at = start; words.length < 3; ) {
    WORD.lastIndex = at
    const word = WORD.exec(text)
    const name = word?.[1] ?? word?.[2]
    if (word === null || name === undefined || !(isSymbol(shared, name) || isToken(shared, name))) break
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
      ? isToken(shared, first)
      : words.length === 2 && isSymbol(shared, first) && isSymbol(shared, second ?? '')
  return { kind: rule ? 'rule' : 'form', words, end }
}

function ruleOf(shared: Shared, parent: string, { words }: Body, span: readonly [number, number]): NamedRule {
  const { nonterminals, tokens } = symbolsOf(shared)
  const strangers = [parent, ...words].filter((name) => !nonterminals.has(name) && !tokens.has(name))
  const rule = [parent, ...words].join(' ')
  const holds = ruleSetOf(shared).has(rule)
  return { span, holds, rule: holds ? rule : null, strangers }
}

/** A symbol of the grammar, or one that could be: releases name them NT0, NT1, ... */
const isSymbol = (shared: Shared, name: string): boolean =>
  symbolsOf(shared).nonterminals.has(name) || /^NT\d{1,4}$/u.test(name)
/** A token of the grammar, or one that could be: t0, t1, ... */
const isToken = (shared: Shared, name: string): boolean =>
  symbolsOf(shared).tokens.has(name) || /^t\d{1,4}$/u.test(name)

function isHedged(text: string, at: number): boolean {
  const before =
    text
      .slice(Math.max(0, at - FAR_BACK), at)
      .split(STOPS)
      .at(-1) ?? ''
  const after = text.slice(at, at + FAR_BACK).split(/[.;:!]/u, 1)[0] ?? ''
  return HEDGE.test(before) || after.includes('?')
}
