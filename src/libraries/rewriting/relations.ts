import { type Cascade, countApart, type Rule } from './cascade.ts'
import { exactRelations } from './exact-relations.ts'

/** `paper`: the released detector, to reproduce published categories. `exact`: the semantic definition. */
export type Classifier = 'paper' | 'exact'

/**
 * Bit of {@link Relate}: the rule can create occurrences of the target.
 *
 * @example
 * import { FEEDS, relate } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((relate('exact')(['t', 'd'], 'da') & FEEDS) !== 0) // true
 */
export const FEEDS = 1
/**
 * Bit of {@link Relate}: the rule can destroy occurrences of the target.
 *
 * @example
 * import { BLEEDS, relate } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((relate('exact')(['t', 'd'], 'ta') & BLEEDS) !== 0) // true
 */
export const BLEEDS = 2

/** Bits {@link FEEDS} and {@link BLEEDS}: whether `rule` can create or destroy occurrences of `target`. */
export type Relate = (rule: Rule, target: string) => number

const plain: { readonly [K in Classifier]: Relate } = {
  paper: (rule, target) => (paperFeeds(rule, target) ? FEEDS : 0) | (paperBleeds(rule, target) ? BLEEDS : 0),
  exact: (rule, target) => {
    const { feeds, bleeds } = exactRelations(rule, target)
    return (feeds ? FEEDS : 0) | (bleeds ? BLEEDS : 0)
  },
}

const MAX_CACHED = 1 << 17
const known = new Map<string, number>()

/** The exact test, cached by the pattern of equal letters, on which alone it depends; called L(L-1) times per cascade. */
const cachedExact: Relate = (rule, target) => {
  const key = patternOf(rule, target)
  let bits = known.get(key)
  if (bits === undefined) {
    if (known.size >= MAX_CACHED) known.clear()
    bits = plain.exact(rule, target)
    known.set(key, bits)
  }
  return bits
}

/** Lengths of left and right side, then all three texts with letters numbered by first occurrence. */
function patternOf([left, right]: Rule, target: string): string {
  const text = left + right + target
  let [seen, key] = ['', `${left.length},${right.length}:`]
  for (let k = 0; k < text.length; k++) {
    const letter = text[k] as string
    let at = seen.indexOf(letter)
    if (at === -1) {
      at = seen.length
      seen += letter
    }
    key += String.fromCharCode(97 + at)
  }
  return key
}

/**
 * The relation test of a classifier; the exact one is cached, the released one is faster than a cache.
 *
 * @example
 * import { relate } from '@touchstone-eval/touchstone/rewriting'
 *
 * const bits = relate('exact')
 * console.log(bits(['t', 'd'], 'da'), bits(['t', 'd'], 'ta'), bits(['t', 'd'], 'pa')) // 1 2 0
 */
export const relate = (classifier: Classifier): Relate => (classifier === 'paper' ? plain.paper : cachedExact)

/**
 * Category bit: an earlier rule feeds a later one. Bits are in the order of the published strings: F, B, CF, CB.
 *
 * @example
 * import { cascadeCategory, FEEDING } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((cascadeCategory([['t', 'd'], ['d', 'z']], 'exact') & FEEDING) !== 0) // true
 */
export const FEEDING = 8
/**
 * Category bit: an earlier rule bleeds a later one.
 *
 * @example
 * import { BLEEDING, cascadeCategory } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((cascadeCategory([['t', 'd'], ['ta', 'po']], 'exact') & BLEEDING) !== 0) // true
 */
export const BLEEDING = 4
/**
 * Category bit: a later rule would feed an earlier one.
 *
 * @example
 * import { COUNTERFEEDING, cascadeCategory } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((cascadeCategory([['d', 'z'], ['t', 'd']], 'exact') & COUNTERFEEDING) !== 0) // true
 */
export const COUNTERFEEDING = 2
/**
 * Category bit: a later rule would bleed an earlier one.
 *
 * @example
 * import { COUNTERBLEEDING, cascadeCategory } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log((cascadeCategory([['ta', 'po'], ['t', 'd']], 'exact') & COUNTERBLEEDING) !== 0) // true
 */
export const COUNTERBLEEDING = 1

/**
 * The bits of relation `related` from rule i to rule j as category bits: counter-relations point backwards.
 *
 * @example
 * import { categoryBits, categoryCode, FEEDS } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(categoryCode(categoryBits(FEEDS, 0, 1)), categoryCode(categoryBits(FEEDS, 1, 0))) // 1000 0010
 */
export const categoryBits = (related: number, i: number, j: number): number =>
  i < j
    ? (related & FEEDS ? FEEDING : 0) | (related & BLEEDS ? BLEEDING : 0)
    : (related & FEEDS ? COUNTERFEEDING : 0) | (related & BLEEDS ? COUNTERBLEEDING : 0)

/**
 * The relations between any two rules of a cascade, as bits {@link FEEDING}, {@link BLEEDING}, {@link COUNTERFEEDING} and
 * {@link COUNTERBLEEDING}: one of 16 categories, 0..15.
 *
 * @example
 * import { cascadeCategory, categoryCode } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(categoryCode(cascadeCategory([['t', 'd'], ['d', 'z']], 'exact'))) // 1000
 */
export function cascadeCategory(cascade: Cascade, classifier: Classifier): number {
  const test = relate(classifier)
  let bits = 0
  for (let i = 0; i < cascade.length && bits !== 15; i++)
    for (let j = 0; j < cascade.length; j++)
      if (i !== j) bits |= categoryBits(test(cascade[i] as Rule, (cascade[j] as Rule)[0]), i, j)
  return bits
}

/**
 * A category as published: four digits for F, B, CF, CB.
 *
 * @example
 * import { BLEEDING, categoryCode, FEEDING } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(categoryCode(FEEDING | BLEEDING)) // 1100
 */
export const categoryCode = (bits: number): string => bits.toString(2).padStart(4, '0')

/**
 * The bits of a published code such as `1010`.
 *
 * @throws RangeError
 *
 * @example
 * import { categoryOf, FEEDING } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(categoryOf('1000') === FEEDING) // true
 */
export function categoryOf(code: string): number {
  if (!/^[01]{4}$/.test(code))
    throw new RangeError(`category: expected four digits 0 or 1 (F, B, CF, CB), got "${code}"`)
  return Number.parseInt(code, 2)
}

/** Label of a published edge: feeds, bleeds, neither. */
export type Label = 'F' | 'B' | 'N'
/** The published edge: rule i to rule j, with `N` where they are unrelated. */
export type Edge = readonly [from: number, labels: readonly Label[], to: number]

/**
 * All L(L-1) ordered pairs in the published order (i, then j). Source: the released code of PBEBench.
 *
 * @example
 * import { bfccDag } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(JSON.stringify(bfccDag([['t', 'd'], ['d', 'z']], 'exact'))) // [[0,["F"],1],[1,["N"],0]]
 */
export function bfccDag(cascade: Cascade, classifier: Classifier): readonly Edge[] {
  const test = relate(classifier)
  const edges: Edge[] = []
  for (let i = 0; i < cascade.length; i++)
    for (let j = 0; j < cascade.length; j++) {
      if (i === j) continue
      const bits = test(cascade[i] as Rule, (cascade[j] as Rule)[0])
      edges.push([
        i,
        bits === 0 ? ['N'] : [...(bits & FEEDS ? ['F' as const] : []), ...(bits & BLEEDS ? ['B' as const] : [])],
        j,
      ])
    }
  return edges
}

/** Feeding, bleeding, counterfeeding, counterbleeding. */
export type RelationName = 'F' | 'B' | 'CF' | 'CB'
/** A relation between two rules, the earlier rule first for F and B, the later first for CF and CB. */
export interface Relation {
  readonly from: number
  readonly to: number
  readonly relation: RelationName
}

/**
 * Named relations: a feeding or bleeding edge from a later to an earlier rule is a counter-relation.
 *
 * @example
 * import { relations } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(relations([['t', 'd'], ['d', 'z']], 'exact')) // [ { from: 0, to: 1, relation: 'F' } ]
 */
export function relations(cascade: Cascade, classifier: Classifier): readonly Relation[] {
  const out: Relation[] = []
  for (const [from, labels, to] of bfccDag(cascade, classifier))
    for (const label of labels)
      if (label !== 'N') out.push({ from, to, relation: from < to ? label : label === 'F' ? 'CF' : 'CB' })
  return out
}

/**
 * The released detector of PBEBench, bit for bit (its equation 1 with the left side of the later rule in the third
 * case, and non-overlapping counts). It is neither sound nor complete; the exact definition is in `exact-relations.ts`.
 *
 * @example
 * import { exactRelations, paperFeeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(paperFeeds(['t', 'd'], 'da')) // true
 * // Where the two differ: to delete every a makes no aa.
 * console.log(paperFeeds(['a', ''], 'aa'), exactRelations(['a', ''], 'aa').feeds) // true false
 */
export function paperFeeds([left, right]: Rule, target: string): boolean {
  if (left === right) return false
  if (right === '') return target.length > 1
  if (target.includes(right) && !left.includes(right)) return true
  if (right.includes(target) && countApart(right, target) > (left === '' ? 0 : countApart(left, target))) return true
  // A suffix of the right side is a prefix of the target, or the reverse, and is not in the left side.
  for (let n = Math.min(right.length, target.length); n > 0; n--) {
    const [head, tail] = [right.slice(0, n), right.slice(-n)]
    if (target.endsWith(head) && !left.includes(head)) return true
    if (target.startsWith(tail) && !left.includes(tail)) return true
  }
  return false
}

/**
 * Bleeding as released: feeding with the two sides exchanged (the paper's Theorem 4).
 *
 * @example
 * import { paperBleeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(paperBleeds(['t', 'd'], 'ta')) // true
 */
export const paperBleeds = ([left, right]: Rule, target: string): boolean => paperFeeds([right, left], target)
