import type { AnonymizedQuestion, Statement } from '../../core/index.ts'

type Said = Extract<AnonymizedQuestion, { readonly kind: 'statements' }>

/** One mention of a term: by which statement, in which place. */
export interface Mention {
  readonly at: number
  readonly place: number
  /** The place among those of its kind of statement, e.g. `taller.0`, and among those of any. */
  readonly name: string
  readonly ofAny: string
}

/** Terms and who is mentioned with whom. */
export interface TermGraph {
  readonly statements: readonly Statement[]
  /** By term; terms that are only asked about have none. */
  readonly mentions: readonly (readonly Mention[])[]
  /** How often a term is mentioned in each place of each kind, as one text. */
  role(term: number): string
}

export function termGraph({ statements, asked }: Said): TermGraph {
  const mentions: Mention[][] = []
  const of = (term: number): Mention[] => {
    while (mentions.length <= term) mentions.push([])
    return mentions[term] as Mention[]
  }
  for (const [at, { kind, places }] of statements.entries())
    for (const [place, term] of places.entries())
      of(term).push({ at, place, name: `${kind}.${place}`, ofAny: `any.${place}` })
  for (const term of asked) of(term)
  const roles: (string | undefined)[] = []
  return {
    statements,
    mentions,
    role(term) {
      roles[term] ??= roleOf(mentions[term] ?? [])
      return roles[term]
    },
  }
}

function roleOf(mentions: readonly Mention[]): string {
  const own = new Map<string, number>()
  for (const { name } of mentions) own.set(name, (own.get(name) ?? 0) + 1)
  return [...own.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name}x${count}`)
    .join(' ')
}

/** How many statements lead from the start to each term, at the least; -1: none do. Up to `most`. */
export function stepsFrom({ statements, mentions }: TermGraph, start: number, most = Number.POSITIVE_INFINITY) {
  const steps = new Int32Array(mentions.length).fill(-1)
  steps[start] = 0
  let ring = [start]
  for (let r = 1; ring.length > 0 && r <= most; r++) {
    const next: number[] = []
    for (const term of ring)
      for (const { at } of mentions[term] as readonly Mention[])
        for (const other of (statements[at] as Statement).places)
          if (steps[other] === -1) {
            steps[other] = r
            next.push(other)
          }
    ring = next
  }
  return steps
}

/** The least level whose view holds a proof of the answer (see {@link AnonymizedQuestion}); Infinity: no local one does. */
export function proofRadius(structure: AnonymizedQuestion): number {
  if (structure.kind === 'string') return Number.POSITIVE_INFINITY
  if (structure.radius !== undefined) return structure.radius
  const [first, second] = structure.asked
  if (first === undefined) return Number.POSITIVE_INFINITY
  const steps = stepsFrom(termGraph(structure), first)
  if (second === undefined) return steps.reduce((most, step) => Math.max(most, step), 0)
  const way = steps[second] as number
  return way < 0 ? Number.POSITIVE_INFINITY : Math.ceil(way / 2)
}
