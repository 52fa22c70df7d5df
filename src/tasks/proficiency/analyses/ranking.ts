import type { Analysis, Estimate, Frame } from '../../../core/index.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import {
  type Curve,
  curvesOf,
  distancesOf,
  estimate,
  lengthOnlyName,
  needs,
  number,
  text,
  withLengthOnly,
} from './cells.ts'
import { languageLoss } from './language-loss.ts'
import { centreOf, type Mean } from './mean-of.ts'
import {
  bandOf,
  difference,
  estimateOf,
  isMatched,
  type Matched,
  maxExamples,
  type Standing,
  standings,
} from './standings.ts'

type Row = { readonly [key: string]: string | number | null | Estimate }

interface All {
  readonly curves: readonly Curve[]
  readonly languages: readonly string[]
  readonly distance: string
  readonly of: (language: string) => readonly Standing[]
}

function allStandings(frame: Frame, seed: number): All | null {
  const curves = curvesOf(frame)
  const [distance] = distancesOf(curves).filter((d) => d !== '0')
  if (distance === undefined) return null
  const languages = [...new Set(curves.map((curve) => curve.language))]
  const found = new Map(
    languages.map((language) => [language, standings(withLengthOnly(curves), language, distance, seed)]),
  )
  return { curves, languages, distance, of: (language) => found.get(language) ?? [] }
}

/** Table 1 of the paper in every language, and over all of them. */
export const table1: Analysis = {
  id: 'proficiency/table1',
  title: `Ranking by the median AUC up to ${maxExamples} examples`,
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'table 1' },
  notes: [
    'By the length-matched AUC: pairs of equal length only. The plain AUC, the paper’s, is beside it; “length only” says what of that the length alone gives.',
    'Where no string outside is as long as one of the language there is nothing to rank: such rows say so and have the plain AUC only; the row of all languages leaves such a language out.',
    'Bands as in the paper: good from .75, moderate from .6, poor below. Two models of its table 1 stand in two bands.',
    'Rank = 1 + the number of models whose AUC is larger by more than chance (the interval of the paired difference leaves out 0), so models that cannot be told apart share a rank.',
    'Chance: repetitions, which differ in their example lists, and the test strings in each are drawn again, the same ones for all models. With one repetition its example list is fixed, and another list may give another rank.',
    'At the smallest distance of the run. The row of all languages is the mean over them.',
  ],
  needs: [...needs, 'feature_test'],
  run(frame, { seed }) {
    const all = allStandings(frame, seed)
    if (all === null) return { tables: [] }
    const lists = all.languages.map(all.of)
    const rows = [...(all.languages.length > 1 ? [overall(lists)] : []), ...lists].flatMap((list) =>
      ranked(list, all.distance),
    )
    if (rows.length === 0) return { tables: [] }
    const id = 'proficiency/table1'
    return {
      tables: [
        {
          id,
          title: `Median AUC at the smallest distance over 1 to ${maxExamples} examples`,
          columns: [
            text('language', 'Language'),
            text('distance', 'Distance'),
            number('rank', 'Rank'),
            text('model', 'Model'),
            estimate('auc', 'Median length-matched AUC', 'share'),
            number('plain', 'Median plain AUC', 'share'),
            text('band', 'Band'),
            text('ties', 'Cannot be told from'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: 'Median AUC by model',
          table: id,
          x: { key: 'auc', label: 'Median length-matched AUC', unit: 'share' },
          y: { key: 'model', label: 'Model', scale: 'category' },
          facet: 'language',
          marks: [
            { kind: 'interval', series: 'band' },
            { kind: 'point', series: 'band' },
          ],
        },
      ],
    }
  },
}

/** The mean of each model that has a standing in all languages where there are pairs of equal length. */
function overall(lists: readonly (readonly Standing[])[]): Matched[] {
  const matched = lists.map((list) => list.filter(isMatched)).filter((list) => list.length > 0)
  const [first] = matched
  if (first === undefined) return []
  return first.flatMap(({ model }): Matched[] => {
    const own = matched.map((list) => list.find((s) => s.model === model)).filter((s) => s !== undefined)
    if (own.length < matched.length) return []
    const average = (of: (s: Matched) => number) => mean(own.map(of))
    return [
      {
        kind: 'matched',
        model,
        language: 'all',
        value: average(({ value }) => value),
        draws: own[0]?.draws.map((_, i) => meanOrNull(own.map(({ draws }) => draws[i] ?? null))) ?? [],
        strings: own.reduce((sum, s) => sum + s.strings, 0),
        few: own.reduce((sum, s) => sum + s.few, 0),
        plain: average(({ plain }) => plain),
      },
    ]
  })
}

function meanOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : mean(known)
}

function ranked(list: readonly Standing[], distance: string): Row[] {
  const better = (a: Matched, b: Matched) => difference(a, b).low > 0
  const matched = list.filter(isMatched)
  const rows = matched
    .map((own) => {
      const others = matched.filter((other) => other !== own)
      const above = others.filter((other) => better(other, own))
      const ties = others.filter((other) => !better(other, own) && !better(own, other))
      return {
        language: own.language,
        distance,
        rank: 1 + above.length,
        model: own.model,
        auc: estimateOf(own),
        plain: own.plain,
        band: bandOf(own.value),
        ties: ties.map((other) => other.model).join(', '),
      }
    })
    .sort((a, b) => a.rank - b.rank || b.auc.value - a.auc.value)
  const without = list
    .filter((own) => !isMatched(own))
    .map(({ language, model, plain }) => ({ language, distance, rank: null, model, auc: null, plain, band: unmatched }))
  return [...rows, ...without.map((row) => ({ ...row, ties: '' }))]
}

const unmatched = 'no pairs of equal length'

/** The mean loss a terminal of strings of the language at the largest k up to 32. */
function lossAt(curves: readonly Curve[], model: string, language: string): Mean | null {
  const curve = curves.find((c) => c.model === model && c.language === language)
  const last = [...(curve?.byK ?? [])].filter(([k]) => k <= maxExamples).at(-1)
  return last === undefined ? null : languageLoss(last[1], 'terminal')
}

const lossLabel = `Loss a terminal at the largest k up to ${maxExamples}`
const aucLabel = `Median AUC up to ${maxExamples} examples`

/** The paper's research questions, each by both tests. */
export const questions: Analysis = {
  id: 'proficiency/questions',
  title: 'Research questions 1 to 3 by the generative and by the discriminative test',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'section 3' },
  notes: [
    'RQ1: how proficient is a model in a language? RQ2: in which of two languages is it more proficient? RQ3: which of two models is more proficient in a language?',
    'For RQ3 the loss is shown to be seen, not to be used: it depends on priors and tokenizers. The AUC answers it.',
  ],
  needs: [...needs, 'feature_test'],
  run(frame, { seed }) {
    const all = allStandings(frame, seed)
    if (all === null) return { tables: [] }
    const { curves, languages } = all
    const known = new Map(
      languages.map((language) => [language, all.of(language).filter(({ model }) => model !== lengthOnlyName)]),
    )
    const every = languages.flatMap((language) => known.get(language) ?? [])
    const of = (language: string) => (known.get(language) ?? []).filter(isMatched)
    const gap = (a: Matched, b: Matched) => {
      const [x, y] = [lossAt(curves, a.model, a.language), lossAt(curves, b.model, b.language)]
      return x === null || y === null ? null : centreOf(x) - centreOf(y)
    }
    const verdict = ({ low, high }: Estimate, a: string, b: string) => (low > 0 ? a : high < 0 ? b : 'neither')
    const absolute = every.map((s) => ({
      model: s.model,
      language: s.language,
      loss: lossAt(curves, s.model, s.language),
      auc: isMatched(s) ? estimateOf(s) : null,
    }))
    const acrossLanguages = pairs(languages).flatMap(([a, b]) =>
      of(a).flatMap((first) => {
        const second = of(b).find((s) => s.model === first.model)
        if (second === undefined) return []
        const auc = difference(first, second)
        return [{ model: first.model, first: a, second: b, loss: gap(first, second), auc, more: verdict(auc, a, b) }]
      }),
    )
    const acrossModels = languages.flatMap((language) =>
      pairs(of(language)).map(([a, b]) => {
        const auc = difference(a, b)
        return { language, first: a.model, second: b.model, loss: gap(a, b), auc, more: verdict(auc, a.model, b.model) }
      }),
    )
    if (every.length === 0) return { tables: [] }
    const compared = [
      number('loss', `${lossLabel}: first - second`, 'nats'),
      estimate('auc', `${aucLabel}: first - second`),
      text('more', 'More proficient'),
    ]
    return {
      tables: [
        {
          id: 'proficiency/rq1',
          title: 'RQ1: absolute proficiency',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            estimate('loss', lossLabel, 'nats'),
            estimate('auc', aucLabel, 'share'),
          ],
          rows: absolute,
        },
        {
          id: 'proficiency/rq2',
          title: 'RQ2: one model, two languages',
          columns: [
            text('model', 'Model'),
            text('first', 'First language'),
            text('second', 'Second language'),
            ...compared,
          ],
          rows: acrossLanguages,
        },
        {
          id: 'proficiency/rq3',
          title: 'RQ3: two models, one language',
          columns: [
            text('language', 'Language'),
            text('first', 'First model'),
            text('second', 'Second model'),
            ...compared,
          ],
          rows: acrossModels,
        },
      ].filter((table) => table.rows.length > 0),
    }
  },
}

const pairs = <T>(list: readonly T[]): (readonly [T, T])[] =>
  list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b] as const))
