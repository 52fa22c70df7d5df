import { type Analysis, column, type Frame, figure, marksBy, tableOf } from '../../../core/index.ts'
import { expectedNeighbours, lengthDistribution, type Pcfg, printPcfg } from '../../../libraries/grammars/pcfg/index.ts'
import { chaoShenEntropy, kl, partition, sampleCoverage, systemsIn } from '../../../libraries/statistics/index.ts'
import { languageOf, natsOf } from '../languages/compiled.ts'
import { namedGrammar } from '../languages/make.ts'
import { languageNames } from '../languages/spec.ts'
import { byCondition } from './conditions.ts'
import { language, model } from './contexts.ts'
import { meanEstimate, shareEstimate } from './losses.ts'

const LEADING = [model, language, column.number('k', 'Examples')]

const needs = ['model', 'status', 'score', 'feature_language', 'feature_k', 'feature_repetition'] as const

/** The responses of a model in a language after k examples. */
interface Responses {
  readonly key: { readonly model: string; readonly language: string; readonly k: number }
  /** Graded rows by repetition. */
  readonly byRepetition: readonly (readonly number[])[]
  /** Unparsed, truncated or refused responses. */
  readonly unparsed: number
}

function responsesIn(frame: Frame): readonly Responses[] {
  const { codes, levels } = frame.category('status')
  const stateOf = (row: number) => levels[codes[row] as number]
  const cells = partition(frame, ['feature_language', 'feature_k']).flatMap(({ key, rows }) =>
    systemsIn(frame, rows).flatMap(({ model: name, rows: all }) => {
      const own = all.filter((row) => stateOf(row) !== undefined && stateOf(row) !== 'error')
      if (own.length === 0) return []
      const graded = own.filter((row) => stateOf(row) === 'graded')
      return [
        {
          key: { model: name, language: key['feature_language'] ?? '', k: Number(key['feature_k']) },
          byRepetition: partition(frame, ['feature_repetition'], graded).map((part) => [...part.rows]),
          unparsed: own.length - graded.length,
        },
      ]
    }),
  )
  return cells
}

/** Membership, novelty and distinctness of generated strings. */
const generation: Analysis = {
  id: 'proficiency/generation',
  title: 'Generated strings: membership, novelty, distinctness',
  notes: [
    'Score: new members, each once and none of a fifth of the language beyond twice its share, over what the language itself earns.',
    'Member: in the language, of those written (or requested, if more). Novel: members that were no example. Distinct: of those written. Valid: distinct new members.',
    'Surprisal: mean -ln P(s) of members; a model that samples the language has its entropy H(L) there.',
    'Means over parsed responses; unparsed, truncated and refused ones are counted in a column.',
  ],
  needs,
  run(frame) {
    const mean = (name: string, of: typeof meanEstimate = shareEstimate) => {
      const values = frame.has(name) ? frame.number(name) : null
      return ({ byRepetition }: Responses) => values && meanOf(values, byRepetition, of)
    }
    const written = tableOf('proficiency/generation', 'Strings written after k examples', LEADING, responsesIn(frame), [
      [column.number('parsed', 'Parsed'), ({ byRepetition }) => byRepetition.flat().length],
      [column.number('unparsed', 'Unparsed'), ({ unparsed }) => unparsed],
      [column.estimate('value', 'Score', 'share'), mean('score')],
      [column.estimate('member', 'Member', 'share'), mean('subscore_member')],
      [column.estimate('novel', 'Novel', 'share'), mean('subscore_novel')],
      [column.estimate('distinct', 'Distinct', 'share'), mean('subscore_distinct')],
      [column.estimate('valid', 'Valid', 'share'), mean('subscore_valid')],
      [column.estimate('surprisal', 'Surprisal', 'nats'), mean('subscore_surprisal', meanEstimate)],
    ])
    const curve = figure(written, {
      title: 'Membership by number of examples',
      x: { key: 'k', scale: 'log' },
      y: 'member',
      facet: 'language',
      marks: marksBy('model', 'line', 'point'),
    })
    return { tables: [written], figures: [curve] }
  },
}

const meanOf = (values: Float64Array, byRepetition: readonly (readonly number[])[], of: typeof meanEstimate) =>
  of(
    byRepetition
      .map((rows) => rows.map((row) => values[row] as number).filter((value) => !Number.isNaN(value)))
      .filter((list) => list.length > 0),
  )

/** The divergence of the written strings from the language's distribution. */
const generationDivergence: Analysis = {
  id: 'proficiency/generation-kl',
  title: 'Kullback-Leibler divergence of generated strings from the language',
  notes: [
    'KL(written || language) in nats, of lengths and of neighbouring tokens: observed shares against exact probabilities. Sampling adds (outcomes − 1) / (2 n).',
    "Whole strings: cross-entropy (mean -ln P(s)) minus the writer's entropy (Chao-Shen). Seen: sample coverage (Good); below one half KL is not estimated.",
    'Preset languages only. Impossible outcomes and strings outside the language share one bin of probability 1e-6.',
  ],
  needs: [...needs, 'prediction'],
  run(frame) {
    const answers = frame.category('prediction')
    const rows = responsesIn(frame).flatMap(({ key, byRepetition }) => {
      const name = languageNames.find((known) => known === key.language)
      const written = byRepetition.flat().flatMap((row) => stringsOf(answers.levels[answers.codes[row] as number]))
      if (name === undefined || written.length === 0) return []
      return [{ key, written, grammar: namedGrammar(name), of: stringDivergence(namedGrammar(name), written) }]
    })
    const divergences = tableOf('proficiency/generation-kl', 'Divergence from the language', LEADING, rows, [
      [column.number('strings', 'Strings'), ({ written }) => written.length],
      [
        column.number('lengths', 'KL of lengths', 'nats'),
        ({ written, grammar }) =>
          divergence(
            written.map((s) => String(s.length)),
            lengthsOf(grammar),
          ),
      ],
      [
        column.number('pairs', 'KL of neighbouring tokens', 'nats'),
        ({ written, grammar }) => divergence(written.flatMap(neighboursOf), expectedNeighbours(grammar)),
      ],
      [column.number('cross', 'Cross-entropy of strings', 'nats'), ({ of }) => of.cross],
      [column.number('seen', 'Seen', 'share'), ({ of }) => of.seen],
      [column.number('whole', 'KL of strings', 'nats'), ({ of }) => of.kl],
    ])
    return { tables: [divergences] }
  },
}

function stringsOf(level: string | undefined): string[][] {
  if (level === undefined || !level.startsWith('[')) return []
  const parsed: unknown = JSON.parse(level)
  return Array.isArray(parsed) ? parsed.filter((s) => typeof s === 'string').map((s) => s.split(' ')) : []
}

/** Neighbours, with the end of string before the first and after the last. */
const neighboursOf = (tokens: readonly string[]): string[] =>
  [...tokens, ''].map((token, i) => `${tokens[i - 1] ?? ''} ${token}`)

const lengthsOf = (grammar: Pcfg): Map<string, number> =>
  new Map(lengthDistribution(grammar).probability.flatMap((p, n) => (p > 0 ? [[String(n), p] as const] : [])))

/** Probability of the cell of impossible outcomes. */
const IMPOSSIBLE = 1e-6

function divergence(outcomes: readonly string[], truth: ReadonlyMap<string, number>): number {
  const counts = new Map<string, number>([...truth.keys(), 'other'].map((key) => [key, 0]))
  for (const outcome of outcomes) {
    const key = truth.has(outcome) ? outcome : 'other'
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const p = [...truth.values()].map((value) => value * (1 - IMPOSSIBLE))
  const total = p.reduce((a, b) => a + b, 0)
  return kl(
    [...counts.values()].map((count) => count / outcomes.length),
    [...p, 1 - total],
  )
}

/** The divergence of a writer's distribution over strings from the language's, estimated from a sample. */
interface StringDivergence {
  /** Mean -ln P(s) of the written strings, nats: unbiased. */
  readonly cross: number
  /** Sample coverage of the writer's distribution (Good). */
  readonly seen: number
  /** KL(writer || language) in nats: `cross` less the writer's entropy (Chao and Shen); null where coverage is too low. */
  readonly kl: number | null
}

/** Lowest coverage at which the writer's entropy is estimated. */
const MIN_COVERAGE = 0.5

/**
 * All strings outside the language are one outcome of probability {@link IMPOSSIBLE}, so that the divergence is finite.
 * `written`: strings as lists of tokens, at least one.
 */
export function stringDivergence(grammar: Pcfg, written: readonly (readonly string[])[]): StringDivergence {
  const language = languageOf(printPcfg(grammar))
  const counts = new Map<string, number>()
  for (const tokens of written) {
    const text = tokens.join(' ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  let [total, outside] = [0, 0]
  const outcomes: number[] = []
  for (const [text, count] of counts) {
    const nats = natsOf(language, text)
    if (nats === null) outside += count
    else outcomes.push(count)
    total += count * (nats === null ? -Math.log(IMPOSSIBLE) : nats - Math.log(1 - IMPOSSIBLE))
  }
  if (outside > 0) outcomes.push(outside)
  const cross = total / written.length
  const seen = sampleCoverage(outcomes)
  return { cross, seen, kl: seen < MIN_COVERAGE ? null : cross - chaoShenEntropy(outcomes) }
}

export const generationAnalyses: readonly Analysis[] = [generation, generationDivergence].map(byCondition)
