import { below } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { neighbourhoodKernel } from '../recognise/neighbourhood.ts'
import { unpack } from '../sample/distinct.ts'
import { type DistinctSequence, distinctSequence } from '../sample/distinct-sequence.ts'
import type { Language } from '../sample/language.ts'
import { applyEdit, type EditRules, editChooser, editSampler, lengthChange } from './edit-negatives.ts'
import { type LegalStrings, legalStrings } from './legal-strings.ts'
import { strictlyLocalTest } from './strictly-local.ts'

/** Membership in the language, by whatever recogniser. */
export type Accepts = (tokens: ArrayLike<number>) => boolean

/** Makes rosters of strings outside the language, one per length. */
export type NegativeRosters = (length: number, stream: Stream) => DistinctSequence

/** Spaces up to this size are listed to prove that a cell holds few negatives or none. */
const LISTABLE = 4096

/** Drawn strings, members rejected; what is listed, likewise, where there is a list. */
const drawnOutside =
  (
    accepts: Accepts,
    draw: (stream: Stream, length: number) => Int32Array | null,
    list: (length: number) => Iterable<Int32Array> | null,
    patience: number,
  ): NegativeRosters =>
  (length, stream) =>
    distinctSequence(
      {
        draw(draws) {
          const tokens = draw(draws, length)
          return tokens === null || accepts(tokens) ? null : tokens
        },
        list() {
          const space = list(length)
          return space === null ? null : { all: true, entries: [...space].filter((tokens) => !accepts(tokens)) }
        },
        patience,
      },
      stream,
    )

/**
 * RELIC's published negatives: independent uniform terminals, members rejected. `patience` is the number of draws in a
 * row without a new negative, per negative found plus 10, after which the cell is given up.
 */
export const uniformNegatives = (terminals: number, accepts: Accepts, patience = 20): NegativeRosters =>
  drawnOutside(
    accepts,
    (stream, length) => Int32Array.from({ length }, () => below(stream, terminals)),
    (length) => allStrings(terminals, length),
    patience,
  )

/** Uniform over the strings that pass the bigram test, members rejected: every adjacent pair, the first and the last token are legal. */
export const bigramNegatives = (legal: LegalStrings, accepts: Accepts, patience: number): NegativeRosters =>
  drawnOutside(
    accepts,
    (stream, length) => legal.sample(stream, length),
    (length) => (legal.count(length) <= LISTABLE ? legal.list(length) : null),
    patience,
  )

/**
 * Negatives by edits of a positive (see `edit-negatives.ts`). A cell is proved empty when every string of the length, or
 * every one that passes the bigram test where that is asked for, is in the language; it is proved complete when single
 * edits are asked for and the positives they start from are few enough to list. A draw costs a neighbourhood pass, hence
 * the smaller patience.
 */
export function editNegatives(
  language: Language,
  rules: EditRules,
  accepts: Accepts,
  patience: number,
): NegativeRosters {
  const neighbourhood = neighbourhoodKernel(language.grammar)
  const sampler = editSampler(language, neighbourhood, rules)
  const chooser = editChooser(rules.legality, rules.model)
  const terminals = language.grammar.terminals.length
  let legal: LegalStrings | undefined

  /** All negatives one edit away, where the positives are few. */
  function fromAllPositives(length: number): { all: true; entries: Int32Array[] } | null {
    if (rules.most > 1) return null
    const entries: Int32Array[] = []
    for (const kind of new Set(rules.kinds)) {
      const sourceLength = length - lengthChange[kind]
      if (sourceLength < 1) continue
      if (sourceLength > language.maxLength) return null
      const cell = language.distinct(LISTED_SOURCES).cell(sourceLength)
      if (!cell.complete) return null
      for (const packed of cell.strings) {
        const source = unpack(packed)
        for (const edit of chooser.list(source, kind, neighbourhood(source, kind)))
          entries.push(applyEdit(source, edit))
      }
    }
    return { all: true, entries }
  }

  function provedEmpty(length: number): { all: true; entries: Int32Array[] } | null {
    let space: Iterable<Int32Array> | null
    if (rules.legality.k === 1) space = allStrings(terminals, length)
    else {
      legal ??= legalStrings(rules.legality.k === 2 ? rules.legality : strictlyLocalTest(language.grammar, 2))
      space = legal.count(length) <= LISTABLE ? legal.list(length) : null
    }
    if (space === null) return null
    for (const tokens of space) if (!accepts(tokens)) return null
    return { all: true, entries: [] }
  }

  return (length, stream) =>
    distinctSequence(
      {
        draw: (draws) => sampler(draws, length),
        list: () => fromAllPositives(length) ?? provedEmpty(length),
        patience,
      },
      stream,
    )
}

/** Positives of one length that are still listed to complete a cell of edited strings. */
const LISTED_SOURCES = 32

/** All strings of a length over the terminals, or null when they are too many to list. */
function allStrings(terminals: number, length: number): Iterable<Int32Array> | null {
  let count = 1
  for (let i = 0; i < length; i++) {
    count *= terminals
    if (count > LISTABLE) return null
  }
  return Array.from({ length: count }, (_, rank) => {
    const tokens = new Int32Array(length)
    let left = rank
    for (let i = length - 1; i >= 0; i--) {
      tokens[i] = left % terminals
      left = Math.floor(left / terminals)
    }
    return tokens
  })
}
