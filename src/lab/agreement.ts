import { readFile, stat } from 'node:fs/promises'
import { csvLines } from '../core/csv.ts'
import { UsageError } from '../core/index.ts'
import {
  againstOthers,
  cohenKappa,
  fleissKappa,
  krippendorffAlpha,
  largestShare,
} from '../libraries/statistics/index.ts'
import { explained } from '../store/index.ts'

/** Agreement of raters on labels of the same units; null: undefined for these labels. */
export interface Agreement {
  readonly schema: 'touchstone/agreement/1'
  readonly units: number
  readonly raters: readonly string[]
  readonly labels: readonly string[]
  /** The mean share of the largest group of raters that agree. */
  readonly share: number | null
  readonly krippendorff: number | null
  /** Over the units that all raters labelled. */
  readonly fleiss: number | null
  readonly pairs: readonly {
    readonly first: string
    readonly second: string
    /** Labelled by both. */
    readonly units: number
    readonly share: number | null
    readonly cohen: number | null
  }[]
  /** One rater, such as a judge model, against all others. */
  readonly judge: {
    readonly name: string
    /** Share of units on which the judge agrees with the majority of the others, where they have one. */
    readonly majority: number | null
    readonly units: number
    /** Mean share of the others that agree with the judge. */
    readonly weighted: number | null
  } | null
}

const MAX_BYTES = 64 * 1024 * 1024

/** A label that a rater gave to a unit. */
export interface Label {
  readonly unit: string
  readonly rater: string
  readonly label: string
}

/**
 * Reads `unit, rater, label` rows of a CSV file.
 *
 * @param more - further labels; only those of units of the file count.
 * @throws UsageError for missing columns, and where a rater labels a unit twice differently.
 */
export async function agreementOf(path: string, judge?: string, more: readonly Label[] = []): Promise<Agreement> {
  const { size } = await explained(path, () => stat(path))
  if (size > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES} bytes`)
  const given = labelsIn(path, await explained(path, () => readFile(path, 'utf8')), more)
  const { units, raters, labels, ratings } = given
  if (judge !== undefined && !raters.includes(judge))
    throw new UsageError(`${path} has no rater "${judge}"; it has ${raters.join(', ')}`)
  return {
    schema: 'touchstone/agreement/1',
    units: units.length,
    raters,
    labels,
    share: largestShare(ratings),
    krippendorff: krippendorffAlpha(ratings),
    fleiss: fleissKappa(ratings),
    pairs: raters.flatMap((first, i) =>
      raters.slice(i + 1).map((second, j) => pairOf(ratings, [first, second], [i, i + 1 + j])),
    ),
    judge:
      judge === undefined
        ? null
        : {
            name: judge,
            ...againstOthers(
              ratings[raters.indexOf(judge)] ?? [],
              ratings.filter((_, r) => raters[r] !== judge),
            ),
          },
  }
}

interface Labels {
  readonly units: readonly string[]
  readonly raters: readonly string[]
  readonly labels: readonly string[]
  readonly ratings: readonly (readonly number[])[]
}

function labelsIn(path: string, text: string, more: readonly Label[]): Labels {
  const [units, raters, labels] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const ratings: number[][] = []
  const code = (known: Map<string, number>, name: string): number => {
    const found = known.get(name) ?? known.size
    known.set(name, found)
    return found
  }
  for (const { line, row } of csvLines(text)) {
    const { unit, rater, label } = row
    if (unit === undefined || rater === undefined || label === undefined)
      throw new UsageError(`${path} needs the columns unit, rater and label; it has ${Object.keys(row).join(', ')}`)
    if (unit === '' || rater === '') throw new UsageError(`${path}, line ${line}: unit and rater must not be empty`)
    // An empty label counts as none.
    if (label === '') continue
    const [u, r, l] = [code(units, unit), code(raters, rater), code(labels, label)]
    const own = ratings[r] ?? []
    ratings[r] = own
    if (own[u] !== undefined && own[u] !== l)
      throw new UsageError(`${path}, line ${line}: ${rater} labels ${unit} twice, with different labels`)
    own[u] = l
  }
  for (const { unit, rater, label } of more) {
    const u = units.get(unit)
    if (u === undefined) continue
    const r = code(raters, rater)
    const own = ratings[r] ?? []
    ratings[r] = own
    own[u] = code(labels, label)
  }
  if (raters.size < 2) throw new UsageError(`${path} has labels of ${raters.size} raters; at least 2 are needed`)
  return {
    units: [...units.keys()],
    raters: [...raters.keys()],
    labels: [...labels.keys()],
    ratings: ratings.map((own) => Array.from({ length: units.size }, (_, u) => own[u] ?? -1)),
  }
}

function pairOf(
  ratings: Labels['ratings'],
  [first, second]: readonly [string, string],
  [i, j]: readonly [number, number],
): Agreement['pairs'][number] {
  const [a, b] = [ratings[i] ?? [], ratings[j] ?? []]
  const both = [...a.keys()].filter((u) => (a[u] ?? -1) >= 0 && (b[u] ?? -1) >= 0)
  const same = both.filter((u) => a[u] === b[u]).length
  return { first, second, units: both.length, share: shareOf(same, both.length), cohen: cohenKappa(a, b) }
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
