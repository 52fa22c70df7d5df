import { LruCache } from '../../../../core/memo.ts'
import { below, pick, sample, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { nonsense } from '../../../../libraries/language/people.ts'
import { branchOf, isKindOf, taxonomy } from '../../../../libraries/language/taxonomy.ts'
import { withBuckets } from '../../../../libraries/language/word-partition.ts'
import type { Mood, Proposition } from '../question.ts'

interface Noun {
  readonly name: string
  /** Its place in the taxonomy. */
  readonly id: number
}

/** The taxonomy's nouns by split. */
const nouns = withBuckets(
  taxonomy.names.map((name, id): Noun => ({ name, id })),
  (noun) => branchOf(noun.name),
)

/** The nouns of some regions: ids, and by id which of them are wider and which narrower. */
interface Pool {
  readonly ids: readonly number[]
  readonly wider: readonly (readonly number[])[]
  readonly narrower: readonly (readonly number[])[]
  /** Those that hold no other. */
  readonly narrowest: number
}

const pools = new LruCache<Pool>(256)
const poolOf = (mask: number): Pool => pools.get(mask, () => makePool(mask))

function makePool(mask: number): Pool {
  const ids = nouns.of(mask).map(({ id }) => id)
  const inside = new Set(ids)
  const wider: number[][] = taxonomy.names.map(() => [])
  const narrower: number[][] = taxonomy.names.map(() => [])
  for (const id of ids)
    for (let at = taxonomy.parent[id] as number; at !== -1; at = taxonomy.parent[at] as number) {
      if (!inside.has(at)) continue
      wider[id]?.push(at)
      narrower[at]?.push(id)
    }
  const narrowest = ids.filter((id) => narrower[id]?.length === 0).length
  return { ids, wider, narrower, narrowest }
}

/** Is the proposition true of two classes of a forest, where classes are nested or disjoint? */
export function isTrueOf(mood: Mood, s: number, p: number): boolean {
  const within = isKindOf(taxonomy, s, p)
  switch (mood) {
    case 'A':
      return within
    case 'E':
      return !within && !isKindOf(taxonomy, p, s)
    case 'I':
      return within || isKindOf(taxonomy, p, s)
    case 'O':
      return !within
  }
}

/** Words for terms of which nothing else is to be known: invented ones, or classes that have nothing in common. */
export function drawPlain(kind: 'neutral' | 'nonsense', mask: number, count: number, stream: Stream): string[] | null {
  if (kind === 'neutral') return drawUnrelated(poolOf(mask), count, stream)
  const pool = nonsense.of(mask)
  return pool.length < count ? null : sample(stream, pool, count)
}

/**
 * Pairwise disjoint classes, each uniform among those that leave enough of the narrowest classes for the rest. null:
 * fewer narrowest classes than `count`.
 */
function drawUnrelated(pool: Pool, count: number, stream: Stream): string[] | null {
  const { ids, wider, narrower } = pool
  let left = pool.narrowest
  if (left < count) return null
  const barred = new Set<number>()
  const chosen: number[] = []
  while (chosen.length < count) {
    const id = pick(stream, ids)
    if (barred.has(id)) continue
    barred.add(id)
    const within = narrower[id] as readonly number[]
    const lost = within.length === 0 ? 1 : within.filter((i) => narrower[i]?.length === 0 && !barred.has(i)).length
    if (chosen.length + 1 + left - lost < count) continue
    left -= lost
    chosen.push(id)
    for (const other of [...within, ...(wider[id] as readonly number[])]) barred.add(other)
  }
  // Wide classes are taken early or not at all, so the order of choice would tell them.
  return shuffle(stream, chosen).map((id) => taxonomy.names[id] as string)
}

/** How many starts are taken for nouns that fit all premises. */
const STARTS = 100
/** How many nouns are tried for a term that may be nearly any. */
const GUESSES = 20

/**
 * Nouns for terms 0..count-1 that make every premise true (or every one false): drawn along the premises, restarted
 * where none fits.
 */
export function drawReal(
  wanted: boolean,
  mask: number,
  count: number,
  premises: readonly Proposition[],
  stream: Stream,
): string[] | null {
  const pool = poolOf(mask)
  if (pool.ids.length === 0) return null
  for (let start = 0; start < STARTS; start++) {
    const chosen = Array.from({ length: count }, () => -1)
    if (premises.every((premise) => place(pool, wanted, premise, chosen, stream)))
      return chosen.map((id) => taxonomy.names[id] as string)
  }
  return null
}

/** Chooses nouns for the open terms of a premise; false where none was found. */
function place(pool: Pool, wanted: boolean, [mood, s, p]: Proposition, chosen: number[], stream: Stream): boolean {
  if (chosen[s] === -1 && chosen[p] === -1) chosen[s] = pick(stream, pool.ids)
  const holds = () => isTrueOf(mood, chosen[s] as number, chosen[p] as number) === wanted
  const open = chosen[s] === -1 ? s : chosen[p] === -1 ? p : null
  if (open === null) return holds()
  const known = chosen[open === s ? p : s] as number
  const related = relatives(pool, wanted, mood, known, open === s)
  for (let guess = 0; guess < GUESSES; guess++) {
    if (related.length === 0) return false
    const id = related[below(stream, related.length)] as number
    if (chosen.includes(id)) continue
    chosen[open] = id
    if (holds()) return true
  }
  chosen[open] = -1
  return false
}

/** The nouns that can fit beside a known one: those nested with it where the premise needs that, else all. */
function relatives(pool: Pool, wanted: boolean, mood: Mood, known: number, narrowerOne: boolean): readonly number[] {
  const wider = pool.wider[known] as readonly number[]
  const narrower = pool.narrower[known] as readonly number[]
  if (wanted ? mood === 'A' : mood === 'O') return narrowerOne ? narrower : wider
  return (wanted ? mood === 'I' : mood === 'E') ? [...wider, ...narrower] : pool.ids
}
