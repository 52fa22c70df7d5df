import { sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import { nonsense } from '../../../language/nonsense.ts'
import { partitioned } from '../../../language/partition.ts'
import { isKindOf, taxonomy } from '../../../language/taxonomy.ts'
import type { Proposition } from './question.ts'

interface Noun {
  readonly name: string
  /** Its place in the taxonomy. */
  readonly id: number
}

/** The taxonomy's nouns by split. */
const nouns = partitioned(
  taxonomy.names.map((name, id): Noun => ({ name, id })),
  (noun) => noun.name,
)

/** Row a, column b: are all of class a members of class b? Filled at first use. */
let table: Uint8Array | undefined
function inside(a: number, b: number): boolean {
  const n = taxonomy.names.length
  table ??= Uint8Array.from({ length: n * n }, (_, i) => (isKindOf(taxonomy, Math.floor(i / n), i % n) ? 1 : 0))
  return table[a * n + b] === 1
}

/** Is the proposition true of two classes of a tree, where classes overlap only when one holds the other? */
export function trueOf(mood: Proposition[0], s: number, p: number): boolean {
  const overlap = inside(s, p) || inside(p, s)
  switch (mood) {
    case 'A':
      return inside(s, p)
    case 'E':
      return !overlap
    case 'I':
      return overlap
    case 'O':
      return !inside(s, p)
  }
}

/** Words for terms of which nothing else is to be known: invented ones, or classes that have nothing in common. */
export function drawPlain(kind: 'neutral' | 'nonsense', mask: number, count: number, stream: Stream): string[] | null {
  if (kind === 'neutral') return drawUnrelated(mask, count, stream)
  const pool = nonsense.of(mask)
  return pool.length < count ? null : sample(stream, pool, count)
}

/**
 * Classes of which none holds another: of all in random order each that is apart from those taken and leaves enough of
 * the narrowest classes for the rest. No such set is larger than that of the narrowest; null if that is too small.
 */
function drawUnrelated(mask: number, count: number, stream: Stream): string[] | null {
  const pool = nouns.of(mask)
  let left = narrowestOf(mask)
  if (left.length < count) return null
  const chosen: Noun[] = []
  for (const noun of shuffle(stream, pool)) {
    if (chosen.length === count) break
    if (!chosen.every((other) => apart(noun, other))) continue
    const rest = left.filter((other) => apart(noun, other))
    if (chosen.length + 1 + rest.length < count) continue
    chosen.push(noun)
    left = rest
  }
  // Wide classes are taken early or not at all, so the order of choice would tell them.
  return shuffle(stream, chosen).map(({ name }) => name)
}

const apart = (a: Noun, b: Noun): boolean => !inside(a.id, b.id) && !inside(b.id, a.id)

const narrowest = new Map<number, readonly Noun[]>()
/** The classes that hold no other of the same regions. */
function narrowestOf(mask: number): readonly Noun[] {
  const pool = nouns.of(mask)
  const known = narrowest.get(mask) ?? pool.filter((a) => pool.every((b) => a === b || !inside(b.id, a.id)))
  narrowest.set(mask, known)
  return known
}

/** How many nouns are tried in all before another start is taken, and how many starts. */
const STEPS = 120
const STARTS = 3

/**
 * Nouns for terms 0..count-1 of which every premise is true (or every one false), by a randomised search along the
 * premises, each of which but the first shares a term with an earlier one.
 */
export function drawReal(
  wanted: boolean,
  mask: number,
  count: number,
  premises: readonly Proposition[],
  stream: Stream,
): string[] | null {
  const pool = nouns.of(mask)
  for (let start = 0; start < STARTS; start++) {
    const chosen: number[] = Array.from({ length: count }, () => -1)
    const budget = { left: STEPS }
    if (extend(0)) return chosen.map((id) => taxonomy.names[id] as string)

    function extend(at: number): boolean {
      const premise = premises[at]
      if (premise === undefined) return true
      const [mood, s, p] = premise
      const open = [s, p].filter((term) => chosen[term] === -1)
      if (open.length === 0) return trueOf(mood, chosen[s] as number, chosen[p] as number) === wanted && extend(at + 1)
      const term = open[0] as number
      const fits = (id: number): boolean => {
        chosen[term] = id
        if (open.length === 1) return trueOf(mood, chosen[s] as number, chosen[p] as number) === wanted
        return pool.some(
          (other) => other.id !== id && trueOf(mood, term === s ? id : other.id, term === s ? other.id : id) === wanted,
        )
      }
      const free = pool.filter(({ id }) => !chosen.includes(id))
      for (const { id } of shuffle(
        stream,
        free.filter((noun) => fits(noun.id)),
      )) {
        if (budget.left-- <= 0) break
        chosen[term] = id
        if (extend(open.length === 2 ? at : at + 1)) return true
      }
      chosen[term] = -1
      return false
    }
  }
  return null
}
