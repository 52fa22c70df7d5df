/** Characters of bold 12 px text that fit into this width. */
export const charactersIn = (pixels: number): number => Math.max(16, Math.floor(pixels / (12 * 0.66)))

/** Room for a number such as ` (12)`. */
const NUMBER = 5

/**
 * Names as they are drawn: at max `max` characters, cut in the middle. Where two would look alike, the cut moves to where they
 * begin to differ; names that still look alike get a number.
 */
export function shortNames(names: readonly string[], max: number): ReadonlyMap<string, string> {
  const middle = new Map(names.map((name) => [name, cutAt(name, name.length, max)]))
  const moved = new Map(
    names.map((name) => {
      const alike = names.filter((other) => middle.get(other) === middle.get(name))
      return [name, alike.length === 1 ? (middle.get(name) as string) : cutAt(name, differAt(alike), max - NUMBER)]
    }),
  )
  return new Map(
    names.map((name) => {
      const short = moved.get(name) as string
      const alike = names.filter((other) => moved.get(other) === short)
      return [name, alike.length === 1 ? short : `${short} (${alike.indexOf(name) + 1})`]
    }),
  )
}

/** The start of a name, and the part around the character `at`. */
function cutAt(name: string, at: number, max: number): string {
  const points = Array.from(name)
  if (points.length <= max) return name
  const tail = Math.floor((max - 1) / 2)
  const head = max - 1 - tail
  const from = Math.max(head, Math.min(at, points.length - tail))
  const rest = points.slice(from)
  const kept = rest.length > tail ? [...rest.slice(0, tail - 1), '\u2026'] : rest
  return `${points.slice(0, head).join('')}\u2026${kept.join('')}`
}

/** The first difference of some names, at the start of its word. */
function differAt(names: readonly string[]): number {
  const [first = [], ...others] = names.map((name) => Array.from(name))
  let at = 0
  while (at < first.length && others.every((other) => other[at] === first[at])) at++
  while (at > 0 && /[\p{L}\p{N}=-]/u.test(first[at - 1] as string)) at--
  return at
}
