import { remember, type Stream, type Streams, type Unreachable } from '../../../core/index.ts'
import { language } from '../../../formal/language.ts'
import { pack, unpack } from '../../../formal/packed.ts'
import { compileRecognizer } from '../../../formal/recognizer.ts'
import { type Roster, roster } from '../../../formal/roster.ts'
import type { Config, NegativeKind } from './config.ts'
import { compiled } from './grammars.ts'
import { type Proposal, type Proposals, proposalOf } from './negatives.ts'
import type { Shared } from './prompt.ts'

/** The strings of one grammar and length, positives and negatives each without repeats. */
export interface Cell {
  positive(o: number): Int32Array | Unreachable
  negative(o: number): { readonly tokens: Int32Array; readonly kind: NegativeKind } | Unreachable
}

/** What all cells of one grammar use; kept as long as the group's shared JSON is. */
const groupOf = remember((shared: Shared) => {
  const grammar = compiled(shared)
  const kits = new Map<string, Proposals & { readonly cells: Map<number, Cell> }>()
  return (config: Config) => {
    const key = JSON.stringify([config.maxLength, config.maxEdits, config.negatives])
    let kit = kits.get(key)
    if (kit === undefined) {
      kit = {
        language: language(grammar, config.maxLength + 1),
        recognizer: compileRecognizer(grammar),
        maxEdits: config.maxEdits,
        cells: new Map(),
      }
      kits.set(key, kit)
    }
    return kit
  }
})

/** The cell of a length, with its own streams; both labels of a unit see the same one. */
export function cellOf(config: Config, shared: Shared, length: number, streams: Streams): Cell {
  const kit = groupOf(shared)(config)
  let cell = kit.cells.get(length)
  if (cell === undefined) {
    const positives = roster(kit.language, length, streams.stream('positives'))
    const negatives = negativeRoster(config.negatives, kit, length, streams.stream('negatives'))
    cell = { positive: (o) => stringOf(positives, o, length), negative: negatives }
    kit.cells.set(length, cell)
  }
  return cell
}

function stringOf(positives: Roster, o: number, length: number): Int32Array | Unreachable {
  const entry = positives.at(o)
  if (entry.kind === 'string') return entry.tokens
  return { kind: 'unreachable', proved: true, reason: `the language has ${entry.count} strings of length ${length}` }
}

/** Draws in a row without a new negative, per one found plus 10, after which a kind is given up. */
const patience = 200

/**
 * Distinct negatives of a length: ordinal o takes the kinds in turn, and where its kind is given up the next ones; the
 * kind that filled it is told.
 */
function negativeRoster(
  kinds: readonly NegativeKind[],
  kit: Proposals,
  length: number,
  stream: Stream,
): Cell['negative'] {
  const found: { readonly packed: string; readonly kind: NegativeKind }[] = []
  const seen = new Set<string>()
  const proposals = new Map<NegativeKind, Proposal>(kinds.map((kind) => [kind, proposalOf(kind, kit)]))
  const givenUp = new Set<NegativeKind>()

  function next(preferred: number): boolean {
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(preferred + turn) % kinds.length] as NegativeKind
      if (givenUp.has(kind)) continue
      const limit = patience * (found.length + 10)
      for (let tries = 0; tries < limit; tries++) {
        const tokens = proposals.get(kind)?.(stream, length) ?? null
        if (tokens === null) continue
        const packed = pack(tokens)
        if (seen.has(packed) || kit.recognizer.accepts(tokens)) continue
        seen.add(packed)
        found.push({ packed, kind })
        return true
      }
      givenUp.add(kind)
    }
    return false
  }

  return (o) => {
    while (found.length <= o) {
      if (next(found.length)) continue
      return {
        kind: 'unreachable',
        proved: false,
        reason: `no further negative of kind ${kinds.join(' or ')} at length ${length} in ${patience} draws for each one found`,
      }
    }
    const { packed, kind } = found[o] as { packed: string; kind: NegativeKind }
    return { tokens: unpack(packed), kind }
  }
}
