import type { Extraction } from '../../../core/index.ts'
import { locateReasoning } from '../../../core/reasoning.ts'
import { lastFence } from '../../../libraries/language/fences.ts'
import { linesOf, type Piece, visiblePieces } from '../../../libraries/language/lines.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import { isCrossed } from '../grammars/crossed.ts'
import { type Derivation, type NamedRule, treeNodes } from '../grammars/derivation.ts'
import { hasPlainTokens, liftedOf, ruleSetOf, type Shared, symbolsOf } from '../grammars/grammar.ts'
import { codeOf } from '../grammars/present.ts'

interface OfGrammar {
  readonly shared: Shared
}

/** Longer texts and derivations are unparsed. */
const MAX_TEXT = 200_000
const MAX_RULES = 1000
const MAX_LINE = 40_000

type Found = Extraction<Derivation>
const unparsed = (reason: string): Found => ({ kind: 'unparsed', reason })

/** The last closed code block, or the last paragraph, holds a derivation and nothing else but a label. */
export function strict(text: string, { shared }: OfGrammar): Found {
  if (text.length > MAX_TEXT) return unparsed(`more than ${MAX_TEXT} characters`)
  if (locateReasoning(text).unclosed) return unparsed('reasoning block never closed')
  const fence = lastFence(text)
  if (fence !== null && !fence.closed) return unparsed('fenced block never closed')
  const piece = fence === null ? lastParagraph(text) : { text: text.slice(fence.start, fence.end), ...fence }
  if (piece === null) return unparsed('no visible text')
  const body = withoutLabel(piece)
  const found = wholeTree(shared, body.text) ?? wholeList(shared, body.text)
  return found === null
    ? unparsed('the last code block or paragraph is not one derivation')
    : unlessNegated(text, {
        kind: 'extracted',
        answer: found.derivation,
        rule: found.rule,
        span: [body.start, body.end],
      })
}

/** As strict; else the last tree in brackets, or the last lines of rules or sentential forms, anywhere outside reasoning. */
export function lenient(text: string, question: OfGrammar): Found {
  const first = strict(text, question)
  if (first.kind === 'extracted' || text.length > MAX_TEXT || locateReasoning(text).unclosed) return first
  for (const piece of visiblePieces(text)) {
    const found = lastTree(question.shared, piece) ?? lastList(question.shared, piece)
    if (found !== null) return unlessNegated(text, found)
  }
  return unparsed('no derivation outside reasoning')
}

/** The lines behind the last blank one. */
function lastParagraph(text: string): Piece | null {
  for (const piece of visiblePieces(text)) {
    let [start, end] = [-1, -1]
    for (const line of linesOf(piece)) {
      if (line.text.trim() === '') {
        if (end !== -1) break
        continue
      }
      start = line.start
      if (end === -1) end = line.end
    }
    if (end !== -1) return { text: text.slice(start, end), start, end }
  }
  return null
}

/** "Answer:", "The derivation is:" in front of a derivation. */
function withoutLabel(piece: Piece): Piece {
  const label = /^[^\n([\]>→⇒]{0,80}:[ \t*_]*\n?/u.exec(piece.text)?.[0].length ?? 0
  return { text: piece.text.slice(label), start: piece.start + label, end: piece.end }
}

interface Read {
  readonly derivation: Derivation
  readonly rule: string
}

// ---- trees in brackets

const TOKEN = /'[^'\s]{1,64}'|"[^"\s]{1,64}"|[([]|[)\]]|[^\s()[\],]{1,64}/gu

interface Tree {
  readonly rules: NamedRule[]
  readonly start: number
  readonly end: number
}

/** All outermost bracketed terms, in order. One pass with an explicit stack. */
function trees(shared: Shared, text: string): readonly Tree[] {
  const found: Tree[] = []
  /** Open nodes: the place of their rule in `rules`, and the names read so far. */
  let open: { readonly rule: number; readonly names: string[] }[] = []
  let rules: NamedRule[] = []
  let start = 0
  for (const match of text.matchAll(TOKEN)) {
    const mark = match[0]
    if (mark === '(' || mark === '[') {
      if (open.length === 0) {
        start = match.index
        rules = []
      }
      open.push({ rule: rules.push([]) - 1, names: [] })
    } else if (mark === ')' || mark === ']') {
      const node = open.pop()
      if (node === undefined) continue
      rules[node.rule] = node.names
      const [name] = node.names
      if (name === undefined) open = []
      else if (open.length > 0) open.at(-1)!.names.push(name)
      else found.push({ rules, start, end: match.index + 1 })
    } else if (open.length > 0) open.at(-1)!.names.push(codeOf(shared, bare(mark)))
  }
  const known = ruleSetOf(shared)
  const isNode = (rule: NamedRule): boolean => rule.length > 1 || known.has(rule[0] ?? '')
  return found.filter(({ rules }) => rules.length <= MAX_RULES && rules.every(isNode))
}

/** A name without quotes and the dot of some tree notations. */
const bare = (name: string): string =>
  /^(?:'[^']+'|"[^"]+")$/u.test(name)
    ? name.slice(1, -1)
    : name.replace(/^["'`‘’“”.]+/u, '').replace(/["'`‘’“”]+$/u, '')

function wholeTree(shared: Shared, text: string): Read | null {
  const [tree, ...others] = trees(shared, text)
  if (tree === undefined || others.length > 0) return null
  const rest = text.slice(0, tree.start) + text.slice(tree.end)
  return /^[\s`*$.,;]*$/u.test(rest) ? { derivation: tree.rules, rule: 'tree' } : null
}

function lastTree(shared: Shared, piece: Piece): Found | null {
  const tree = trees(shared, piece.text).findLast(({ rules }) => rules[0]?.[0] === liftedOf(shared).start)
  return tree === undefined
    ? null
    : {
        kind: 'extracted',
        answer: tree.rules,
        rule: 'last-tree',
        span: [piece.start + tree.start, piece.start + tree.end],
      }
}

// ---- rules and sentential forms, a line each

const SPAN = String.raw`(?:\[\d{1,4}(?:-\d{1,4})?\])?`
const NUMBER = String.raw`(?:\(?\d{1,4}[.):]|[-*•])?`

/** Patterns of rules and of sentential forms on a line, over names in words, or over any names. */
function patternsOver(name: string, empty: string) {
  const form = String.raw`${name}${SPAN}(?:[ \t]{1,4}${name}${SPAN}){0,199}`
  return {
    rule: new RegExp(
      String.raw`^[ \t]{0,8}${NUMBER}[ \t\x60$]{0,8}(${name})${SPAN}[ \t]{0,4}(?:->|→|::=)[ \t]{0,4}((?:${form})${empty})[ \t\x60$.,;]{0,8}$`,
      'u',
    ),
    steps: new RegExp(
      String.raw`^[ \t]{0,8}${NUMBER}[ \t\x60$]{0,8}(?:${form})?[ \t]{0,4}(?:(?:=>|⇒|->|→)[ \t]{0,4}${form}[ \t]{0,4}){0,999}(?:=>|⇒|->|→)?[ \t\x60$.,;]{0,8}$`,
      'u',
    ),
  }
}
const IN_WORDS = patternsOver(String.raw`["'\x60‘’“”]?[\p{L}\p{N}_]{1,64}["'\x60‘’“”]?`, '')
const WITH_MARKS = patternsOver(String.raw`(?:'[^'\s]{1,64}'|"[^"\s]{1,64}"|(?!=>|->|::=)[^\s[\]'"→⇒]{1,64})`, '?')
const patternsOf = (shared: Shared) => (hasOnlyWords(shared) ? IN_WORDS : WITH_MARKS)

const hasOnlyWords = (shared: Shared): boolean =>
  hasPlainTokens(shared) &&
  liftedOf(shared).empty.size === 0 &&
  [...symbolsOf(shared).nonterminals.keys()].every((name) => /^[\p{L}\p{N}_]+$/u.test(name))

/** How an empty right-hand side is written. */
const EMPTY = /^(?:ε|epsilon|''|"")$/u
const ARROW = /=>|⇒|->|→/u

const namesOf = (shared: Shared, form: string): string[] =>
  form
    .replaceAll(/\[\d{1,4}(?:-\d{1,4})?\]/gu, '')
    .trim()
    .split(/[ \t]+/u)
    .filter((name) => name !== '' && (!EMPTY.test(name) || symbolsOf(shared).tokens.has(name)))
    .map((name) => codeOf(shared, bare(name)))

/** Of a grammar over pairs a clause, or a rule with the parts that it covers, as a rule of the tree: `A -> B C`, `A -> x y`. */
function plainRule(shared: Shared, line: string): string {
  if (!isCrossed(shared) || line.length > MAX_LINE) return line
  const plain = line.replaceAll(/\[[\d\s,-]{1,30}\]/gu, '')
  const pair =
    /^([^()]{1,80})\(\s*(['"]?[^\s'",()]{1,64}['"]?)\s*,\s*(['"]?[^\s'",()]{1,64}['"]?)\s*\)([^()]{0,40})$/u.exec(plain)
  if (pair !== null) {
    const [, left = '', first, second, rest] = pair
    return `${left.replace(/\s*(?:->|→)\s*$/u, '')} -> ${first} ${second}${rest}`
  }
  return plain.replaceAll(/(?<=[^\s>→])\([^()]{0,2000}\)/gu, '')
}

/** The rules on the lines, or null where a line is none. */
function rulesOf(shared: Shared, lines: readonly string[]): readonly NamedRule[] | null {
  const rules: NamedRule[] = []
  const { rule } = patternsOf(shared)
  for (const line of lines) {
    const match = rule.exec(plainRule(shared, line))
    if (match === null) return null
    rules.push([codeOf(shared, bare(match[1] as string)), ...namesOf(shared, match[2] as string)])
  }
  return rules
}

/** Rules as listed rewrite the leftmost nonterminal each time, or else the rightmost. */
function ordered(shared: Shared, rules: readonly NamedRule[]): Derivation {
  if (treeNodes(shared, rules) !== null) return rules
  return fromRightmost(shared, rules) ?? rules
}

/** A symbol of a tree with the rule that rewrites it; none: it is a token, or was not rewritten. */
interface Node {
  readonly name: string
  rule: NamedRule | null
  children: readonly Node[]
}
const nodeOf = (name: string): Node => ({ name, rule: null, children: [] })

function rewrite(node: Node, right: readonly string[]): readonly Node[] {
  node.rule = [node.name, ...right]
  node.children = right.map(nodeOf)
  return node.children
}

/** The rules of a tree in leftmost order. */
function leftmost(root: Node): Derivation {
  const out: NamedRule[] = []
  const agenda = [root]
  for (let top = agenda.pop(); top !== undefined; top = agenda.pop()) {
    if (top.rule !== null) out.push(top.rule)
    agenda.push(...top.children.toReversed())
  }
  return out
}

/** The same tree's leftmost order. Children of a node are expanded from the last one on. */
function fromRightmost(shared: Shared, rules: readonly NamedRule[]): Derivation | null {
  const { tokens } = symbolsOf(shared)
  const root = nodeOf(liftedOf(shared).start)
  const pending = [root]
  for (const [left, ...right] of rules) {
    const top = pending.pop()
    if (top === undefined || top.name !== left) return null
    pending.push(...rewrite(top, right).filter(({ name }) => !tokens.has(name)))
  }
  return pending.length > 0 ? null : leftmost(root)
}

/**
 * The rules behind sentential forms, each of which rewrites one nonterminal of the one before: of several places where
 * that is possible, the leftmost whose rule the grammar has.
 */
function rulesOfForms(shared: Shared, forms: readonly (readonly string[])[]): Derivation | null {
  const { tokens } = symbolsOf(shared)
  const known = ruleSetOf(shared)
  const { start } = liftedOf(shared)
  if (forms.length < 3 || forms[0]?.length !== 1 || forms[0][0] !== start) return null
  if (forms.reduce((sum, form) => sum + form.length, 0) > 40 * MAX_RULES) return null
  const root = nodeOf(start)
  let row: readonly Node[] = [root]
  for (const form of forms.slice(1)) {
    const grown = form.length - row.length
    if (grown < 0) return null
    let same = 0
    while (same < row.length && row[same]?.name === form[same]) same++
    const places: number[] = []
    for (let place = Math.min(same, row.length - 1); place >= 0; place--) {
      if (!row.slice(place + 1).every(({ name }, k) => name === form[place + grown + 1 + k])) break
      if (!tokens.has(row[place]!.name)) places.unshift(place)
    }
    const isRule = (place: number): boolean =>
      known.has([row[place]!.name, ...form.slice(place, place + grown + 1)].join(' '))
    const at = places.find(isRule) ?? places[0] ?? -1
    if (at === -1) return null
    const children = rewrite(row[at]!, form.slice(at, at + grown + 1))
    row = [...row.slice(0, at), ...children, ...row.slice(at + 1)]
  }
  return leftmost(root)
}

function wholeList(shared: Shared, text: string): Read | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0 || lines.length > MAX_RULES || lines.some((line) => line.length > MAX_LINE)) return null
  const rules = rulesOf(shared, lines)
  if (rules !== null) return { derivation: ordered(shared, rules), rule: 'rules' }
  const forms = formsOf(shared, lines)
  const derivation = forms === null ? null : rulesOfForms(shared, forms)
  return derivation === null ? null : { derivation, rule: 'sentential-forms' }
}

function formsOf(shared: Shared, lines: readonly string[]): (readonly string[])[] | null {
  const { steps } = patternsOf(shared)
  if (!lines.some((line) => ARROW.test(line)) || !lines.every((line) => steps.test(line))) return null
  return lines
    .join('\n')
    .split(/=>|⇒|->|→|\n/u)
    .map((form) => {
      const plain = form.replace(/^\s*\(?\d{1,4}[.):]/u, '')
      return namesOf(shared, hasOnlyWords(shared) ? plain.replaceAll(/[`$.,;]/gu, ' ') : plain)
    })
    .filter((form) => form.length > 0)
}

/** The last run of lines that are all rules, or all sentential forms. */
function lastList(shared: Shared, piece: Piece): Found | null {
  const { rule, steps } = patternsOf(shared)
  const lines = piece.text.split('\n')
  let end = piece.end
  for (let last = lines.length - 1; last >= 0; last--) {
    const line = lines[last] as string
    const isRule = line.length <= MAX_LINE && rule.test(plainRule(shared, line))
    const isForm = !isRule && line.length <= MAX_LINE && ARROW.test(line) && steps.test(line)
    if (!isRule && !isForm) {
      end -= line.length + 1
      continue
    }
    let first = last
    const belongs = (above: string): boolean =>
      above.length <= MAX_LINE &&
      (above.trim() === '' || (isRule ? rule.test(plainRule(shared, above)) : steps.test(above)))
    while (first > 0 && belongs(lines[first - 1] as string)) first--
    const run = lines.slice(first, last + 1)
    const read = wholeList(shared, run.join('\n'))
    const start = end - run.join('\n').length
    return read === null
      ? null
      : { kind: 'extracted', answer: read.derivation, rule: `last-${read.rule}`, span: [start, end] }
  }
  return null
}
