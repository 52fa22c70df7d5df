import { type EmptyDraw, memoize, type RandomStreams } from '../../../../core/index.ts'
import type { MatchedPairSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import { compileRecognizer, type Recognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import { positiveRoster } from '../../../../libraries/grammars/sample/distinct-sequence.ts'
import { type Language, language } from '../../../../libraries/grammars/sample/language.ts'
import { derivesLength } from '../../../../libraries/grammars/sample/lengths.ts'
import { compiled } from '../compiled.ts'
import type { Config } from '../config.ts'
import { renamingKey } from '../grammars/canonical.ts'
import type { Shared } from '../prompt.ts'
import { localOf } from '../shortcuts/structure.ts'
import { type Lessons, lessonsOf } from './lessons.ts'
import { matched } from './matched.ts'
import { kindRosters, kindsOf, negativesOf, ordinary } from './negatives.ts'
import { reached } from './reach.ts'
import { upToRenaming } from './renaming.ts'
import { twinsApart, twinsTogether } from './twin-cells.ts'

/** A string of a cell, how it was made (null: a positive that has no twin), and the order of the n-grams it shares with its twin. */
export interface Entry {
  readonly tokens: Int32Array
  readonly kind: string | null
  readonly order: number | null
}

/** The strings of one grammar and length, positives and negatives each without repeats up to renaming. */
export interface Cell {
  positive(o: number): Entry | EmptyDraw
  negative(o: number): Entry | EmptyDraw
}

/** A positive and a negative that are asked for alike. */
export interface Couple {
  readonly positive: Entry
  readonly negative: Entry
}

interface Kit {
  readonly language: Language
  readonly recognizer: Recognizer
  /** Made when first asked for: grammars that are looked at and passed over need none. */
  readonly rosters: () => ReturnType<typeof kindRosters>
  readonly twins: Lessons | null
  readonly cells: Map<number, Cell>
}

/** What all cells of one grammar use; kept as long as the group's shared JSON is. */
const kitsOf = memoize((_shared: Shared) => new Map<string, Kit>())

function kitOf(config: Config, shared: Shared): Kit {
  const kits = kitsOf(shared)
  const { minLength, maxLength, maxEdits, hardGrade, negatives, twins, twinOrders, lengths } = config
  const key = JSON.stringify([minLength, maxLength, maxEdits, hardGrade, negatives, twins, twinOrders, lengths])
  let kit = kits.get(key)
  if (kit === undefined) {
    const grammar = compiled(shared)
    // Deletions start from sources that are longer than what they make.
    const own = language(grammar, maxLength + maxEdits)
    const recognizer = compileRecognizer(grammar)
    let rosters: ReturnType<typeof kindRosters> | undefined
    kit = {
      language: own,
      recognizer,
      rosters: () => (rosters ??= kindRosters(config, own, recognizer)),
      twins: twins === 'none' ? null : lessonsOf(config, own, recognizer),
      cells: new Map(),
    }
    kits.set(key, kit)
  }
  return kit
}

/** What the grammar's twins taught; null where none are asked for. */
export const taught = (config: Config, shared: Shared): Lessons | null => kitOf(config, shared).twins

/** The cell of a length, with its own streams; both labels of a unit see the same one. */
export function cellOf(config: Config, shared: Shared, length: number, streams: RandomStreams): Cell {
  const kit = kitOf(config, shared)
  let cell = kit.cells.get(length)
  if (cell === undefined) {
    cell = makeCell(config, shared, kit, length, streams)
    kit.cells.set(length, cell)
  }
  return cell
}

const blindly = (most: number, length: number): EmptyDraw => ({
  kind: 'unreachable',
  proved: false,
  reason: `drawn without regard to length, as published, no more than ${most} strings of length ${length} would come`,
})

function makeCell(config: Config, shared: Shared, kit: Kit, length: number, streams: RandomStreams): Cell {
  const keyOf = renamingKey(shared)
  const single = (): Cell => {
    const positives = upToRenaming(positiveRoster(kit.language, length, streams.stream('positives')), keyOf)
    const negatives = negativesOf(kindsOf(config), kit.rosters(), length, streams, keyOf)
    const most = config.lengths === 'published' ? reached(kit.language, length) : Number.POSITIVE_INFINITY
    return {
      positive(o) {
        if (o >= most && derivesLength(kit.language.lengths, 0, length)) return blindly(most, length)
        const listed = positives.at(o)
        if (listed.kind === 'entry') return { tokens: listed.entry, kind: null, order: null }
        const { count, proved } = listed
        const reason = `${proved ? 'the language has' : 'drawing found no more than'} ${count} strings of length ${length}, up to renaming`
        return { kind: 'unreachable', proved, reason }
      },
      negative(o) {
        const negative = negatives(o)
        return 'reason' in negative ? negative : { ...negative, order: null }
      },
    }
  }
  if (kit.twins === null) return single()
  const draw: MatchedPairSampler = kit.twins.draw
  const twins = { draw, length, language: kit.language, stream: streams.stream('twins'), keyOf }
  if (config.twins === 'together') return twinsTogether(twins)
  return twinsApart(twins, (taken) => matched(single(), ordinary(kit.language), localOf(shared), taken, keyOf))
}
