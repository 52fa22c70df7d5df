import {
  type Atom,
  atom,
  byIndicator,
  type Clause,
  type Compound,
  indicator,
  type Program,
  type Term,
} from './prolog/terms.ts'

/** One thing to be judged, with what is known of it and of nothing else. Its names cannot be written in an answer. */
export interface TestCase {
  readonly program: Program
  readonly subject: string
}

/**
 * Splits a program of facts into one test case per subject. What is reachable from one subject only, and has facts, is
 * part of it (a car); what several share (a colour) is vocabulary and stays in all. Parts get new names in the order of
 * the old ones, so an answer can neither list subjects nor recognize them.
 */
export function testCasesOf(clauses: readonly Clause[], subjects: readonly string[]): readonly TestCase[] {
  const facts = Map.groupBy(clauses.filter(isFact), ({ head }) => constants(head)[0] ?? '')
  const owners = ownersOf(subjects, facts)
  const partsOf = Map.groupBy(
    [...owners].filter(([name, owner]) => owner !== SHARED && facts.has(name)),
    ([, owner]) => owner,
  )
  const isPart = (name: string): boolean => owners.get(name) !== SHARED && owners.has(name) && facts.has(name)
  const common = byIndicator(clauses.filter((clause) => !isFact(clause) || !constants(clause.head).some(isPart)))
  return subjects.map((subject, at) => {
    const parts = (partsOf.get(at) ?? []).map(([name]) => name).sort()
    const renamed = new Map(parts.map((name, i) => [name, hidden(i)]))
    const own = byIndicator(
      parts
        .flatMap((name) => facts.get(name) ?? [])
        .map((clause): Clause => ({ ...clause, head: rename(clause.head, renamed) })),
    )
    const both = [...own].map(([key, mine]): [string, readonly Clause[]] => [
      key,
      common.has(key) ? [...mine, ...(common.get(key) ?? [])] : mine,
    ])
    return { program: new Map([...common, ...both]), subject: renamed.get(subject) ?? subject }
  })
}

const SHARED = -1

/**
 * The one subject (by number) from which a name can be reached through facts, or SHARED. Everything behind a shared
 * name is shared too, so no name is visited more than twice.
 */
function ownersOf(
  subjects: readonly string[],
  facts: ReadonlyMap<string, readonly Clause[]>,
): ReadonlyMap<string, number> {
  const owners = new Map<string, number>()
  for (const [at, subject] of subjects.entries()) {
    const open = [subject]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const known = owners.get(name)
      if (known === at || known === SHARED) continue
      share(name, known === undefined ? at : SHARED)
      if (known === undefined) for (const { head } of facts.get(name) ?? []) open.push(...constants(head))
    }
  }
  return owners

  /** Sets the owner; of a shared name that of all behind it. */
  function share(from: string, owner: number): void {
    if (owner !== SHARED) {
      owners.set(from, owner)
      return
    }
    const open = [from]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (owners.get(name) === SHARED) continue
      owners.set(name, SHARED)
      for (const { head } of facts.get(name) ?? []) open.push(...constants(head))
    }
  }
}

/** A name that no text can hold: the reader takes no control characters. */
const hidden = (number: number): string => `\u0000${String(number).padStart(6, '0')}`

const isFact = ({ body, variables }: Clause): boolean =>
  variables.length === 0 && body.kind === 'atom' && body.name === 'true'

function constants(head: Term): readonly string[] {
  const names: string[] = []
  if (head.kind === 'compound') for (const arg of head.args) if (arg.kind === 'atom') names.push(arg.name)
  return names
}

function rename(head: Atom | Compound, names: ReadonlyMap<string, string>): Atom | Compound {
  if (head.kind === 'atom') return head
  return {
    ...head,
    args: head.args.map((arg) => (arg.kind === 'atom' ? atom(names.get(arg.name) ?? arg.name) : arg)),
  }
}

/** Subjects with their label, and everything else: facts `positive(x).` and `negative(x).` are the labels. */
interface Labelled {
  readonly subjects: readonly string[]
  /** Is it one of the positive ones? */
  readonly labels: readonly boolean[]
  readonly background: readonly Clause[]
}

/** Takes the labels out of a program. */
export function labelled(clauses: readonly Clause[], positive: string, negative: string): Labelled {
  const subjects: string[] = []
  const labels: boolean[] = []
  const background: Clause[] = []
  const seen = new Set<string>()
  for (const clause of clauses) {
    const key = indicator(clause.head)
    const is = key === `${positive}/1`
    if (!is && key !== `${negative}/1`) {
      background.push(clause)
      continue
    }
    const [subject] = constants(clause.head)
    if (subject === undefined || !isFact(clause) || seen.has(`${subject}/${is}`)) continue
    seen.add(`${subject}/${is}`)
    subjects.push(subject)
    labels.push(is)
  }
  return { subjects, labels, background }
}
