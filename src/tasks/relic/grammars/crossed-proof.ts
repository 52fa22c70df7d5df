import type { Json } from '../../../core/index.ts'
import { arrangementOf, pairChartOf, pairGrammarOf, stringsOf } from './crossed.ts'
import { type Derivation, derivationNodes, type NamedRule } from './derivation.ts'
import { liftedOf, ruleSetOf, type Shared, symbolsOf, tokensOf } from './grammar.ts'
import { clauseOfRule, codeOf } from './present.ts'

/** A rule of a derivation over the parts that it covers: begin and end of each string of its pair, or of the whole string. */
export interface PairNode {
  readonly rule: NamedRule
  readonly bounds: readonly number[]
  /** Of its two children, in the list of nodes; none where the rule writes two tokens. */
  readonly children: readonly number[]
}

/**
 * The nodes of a derivation in preorder; null where its rules do not rewrite S into pairs of tokens. A rule that the grammar has
 * not joins its parts as (a c, b d).
 */
export function pairNodes(shared: Shared, derivation: Derivation): readonly PairNode[] | null {
  const { tokens } = symbolsOf(shared)
  const { start } = liftedOf(shared)
  const nodes = derivationNodes(shared, derivation)
  const isTokens = ([, ...right]: NamedRule): boolean => right.every((name) => tokens.has(name))
  const isFit = (rule: NamedRule, at: number): boolean =>
    rule.length === 3 && tokens.has(rule[1]!) === tokens.has(rule[2]!) && (rule[0] === start) === (at === 0)
  if (nodes === null || !nodes.every(({ rule }, at) => isFit(rule, at)) || isTokens(nodes[0]!.rule)) return null
  const arrangements = nodes.map(({ rule }, at) =>
    isTokens(rule) ? null : stringsOf(arrangementOf(shared, rule.join(' ')) ?? (at === 0 ? 'a c b d' : 'a c, b d')),
  )
  const children = nodes.map(({ rule }, at) => (isTokens(rule) ? [] : [at + 1, at + 1 + nodes[at + 1]!.size]))
  /** Tokens of each string of a node. */
  const lengths: number[][] = []
  const partOf = (at: number, letter: string): readonly [child: number, string: number] => [
    children[at]![letter < 'c' ? 0 : 1]!,
    letter === 'a' || letter === 'c' ? 0 : 1,
  ]
  const lengthOf = (at: number, letter: string): number => {
    const [child, string] = partOf(at, letter)
    return lengths[child]![string]!
  }
  for (let at = nodes.length - 1; at >= 0; at--)
    lengths[at] = arrangements[at]?.map((letters) =>
      letters.reduce((sum, letter) => sum + lengthOf(at, letter), 0),
    ) ?? [1, 1]
  const bounds: number[][] = nodes.map(() => [])
  bounds[0] = [0, lengths[0]![0]!]
  for (const [at, arrangement] of arrangements.entries())
    for (const [string, letters] of (arrangement ?? []).entries()) {
      let place = bounds[at]![2 * string]!
      for (const letter of letters) {
        const [child, own] = partOf(at, letter)
        bounds[child]![2 * own] = place
        place += lengthOf(at, letter)
        bounds[child]![2 * own + 1] = place
      }
    }
  return nodes.map(({ rule }, at) => ({ rule, bounds: bounds[at]!, children: children[at]! }))
}

/** The string that a derivation writes, by names; null where it is none. */
export function writtenBy(nodes: readonly PairNode[]): readonly string[] {
  const out: string[] = []
  for (const { rule, bounds, children } of nodes)
    if (children.length === 0) for (const string of [0, 1]) out[bounds[2 * string]!] = rule[string + 1]!
  return out
}

/** Nodes before the first that no derivation of the string has. */
export function goodPairNodes(shared: Shared, string: string, nodes: readonly PairNode[]): number {
  const tokens = string.split(' ')
  if (nodes[0]?.bounds[1] !== tokens.length) return 0
  const bad = nodes.findIndex(
    ({ rule, bounds, children }) =>
      !ruleSetOf(shared).has(rule.join(' ')) ||
      (children.length === 0
        ? tokens[bounds[0]!] !== rule[1] || tokens[bounds[2]!] !== rule[2]
        : children.some((child) => !derivesPair(shared, string, nodes[child]!.rule[0]!, nodes[child]!.bounds))),
  )
  return bad === -1 ? nodes.length : bad
}

function derivesPair(shared: Shared, string: string, name: string, bounds: readonly number[]): boolean {
  const symbol = pairGrammarOf(shared).nonterminals.indexOf(name)
  return symbol !== -1 && pairChartOf(shared, tokensOf(shared, string)).find(symbol, bounds) !== undefined
}

/** Parts as solutions write them, tokens counted from 1, both ends included: `[1-2, 7]`. */
export const partsText = (bounds: readonly number[]): string => {
  const part = (from: number, to: number): string => (to - from === 1 ? `${to}` : `${from + 1}-${to}`)
  return `[${part(bounds[0]!, bounds[1]!)}${bounds.length === 2 ? '' : `, ${part(bounds[2]!, bounds[3]!)}`}]`
}

const sizeOf = (bounds: readonly number[]): number =>
  bounds.reduce((sum, bound, at) => sum + (at % 2 === 0 ? -bound : bound), 0)

/** A derivation in steps: its lines with the number of tokens that each covers. */
export function pairLines(
  shared: Shared,
  derivation: Derivation,
): readonly { readonly text: string; readonly width: number }[] {
  const nodes = pairNodes(shared, derivation) ?? []
  return nodes.map(({ rule: [left = '', ...right], bounds, children }) => ({
    text: `${left}${partsText(bounds)} -> ${
      children.length === 0
        ? right.map((name) => `'${name}'`).join(' ')
        : children.map((child) => `${nodes[child]!.rule[0]}${partsText(nodes[child]!.bounds)}`).join(' ')
    }`,
    width: sizeOf(bounds),
  }))
}

export const ABOUT_PARTS = 'A[1-2, 5] is A over the pair of tokens 1 to 2 and token 5.'

const PARTS = String.raw`\[(\d{1,4})(?:-(\d{1,4}))?(?:,\s{0,4}(\d{1,4})(?:-(\d{1,4}))?)?\]`
const NAME = String.raw`([^\s[\]'"]{1,64})`
const TOKEN = String.raw`'([^'\s]{1,64})'`
const STEP = new RegExp(
  String.raw`^\s{0,8}${NAME}${PARTS}\s{0,4}(?:->|→)\s{0,4}(?:${NAME}${PARTS}\s{1,4}${NAME}${PARTS}|${TOKEN}\s{1,4}${TOKEN})\s{0,8}$`,
  'u',
)
const CELL = new RegExp(String.raw`^\s{0,8}${PARTS}: ([\p{L}\p{N}_, ]{1,20000}?)\s{0,8}$`, 'u')

/** Four groups of a pattern as bounds. */
function boundsOf(groups: readonly (string | undefined)[]): readonly number[] {
  const [from, to, from2, to2] = groups
  const part = (first: string, last = first): number[] => [Number(first) - 1, Number(last)]
  return from2 === undefined ? part(from!, to) : [...part(from!, to), ...part(from2, to2)]
}

const isInOrder = (bounds: readonly number[]): boolean =>
  bounds.every((bound, at) => at === 0 || (at % 2 === 1 ? bound > bounds[at - 1]! : bound >= bounds[at - 1]!))

export interface PairStep {
  readonly holds: boolean
  readonly whole: boolean
  readonly unknown: readonly string[]
}

/** A line `A[1-2, 7] -> B[1, 7] C[2, 8-9]` or `A[1, 7] -> 'x' 'y'` about a string; null for another. */
export function pairStep(shared: Shared, string: string, line: string): PairStep | null {
  const match = STEP.exec(line)
  if (match === null) return null
  const tokens = string.split(' ')
  const { nonterminals, tokens: codes } = symbolsOf(shared)
  const bounds = boundsOf(match.slice(2, 6))
  const isTokens = match[16] !== undefined
  const written = [match[1]!, ...(isTokens ? [match[16]!, match[17]!] : [match[6]!, match[11]!])]
  const names = written.map((name) => codeOf(shared, name))
  const arrangement = arrangementOf(shared, names.join(' '))
  const holds = (): boolean => {
    if (!isInOrder(bounds) || bounds.at(-1)! > tokens.length) return false
    if (isTokens)
      return (
        arrangement === null &&
        bounds.length === 4 &&
        sizeOf(bounds) === 2 &&
        tokens[bounds[0]!] === names[1] &&
        tokens[bounds[2]!] === names[2]
      )
    const children = [boundsOf(match.slice(7, 11)), boundsOf(match.slice(12, 16))]
    if (arrangement == null || children.some((child) => child.length !== 4 || !isInOrder(child))) return false
    const strings = stringsOf(arrangement)
    return (
      bounds.length === 2 * strings.length &&
      strings.every((letters, at) => {
        let place = bounds[2 * at]!
        for (const letter of letters) {
          const child = children[letter < 'c' ? 0 : 1]!
          const own = letter === 'a' || letter === 'c' ? 0 : 2
          if (child[own] !== place) return false
          place = child[own + 1]!
        }
        return place === bounds[2 * at + 1]
      }) &&
      children.every((child, at) => derivesPair(shared, string, names[at + 1]!, child))
    )
  }
  return {
    holds: holds(),
    whole: names[0] === liftedOf(shared).start && bounds[0] === 0 && bounds[1] === tokens.length,
    unknown: written.filter((_, at) => !nonterminals.has(names[at]!) && !codes.has(names[at]!)),
  }
}

/** All parts of a string that some symbol derives, with these symbols. */
export function pairCells(shared: Shared, string: string): ReadonlyMap<string, { names: string[]; width: number }> {
  const { nonterminals } = pairGrammarOf(shared)
  const { items } = pairChartOf(shared, tokensOf(shared, string))
  const out = new Map<string, { names: string[]; width: number }>()
  for (const { symbol, bounds } of items) {
    const key = partsText(bounds)
    const cell = out.get(key) ?? { names: [], width: sizeOf(bounds) }
    cell.names.push(nonterminals[symbol]!)
    out.set(key, cell)
  }
  return out
}

/** A line `[1-2, 7]: NT3, NT5` or `[1-9]: none` about a string: are these all the symbols? null for another line. */
export function pairCell(shared: Shared, string: string, line: string): PairStep | null {
  const match = CELL.exec(line)
  if (match === null) return null
  const bounds = boundsOf(match.slice(1, 5))
  const names = match[5] === 'none' ? [] : match[5]!.split(', ')
  const there = pairCells(shared, string).get(partsText(bounds))?.names ?? []
  const tokens = string.split(' ').length
  return {
    holds:
      isInOrder(bounds) &&
      bounds.at(-1)! <= tokens &&
      names.length === there.length &&
      there.every((name) => names.includes(name)),
    whole: bounds[0] === 0 && bounds[1] === tokens && !names.includes(liftedOf(shared).start),
    unknown: names.filter((name) => !symbolsOf(shared).nonterminals.has(name)),
  }
}

/** Do these rules, by number and in preorder, write the string? */
export function provesPairs(shared: Shared, string: string, numbers: readonly number[]): boolean {
  const { rules } = liftedOf(shared)
  const derivation = numbers.map((number) => rules[number])
  if (derivation.some((rule) => rule === undefined)) return false
  const nodes = pairNodes(
    shared,
    derivation.map((rule) => [rule!.left, ...rule!.right.map(({ name }) => name)]),
  )
  return nodes !== null && writtenBy(nodes).join(' ') === string
}

/** A derivation as a drawn tree, whose rules are found again in the lines of the grammar. */
export function pairTreeDrawing(shared: Shared, derivation: Derivation): readonly Json[] {
  const nodes = pairNodes(shared, derivation) ?? []
  const notes = new Set<string>()
  const drawn: Json[] = []
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { rule, bounds, children } = nodes[at]!
    const note = clauseOfRule(shared, rule)
    notes.add(note)
    drawn[at] = {
      label: rule[0]!,
      note,
      children:
        children.length > 0
          ? children.map((child) => drawn[child]!)
          : rule.slice(1).map((label, string) => ({ label, note: `token ${bounds[2 * string]! + 1}`, children: [] })),
    }
  }
  const links = [...notes].map((text) => ({ text, parts: [`note/${text}`] }))
  return drawn[0] === undefined ? [] : [{ kind: 'tree', title: 'A derivation', root: drawn[0], links }]
}

/** Longer lists are not shown whole. */
const MAX_LINES = 200

/** The parts of a string that symbols derive, as a list. */
export function pairChartDrawing(shared: Shared, string: string): Json {
  const lines = [...pairCells(shared, string)].map(([parts, { names }]) => `${parts}: ${names.join(', ')}`)
  const more = lines.length > MAX_LINES ? `\n${lines.length - MAX_LINES} more` : ''
  return {
    kind: 'text',
    title: 'What derives which pair of parts',
    text: `${lines.slice(0, MAX_LINES).join('\n')}${more}`,
  }
}

/** All parts that symbols derive, in steps: lines with the number of tokens that each covers. */
export const pairCellLines = (
  shared: Shared,
  string: string,
): readonly { readonly text: string; readonly width: number }[] =>
  [...pairCells(shared, string)].map(([parts, { names, width }]) => ({ text: `${parts}: ${names.join(', ')}`, width }))
