import { type Analysis, type Frame, figure, marksBy, table } from '../../../core/index.ts'
import { expectedNeighbours, lengthDistribution, type Pcfg } from '../../../libraries/grammars/pcfg/index.ts'
import { kl, partition, systemsIn } from '../../../libraries/statistics/index.ts'
import { namedGrammar } from '../languages/make.ts'
import { languageNames } from '../languages/spec.ts'
import { byCondition } from './conditions.ts'
import { estimate, language, model, number } from './contexts.ts'
import { type Mean, meanEstimate, shareEstimate } from './mean-of.ts'
import { stringDivergence } from './string-divergence.ts'

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
    const part = (name: string) => (frame.has(`subscore_${name}`) ? frame.number(`subscore_${name}`) : null)
    const measures = {
      value: frame.number('score'),
      member: part('member'),
      novel: part('novel'),
      distinct: part('distinct'),
      valid: part('valid'),
      surprisal: part('surprisal'),
    }
    const rows = responsesIn(frame).map(({ key, byRepetition, unparsed }) => ({
      ...key,
      parsed: byRepetition.flat().length,
      unparsed,
      ...Object.fromEntries(
        Object.entries(measures).map(([name, values]) => [
          name,
          values === null ? null : meanOf(values, byRepetition, name === 'surprisal' ? meanEstimate : shareEstimate),
        ]),
      ),
    }))
    const written = table(
      'proficiency/generation',
      'Strings written after k examples',
      [
        model,
        language,
        number('k', 'Examples'),
        number('parsed', 'Parsed'),
        number('unparsed', 'Unparsed'),
        estimate('value', 'Score', 'share'),
        estimate('member', 'Member', 'share'),
        estimate('novel', 'Novel', 'share'),
        estimate('distinct', 'Distinct', 'share'),
        estimate('valid', 'Valid', 'share'),
        estimate('surprisal', 'Surprisal', 'nats'),
      ],
      rows,
    )
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

const meanOf = (
  values: Float64Array,
  byRepetition: readonly (readonly number[])[],
  mean: (byRepetition: readonly (readonly number[])[]) => Mean | null,
): Mean | null =>
  mean(
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
      const grammar = namedGrammar(name)
      const { cross, seen, kl: whole } = stringDivergence(grammar, written, IMPOSSIBLE)
      const lengths = divergence(
        written.map((s) => String(s.length)),
        lengthsOf(grammar),
      )
      const pairs = divergence(written.flatMap(neighboursOf), expectedNeighbours(grammar))
      return [{ ...key, strings: written.length, lengths, pairs, cross, seen, whole }]
    })
    const divergences = table(
      'proficiency/generation-kl',
      'Divergence from the language',
      [
        model,
        language,
        number('k', 'Examples'),
        number('strings', 'Strings'),
        number('lengths', 'KL of lengths', 'nats'),
        number('pairs', 'KL of neighbouring tokens', 'nats'),
        number('cross', 'Cross-entropy of strings', 'nats'),
        number('seen', 'Seen', 'share'),
        number('whole', 'KL of strings', 'nats'),
      ],
      rows,
    )
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

export const generationAnalyses: readonly Analysis[] = [generation, generationDivergence].map(byCondition)
