import { editDistance } from '../../../core/edit-distance.ts'
import { below, float, pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { forEachToken } from '../grammar/token-sets.ts'
import type { Neighbourhood, NeighbourhoodKernel } from '../recognise/neighbourhood.ts'
import type { Language } from '../sample/language.ts'
import { derivesLength } from '../sample/lengths.ts'
import type { NgramModel } from './ngram-model.ts'
import type { StrictlyLocalTest } from './strictly-local.ts'

/** One edit of a token string. Positions count tokens of the string before the edit; an insertion goes before `at`. */
export type Edit =
  | { readonly kind: 'substitute'; readonly at: number; readonly token: number }
  | { readonly kind: 'insert'; readonly at: number; readonly token: number }
  | { readonly kind: 'delete'; readonly at: number }

export type EditKind = Edit['kind']

/** How an edit changes the length of a string. */
export const lengthChange: Readonly<Record<EditKind, -1 | 0 | 1>> = { substitute: 0, insert: 1, delete: -1 }

/** The edited string; the given one is left alone. */
export function applyEdit(tokens: Int32Array, edit: Edit): Int32Array {
  const out = new Int32Array(tokens.length + lengthChange[edit.kind])
  out.set(tokens.subarray(0, edit.at))
  if (edit.kind === 'delete') out.set(tokens.subarray(edit.at + 1), edit.at)
  else {
    out[edit.at] = edit.token
    out.set(tokens.subarray(edit.kind === 'insert' ? edit.at : edit.at + 1), edit.at + 1)
  }
  return out
}

/** What strings near a positive may look like. */
export interface EditRules {
  /** kinds of edit to use; at least one. Substitutions alone keep source and negative at one length. */
  readonly kinds: readonly EditKind[]
  /** number of edits, and edit distance from the source: uniform on 1..`most`, at most 3 */
  readonly most: number
  /** every edited string must pass this test; k = 1 passes everything */
  readonly legality: StrictlyLocalTest
  /** by which the token of an edit is chosen as ordinary text would have it there */
  readonly model: NgramModel
}

/** Draws negatives of a given length; null when the source that was drawn has no fitting neighbour: draw again. */
export type EditSampler = (stream: Stream, length: number) => Int32Array | null

/**
 * Negatives at a small distance from the language. A source is drawn by the exact sampler; all edits but the last are
 * free of the question of membership; then one neighbourhood pass shows which last edits leave the language, and one
 * of them is taken. So the result is never in the language, however dense that is.
 *
 * Edits follow the trigram statistics of positives, so that negatives share token and n-gram frequencies
 * with positives as far as one edit allows; see {@link editChooser}.
 */
export function editSampler(language: Language, neighbourhood: NeighbourhoodKernel, rules: EditRules): EditSampler {
  const chooser = editChooser(rules.legality, rules.model)
  return (stream, length) => {
    const distance = 1 + below(stream, rules.most)
    const kinds = Array.from({ length: distance }, () => pick(stream, rules.kinds))
    const sourceLength = kinds.reduce((n, kind) => n - lengthChange[kind], length)
    if (!derivesLength(language.lengths, 0, sourceLength)) return null
    const source = language.sampler.sample(stream, sourceLength)
    let tokens = source
    for (const [i, kind] of kinds.entries()) {
      const excluded = i === distance - 1 ? neighbourhood(tokens, kind) : null
      const edit = chooser.choose(stream, tokens, kind, excluded)
      if (edit === null) return null
      tokens = applyEdit(tokens, edit)
    }
    return distance > 1 && editDistance(source, tokens) !== distance ? null : tokens
  }
}

/** Lists and draws the legal edits of a string. */
export interface EditChooser {
  /**
   * A random legal edit of one kind, leading out of the language when its neighbourhood is given. Null when there is
   * none. Edits that give the same string (inserting or deleting within a run) count once.
   */
  choose(stream: Stream, tokens: Int32Array, kind: EditKind, excluded: Neighbourhood | null): Edit | null
  /** All of them, in order of position and token. */
  list(tokens: Int32Array, kind: EditKind, excluded: Neighbourhood | null): Edit[]
}

/**
 * A position is redrawn as the model has it between its neighbours: a
 * place uniform, then a legal token by weight, or for deletions the token that stands there against none, until that makes
 * a fitting edit. So a place is changed the more often the less its neighbours force it.
 */
export function editChooser(legality: StrictlyLocalTest, model: NgramModel): EditChooser {
  const { words, boundary } = legality
  const legal = new Int32Array(words)
  const fitting = new Int32Array(words)
  const weights = new Float64Array(legality.terminals)
  const around = { a2: boundary, a: boundary, b: boundary, b2: boundary }

  /** Finds the tokens that are legal at position (or gap) p and those of them that make a fitting edit; are there such? */
  function look(tokens: Int32Array, p: number, kind: EditKind, excluded: Neighbourhood | null): boolean {
    const n = tokens.length
    const resume = kind === 'insert' ? p : p + 1
    const a2 = p >= 2 ? tokens[p - 2]! : boundary
    const a = p >= 1 ? tokens[p - 1]! : boundary
    const b = resume < n ? tokens[resume]! : boundary
    const b2 = resume + 1 < n ? tokens[resume + 1]! : boundary
    around.a2 = a2
    around.a = a
    around.b = b
    around.b2 = b2
    if (kind === 'delete') {
      if (n === 1 || a === tokens[p] || (excluded !== null && excluded.deletions[p] === 1)) return false
      return legality.join(a2, a, b, b2)
    }
    legality.between(a2, a, b, b2, legal)
    const members = kind === 'insert' ? excluded?.insertions : excluded?.substitutions
    const same = kind === 'insert' ? a : tokens[p]!
    let some = false
    for (let w = 0; w < words; w++) {
      let left = legal[w]! & ~(members === undefined ? 0 : members[p * words + w]!)
      if (same >>> 5 === w && same !== boundary) left &= ~(1 << (same & 31))
      fitting[w] = left
      some ||= left !== 0
    }
    return some
  }

  const fits = (token: number) => (fitting[token >>> 5]! & (1 << (token & 31))) !== 0
  const places = (tokens: Int32Array, kind: EditKind) => (kind === 'insert' ? tokens.length + 1 : tokens.length)

  /** Chance that the place last looked at holds no token rather than `token`. */
  function without(token: number): number {
    const { after } = model
    const none = after(around.a, around.b)
    return none / (none + after(around.a, token) * after(token, around.b))
  }

  /** Weigh every legal token of the place last looked at. Returns the sums over the legal and over the fitting ones. */
  function weigh(): { all: number; fit: number } {
    const { a2, a, b, b2 } = around
    let all = 0
    let fit = 0
    forEachToken(legal, 0, words, (token) => {
      const weight = model.around(a2, a, token, b, b2)
      weights[token] = weight
      all += weight
      if (fits(token)) fit += weight
    })
    return { all, fit }
  }

  /** The token of `set` under point `at` of the weights last weighed. */
  function tokenAt(set: Int32Array, at: number): number {
    let left = at
    let chosen = -1
    let decided = false
    forEachToken(set, 0, words, (token) => {
      if (decided) return
      chosen = token
      decided = left < weights[token]!
      left -= weights[token]!
    })
    return chosen
  }

  function choose(stream: Stream, tokens: Int32Array, kind: EditKind, excluded: Neighbourhood | null): Edit | null {
    const count = places(tokens, kind)
    for (let tries = 0; tries < count; tries++) {
      const at = below(stream, count)
      if (!look(tokens, at, kind, excluded)) continue
      if (kind === 'delete') {
        if (float(stream) < without(tokens[at]!)) return { kind, at }
        continue
      }
      const { all } = weigh()
      const token = tokenAt(legal, float(stream) * all)
      if (fits(token)) return { kind, at, token }
    }
    // The same distribution by adding up, where accepted edits are rare.
    const shares = new Float64Array(count)
    let total = 0
    let last = -1
    for (let p = 0; p < count; p++) {
      if (!look(tokens, p, kind, excluded)) continue
      shares[p] = kind === 'delete' ? without(tokens[p]!) : shareOf(weigh())
      total += shares[p]!
      last = p
    }
    if (last < 0) return null
    let left = float(stream) * total
    let at = 0
    while (at < last && left >= shares[at]!) left -= shares[at++]!
    while (shares[at] === 0) at--
    if (kind === 'delete') return { kind, at }
    look(tokens, at, kind, excluded)
    const { fit } = weigh()
    return { kind, at, token: tokenAt(fitting, float(stream) * fit) }
  }

  /** Every fitting edit. */
  function list(tokens: Int32Array, kind: EditKind, excluded: Neighbourhood | null): Edit[] {
    const out: Edit[] = []
    for (let at = 0; at < places(tokens, kind); at++) {
      if (!look(tokens, at, kind, excluded)) continue
      if (kind === 'delete') out.push({ kind, at })
      else forEachToken(fitting, 0, words, (token) => out.push({ kind, at, token }))
    }
    return out
  }

  return { choose, list }
}

const shareOf = ({ all, fit }: { readonly all: number; readonly fit: number }): number => fit / all
