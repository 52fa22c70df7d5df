import { LruCache } from '../../../core/index.ts'
import { languageOf } from '../languages/compiled.ts'
import { type Atom, costOf, fenceSide, populationOf, sideAdmits } from './measure-population.ts'
import type { Shared } from './types.ts'

/** What makes a mean over the drawn strings one over the language. Nats; strings with their end where it is scored. */
interface Weighting {
  /** The oracle's mean loss a string over the language: H(L) where ends are scored. */
  readonly entropy: number
  /** Its mean loss a terminal. */
  readonly entropyPerTerminal: number
  /** Entropy of the language given that a string can be drawn; null for the published split, a finite sample. */
  readonly conditional: number | null
  /** Share of the language in strata of which a string can be drawn; the others borrow from their neighbour. */
  readonly reached: number
  /** P(stratum in the language) / P(stratum among what can be drawn), of the stratum of a string by its floor. */
  weightOf(floor: number): number
}

const weightings = new LruCache<Weighting, string>(256)

/** The weighting of the strings that are drawn where `text` was. */
export function weightingOf(shared: Shared, text: string): Weighting {
  const { grammar, fenced, examples, held, format } = shared
  const side = fenced === 'grammar' ? 'all' : fenceSide(text)
  const key = [grammar, side, format.scoreEnd, examples.join('|'), held.join('|')].join('\n')
  return weightings.get(key, () => makeWeighting(shared, side))
}

type Cost = (atom: Atom) => number

function makeWeighting({ grammar, examples, held, format }: Shared, side: string): Weighting {
  const { atoms, entropy } = populationOf(grammar)
  const cost: Cost = format.scoreEnd ? ({ nats }) => nats : ({ open }) => open
  const terminals = ({ text }: Atom) => text.split(' ').length + (format.scoreEnd ? 1 : 0)
  const seen = new Set(examples)
  const free = atoms.filter(({ text }) => !seen.has(text) && sideAdmits(side, text))
  const drawn = held.length > 0 ? sampleOf(grammar, held) : free
  const share = total(free, () => 1)
  const strata = mergedStrata(strataOf(atoms, cost), drawn, cost)
  return {
    entropy: format.scoreEnd ? entropy : total(atoms, cost),
    entropyPerTerminal: total(atoms, (atom) => cost(atom) / terminals(atom)),
    conditional: held.length > 0 || share === 0 ? null : total(free, cost) / share + Math.log(share),
    reached: strata.reached,
    weightOf: (floor) => strata.list[indexOf(strata.list, floor)]?.weight ?? 1,
  }
}

const total = (atoms: readonly Atom[], value: (atom: Atom) => number): number =>
  atoms.reduce((sum, atom) => sum + atom.mass * value(atom), 0)

/** A finite sample as a distribution. */
function sampleOf(grammar: string, texts: readonly string[]): Atom[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => ({
    text,
    mass: count / texts.length,
    ...costOf(languageOf(grammar), text),
  }))
}

/** Strings whose floor is at most `most`, and above that of the stratum before. */
interface Stratum {
  readonly most: number
  readonly mass: number
}

/** A stratum ends where a floor does (so strings of equal probability share one) and has this share of the language. */
const leastMass = 1 / 32
const tolerance = 1e-6

function strataOf(atoms: readonly Atom[], cost: Cost): Stratum[] {
  const sorted = atoms.toSorted((a, b) => cost(a) - cost(b))
  const out: Stratum[] = []
  let mass = 0
  for (const [i, atom] of sorted.entries()) {
    mass += atom.mass
    const next = sorted[i + 1]
    if (next !== undefined && (mass < leastMass || cost(next) - cost(atom) < tolerance)) continue
    out.push({ most: cost(atom) + tolerance / 2, mass })
    mass = 0
  }
  return out
}

interface Weighted {
  readonly most: number
  readonly weight: number
}

/** Strata without draws join the next one, or at the end the previous one. */
function mergedStrata(strata: readonly Stratum[], drawn: readonly Atom[], cost: Cost) {
  const all = total(drawn, () => 1)
  const own = strata.map(() => 0)
  for (const atom of drawn) {
    const i = indexOf(strata, cost(atom))
    own[i] = (own[i] as number) + atom.mass / all
  }
  const list: Weighted[] = []
  let [reached, waiting] = [0, 0]
  for (const [i, { most, mass }] of strata.entries()) {
    const part = own[i] as number
    waiting += mass
    if (part === 0) continue
    reached += mass
    // What waits behind the last stratum with a part belongs to it.
    const tail = own.slice(i + 1).every((later) => later === 0)
    const rest = tail ? strata.slice(i + 1).reduce((sum, later) => sum + later.mass, 0) : 0
    list.push({ most, weight: (waiting + rest) / part })
    waiting = 0
  }
  return { list, reached }
}

/** The first stratum that holds a floor; the last one for a floor above all. */
function indexOf(strata: readonly { readonly most: number }[], floor: number): number {
  const found = strata.findIndex(({ most }) => floor <= most)
  return found === -1 ? strata.length - 1 : found
}
