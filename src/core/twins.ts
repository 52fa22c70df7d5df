/**
 * Draws a contrast set: one draw per kind and round until one of each kind have an equal signature; null after `rounds` rounds. What is
 * drawn does not depend on the kind that is wanted, so the signature is equally likely under every kind.
 *
 * @param signature - what must not distinguish the kinds
 *
 * @example
 * import { below, drawTwins, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * const stream = namedStream('my study')
 * // An even and an odd number of the same length: the length cannot tell which is which.
 * const twins = drawTwins(['even', 'odd'], 100, (kind) => 2 * below(stream, 500) + (kind === 'odd' ? 1 : 0), (n) => String(n).length)
 * console.log(twins?.get('even'), twins?.get('odd'))
 */
export function drawTwins<K extends string, T>(
  kinds: readonly K[],
  rounds: number,
  draw: (kind: K) => T,
  signature: (drawn: T) => string | number,
): ReadonlyMap<K, T> | null {
  const seen = new Map<string | number, Map<K, T>>()
  for (let round = 0; round < rounds; round++)
    for (const kind of kinds) {
      const drawn = draw(kind)
      const key = signature(drawn)
      let alike = seen.get(key)
      if (alike === undefined) {
        alike = new Map()
        seen.set(key, alike)
      }
      if (alike.has(kind)) continue
      alike.set(kind, drawn)
      if (alike.size === kinds.length) return alike
    }
  return null
}
