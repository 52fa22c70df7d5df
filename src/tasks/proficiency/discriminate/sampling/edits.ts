import { below, pick, type Stream } from '../../../../core/index.ts'
import type { EditStep, Exchange } from '../types.ts'

type EditKind = EditStep['kind']
const kinds: readonly EditKind[] = ['substitute', 'insert', 'delete']

/** Which kinds of edits to make, in random order for `length-matched`, where insertions and deletions come in pairs. */
export function drawKinds(which: string, distance: number, stream: Stream): EditKind[] {
  if (which === 'length-matched') {
    const pairs = below(stream, Math.floor(distance / 2) + 1)
    const out: EditKind[] = []
    for (let i = 0; i < pairs; i++) out.push('insert', 'delete')
    while (out.length < distance) out.push('substitute')
    return out
  }
  const allowed = which === 'mixed' || which === 'released' ? kinds : kinds.filter((kind) => kind === which)
  return Array.from({ length: distance }, () => pick(stream, allowed))
}

/**
 * One edit at a uniform place with a uniform token. A deletion leaves at least one token. As released, nothing is inserted
 * at the end, and a token is replaced by another one.
 */
export function drawEdit(
  kind: EditKind,
  tokens: readonly string[],
  alphabet: readonly string[],
  isReleased: boolean,
  stream: Stream,
): EditStep | null {
  if (kind === 'insert')
    return { kind, at: below(stream, tokens.length + (isReleased ? 0 : 1)), token: pick(stream, alphabet) }
  if (kind === 'substitute') {
    const at = below(stream, tokens.length)
    return { kind, at, token: pick(stream, isReleased ? alphabet.filter((one) => one !== tokens[at]) : alphabet) }
  }
  return tokens.length < 2 ? null : { kind, at: below(stream, tokens.length), token: '' }
}

/** The string after an edit, or null where the edit does not fit it. */
export function applyEdit(tokens: readonly string[], { kind, at, token }: EditStep): string[] | null {
  if (!Number.isInteger(at) || at < 0 || at > tokens.length - (kind === 'insert' ? 0 : 1)) return null
  if (kind === 'delete') return tokens.toSpliced(at, 1)
  return tokens.toSpliced(at, kind === 'insert' ? 0 : 1, token)
}

/** The string after two segments have changed places, or null where they do not fit it. */
export function applyExchange(tokens: readonly string[], [a, b, c, d]: Exchange): string[] | null {
  if (![a, b, c, d].every(Number.isInteger) || a < 0 || a >= b || b > c || c >= d || d > tokens.length) return null
  return [
    ...tokens.slice(0, a),
    ...tokens.slice(c, d),
    ...tokens.slice(b, c),
    ...tokens.slice(a, b),
    ...tokens.slice(d),
  ]
}
