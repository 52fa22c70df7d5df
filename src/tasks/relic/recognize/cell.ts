import { remember, type Streams, type Unreachable } from '../../../core/index.ts'
import { type Language, language } from '../../../formal/language.ts'
import { compileRecognizer } from '../../../formal/recognizer.ts'
import { positiveRoster, type Roster } from '../../../formal/roster.ts'
import { stringKey } from './canonical.ts'
import { compiled } from './compiled.ts'
import type { Config } from './config.ts'
import { kindRosters, type Negatives, negativesOf } from './negatives.ts'
import type { Shared } from './prompt.ts'
import { upToRenaming } from './renaming.ts'

/** The strings of one grammar and length, positives and negatives each without repeats up to renaming. */
export interface Cell {
  positive(o: number): Int32Array | Unreachable
  readonly negative: Negatives
}

interface Kit {
  readonly language: Language
  readonly rosters: ReturnType<typeof kindRosters>
  readonly cells: Map<number, Cell>
}

/** What all cells of one grammar use; kept as long as the group's shared JSON is. */
const kitsOf = remember((_shared: Shared) => new Map<string, Kit>())

function kitOf(config: Config, shared: Shared): Kit {
  const kits = kitsOf(shared)
  const key = JSON.stringify([config.maxLength, config.maxEdits, config.hardGrade, config.negatives])
  let kit = kits.get(key)
  if (kit === undefined) {
    const grammar = compiled(shared)
    // Deletions start from sources that are longer than what they make.
    const own = language(grammar, config.maxLength + config.maxEdits)
    kit = { language: own, rosters: kindRosters(config, own, compileRecognizer(grammar)), cells: new Map() }
    kits.set(key, kit)
  }
  return kit
}

/** The cell of a length, with its own streams; both labels of a unit see the same one. */
export function cellOf(config: Config, shared: Shared, length: number, streams: Streams): Cell {
  const kit = kitOf(config, shared)
  let cell = kit.cells.get(length)
  if (cell === undefined) {
    const keyOf = (tokens: Int32Array): string => stringKey(shared, Array.from(tokens))
    const positives = upToRenaming(positiveRoster(kit.language, length, streams.stream('positives')), keyOf)
    cell = {
      positive: (o) => stringOf(positives, o, length),
      negative: negativesOf(config.negatives, kit.rosters, length, streams, keyOf),
    }
    kit.cells.set(length, cell)
  }
  return cell
}

function stringOf(positives: Roster<Int32Array>, o: number, length: number): Int32Array | Unreachable {
  const listed = positives.at(o)
  if (listed.kind === 'entry') return listed.entry
  const { count, proved } = listed
  const reason = `${proved ? 'the language has' : 'drawing found no more than'} ${count} strings of length ${length}, up to renaming`
  return { kind: 'unreachable', proved, reason }
}
