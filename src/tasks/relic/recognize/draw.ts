import { type Drawn, type Cell as Place, remember, type Streams } from '../../../core/index.ts'
import { adjacency, bigramVerdict } from '../../../formal/adjacency.ts'
import { derivationHeight, parseAnalyzer } from '../../../formal/parses.ts'
import { cellOf } from './cell.ts'
import type { Config } from './config.ts'
import { compiled, coverageOf, statisticsOf } from './grammars.ts'
import { log10 } from './measure-parses.ts'
import type { Given, Shared } from './prompt.ts'

const toolsOf = remember((shared: Shared) => {
  const grammar = compiled(shared)
  return { grammar, tables: adjacency(grammar), analyzer: parseAnalyzer(grammar) }
})

/** One string of the place's length and label, with everything that is known of it. */
export function draw(
  config: Config,
  shared: Shared,
  at: Place,
  _draws: Streams,
  streams: Streams,
): Drawn<Given, boolean> {
  const length = at.levels['length'] as number
  const label = at.levels['label'] as boolean
  const cell = cellOf(config, shared, length, streams)
  const positive = label || config.lengths === 'matched' ? cell.positive(at.nth) : null
  if (positive !== null && 'reason' in positive) return positive
  const negative = !label || config.lengths === 'matched' ? cell.negative(at.nth) : null
  if (negative !== null && 'reason' in negative) return negative
  const { grammar, tables, analyzer } = toolsOf(shared)
  const tokens = label ? (positive as Int32Array) : (negative as { tokens: Int32Array }).tokens
  const derivation = label ? (analyzer.derivation(tokens) as number[]) : null
  return {
    kind: 'drawn',
    given: { string: Array.from(tokens, (t) => grammar.terminals[t]).join(' ') },
    answer: label,
    features: {
      length,
      label,
      ...statisticsOf(shared),
      coverage: rounded(coverageOf(grammar, config)),
      bigramLegal: bigramVerdict(tables, tokens).kind === 'legal',
      kind: negative === null || label ? null : negative.kind,
      parses: label ? rounded(log10(analyzer.count(tokens).approximate)) : null,
      depth: derivation === null ? null : derivationHeight(grammar, derivation),
    },
  }
}

/** Derived floats are kept to 6 significant digits, and out of the item's hash. */
const rounded = (value: number): number => Number(value.toPrecision(6))
