import type { Analysis, Estimate, Frame, Table } from '../../../core/index.ts'
import { expectedNeighbours, lengthDistribution, type Pcfg } from '../../../libraries/grammars/pcfg/index.ts'
import { kl, partition, systems } from '../../../libraries/statistics/index.ts'
import { namedGrammar } from '../languages/make.ts'
import { languageNames } from '../languages/spec.ts'
import { byBlock } from './blocks.ts'
import { estimate, number, text } from './cells.ts'
import { type Mean, meanEstimate, shareEstimate } from './mean-of.ts'
import { stringDivergence } from './string-divergence.ts'

const needs = ['model', 'state', 'value', 'feature_language', 'feature_k', 'feature_repetition'] as const

interface Cell {
  readonly model: string
  readonly language: string
  readonly k: number
  /** Rows with a response that was read, by repetition; empty where none was. */
  readonly byRepetition: readonly (readonly number[])[]
  readonly rows: readonly number[]
  /** Responses that were not read whole: unparsed, truncated or refused. */
  readonly unread: number
}

function cellsOf(frame: Frame): Cell[] {
  const who = systems(frame)
  const { codes, levels } = frame.category('state')
  const cells = new Map<
    string,
    { model: string; language: string; k: number; reps: Map<string, number[]>; unread: number }
  >()
  for (const { key, rows } of partition(frame, ['feature_language', 'feature_k', 'feature_repetition']))
    for (const row of rows) {
      const state = levels[codes[row] as number]
      if (state === undefined || state === 'failed') continue
      const model = who.labels[who.codes[row] as number] as string
      const language = key['feature_language'] ?? ''
      const k = Number(key['feature_k'])
      const id = `${model}\n${language}\n${k}`
      const cell = cells.get(id) ?? { model, language, k, reps: new Map<string, number[]>(), unread: 0 }
      cells.set(id, cell)
      const rep = key['feature_repetition'] ?? ''
      if (state === 'graded') cell.reps.set(rep, [...(cell.reps.get(rep) ?? []), row])
      else cell.unread++
    }
  return [...cells.values()].map(({ reps, ...cell }) => ({
    ...cell,
    byRepetition: [...reps.values()],
    rows: [...reps.values()].flat(),
  }))
}

/** Membership, novelty and distinctness of what models write. */
const generation: Analysis = {
  id: 'proficiency/generation',
  title: 'What models write: membership, novelty, distinctness',
  notes: [
    'Member: strings of the language among those written (or asked for, where fewer came). Novel: members that were no example. Distinct: different strings among those written. Valid: different new members among those asked for.',
    'Surprisal is the mean -ln P(s) of members; a model that draws as the language does has its entropy H(L) there.',
    'Means are over the responses that were read; unparsed, truncated and refused ones are counted in a column of their own.',
  ],
  needs,
  run(frame) {
    const part = (name: string) => (frame.has(`part_${name}`) ? frame.number(`part_${name}`) : null)
    const measures = {
      member: frame.number('value'),
      novel: part('novel'),
      distinct: part('distinct'),
      valid: part('valid'),
      surprisal: part('surprisal'),
    }
    const rows = cellsOf(frame).map(({ model, language, k, byRepetition, rows: read, unread }) => ({
      model,
      language,
      k,
      read: read.length,
      unread,
      ...Object.fromEntries(
        Object.entries(measures).map(([name, values]) => [
          name,
          values === null ? null : meanOf(values, byRepetition, name === 'surprisal' ? meanEstimate : shareEstimate),
        ]),
      ),
    }))
    if (rows.length === 0) return { tables: [] }
    const id = 'proficiency/generation'
    const table: Table = {
      id,
      title: 'Strings written after k examples',
      columns: [
        text('model', 'Model'),
        text('language', 'Language'),
        number('k', 'Examples'),
        number('read', 'Read'),
        number('unread', 'Unread'),
        estimate('member', 'Member', 'share'),
        estimate('novel', 'Novel', 'share'),
        estimate('distinct', 'Distinct', 'share'),
        estimate('valid', 'Valid', 'share'),
        estimate('surprisal', 'Surprisal', 'nats'),
      ],
      rows: rows as readonly { readonly [key: string]: string | number | null | Estimate }[],
    }
    return {
      tables: [table],
      figures: [
        {
          id,
          title: 'Membership by number of examples',
          table: id,
          x: { key: 'k', label: 'Examples', scale: 'log' },
          y: { key: 'member', label: 'Member', unit: 'share' },
          facet: 'language',
          marks: [
            { kind: 'line', series: 'model' },
            { kind: 'point', series: 'model' },
          ],
        },
      ],
    }
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

/** How far the written strings are from the language's distribution. */
const generationDivergence: Analysis = {
  id: 'proficiency/generation-kl',
  title: 'Kullback-Leibler divergence of written strings from the language',
  notes: [
    'KL(written || language) in nats, of the distribution of lengths and of pairs of neighbouring tokens (the ends among them): observed shares against exact probabilities. Unsmoothed, so about (outcomes seen - 1) / (2 n) nats of it are sampling.',
    'Of whole strings: the cross-entropy, mean -ln P(s) of what was written (unbiased; H(L) for who draws as the language does), less the writer’s entropy by Chao and Shen’s estimator. Seen: how much of the writer’s distribution the sample covers, 1 - strings written once / all (Good). Below one half the entropy, and so this divergence, cannot be told: write more strings, or take a smaller language. It may fall a little below 0 by sampling.',
    'Preset languages only. All written strings count, those outside the language too; outcomes impossible in the language, and strings outside it, share one cell of probability 1e-6.',
  ],
  needs: [...needs, 'answer'],
  run(frame) {
    const answers = frame.category('answer')
    const rows = cellsOf(frame).flatMap(({ model, language, k, rows: own }) => {
      const name = languageNames.find((known) => known === language)
      if (name === undefined) return []
      const written = own.flatMap((row) => stringsOf(answers.levels[answers.codes[row] as number]))
      if (written.length === 0) return []
      const grammar = namedGrammar(name)
      const whole = stringDivergence(grammar, written, impossible)
      return [
        {
          model,
          language,
          k,
          strings: written.length,
          lengths: divergence(
            written.map((s) => String(s.length)),
            lengthsOf(grammar),
          ),
          pairs: divergence(
            written.flatMap((s) => pairsOf(s)),
            expectedNeighbours(grammar),
          ),
          cross: whole.cross,
          seen: whole.seen,
          whole: whole.kl,
        },
      ]
    })
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'proficiency/generation-kl',
          title: 'Divergence from the language',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            number('k', 'Examples'),
            number('strings', 'Strings'),
            number('lengths', 'KL of lengths', 'nats'),
            number('pairs', 'KL of neighbouring tokens', 'nats'),
            number('cross', 'Cross-entropy of strings', 'nats'),
            number('seen', 'Seen', 'share'),
            number('whole', 'KL of strings', 'nats'),
          ],
          rows,
        },
      ],
    }
  },
}

function stringsOf(level: string | undefined): string[][] {
  if (level === undefined || !level.startsWith('[')) return []
  const parsed: unknown = JSON.parse(level)
  return Array.isArray(parsed) ? parsed.filter((s) => typeof s === 'string').map((s) => s.split(' ')) : []
}

/** Neighbours, with the end of string before the first and after the last. */
const pairsOf = (tokens: readonly string[]): string[] =>
  [...tokens, ''].map((token, i) => `${tokens[i - 1] ?? ''} ${token}`)

const lengthsOf = (grammar: Pcfg): Map<string, number> =>
  new Map(lengthDistribution(grammar).probability.flatMap((p, n) => (p > 0 ? [[String(n), p] as const] : [])))

/** Probability kept for what the language cannot do. */
const impossible = 1e-6

function divergence(outcomes: readonly string[], truth: ReadonlyMap<string, number>): number {
  const counts = new Map<string, number>([...truth.keys(), 'other'].map((key) => [key, 0]))
  for (const outcome of outcomes) {
    const key = truth.has(outcome) ? outcome : 'other'
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const p = [...truth.values()].map((value) => value * (1 - impossible))
  const total = p.reduce((a, b) => a + b, 0)
  return kl(
    [...counts.values()].map((count) => count / outcomes.length),
    [...p, 1 - total],
  )
}

export const generationAnalyses: readonly Analysis[] = [generation, generationDivergence].map(byBlock)
