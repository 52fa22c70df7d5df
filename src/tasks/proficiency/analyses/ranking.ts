import {
  type Analysis,
  column,
  type Estimate,
  everyTwo,
  type Frame,
  figure,
  marksBy,
  table,
} from '../../../core/index.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import {
  type Curve,
  curvesOf,
  distanceColumn,
  language,
  lengthOnlyName,
  model,
  needs,
  outsideDistances,
  PAPER,
  withLengthOnly,
} from './contexts.ts'
import {
  bandOf,
  difference,
  estimateOf,
  isMatched,
  type LanguageScore,
  languageScores,
  type Matched,
  maxExamples,
} from './language-scores.ts'
import { centreOf, languageLoss, type Mean } from './losses.ts'

/** The scores of all models, by language, at the smallest distance. */
function allScores(frame: Frame, seed: number) {
  const curves = curvesOf(frame)
  const [distance] = outsideDistances(curves)
  if (distance === undefined) return null
  const names = [...new Set(curves.map((curve) => curve.language))]
  const scores = new Map(names.map((name) => [name, languageScores(withLengthOnly(curves), name, distance, seed)]))
  return { curves, distance, scores }
}

/** Table 1 of the paper in every language, and over all of them. */
export const table1: Analysis = {
  id: 'proficiency/table1',
  title: `Ranking by the median AUC up to ${maxExamples} examples`,
  source: { paper: PAPER, item: 'table 1' },
  notes: [
    'Length-matched AUC: pairs of equal length only. Beside it the plain AUC of the paper; "length only": the part that length alone gives.',
    'Languages without pairs of equal length have the plain AUC only, and do not enter the row of all languages (the mean over them).',
    'Bands of the paper: good from 0.75, moderate from 0.6, poor below. Two models of its table 1 are in two bands.',
    'Rank = 1 + models with a significantly larger AUC (CI of the paired difference above 0). At the smallest distance.',
    'CIs resample repetitions and their test strings, the same for all models. With one repetition its example list is fixed.',
  ],
  needs: [...needs, 'feature_test'],
  run(frame, { seed }) {
    const all = allScores(frame, seed)
    if (all === null) return { tables: [] }
    const lists = [...all.scores.values()]
    const ranking = table(
      'proficiency/table1',
      `Median AUC at the smallest distance over 1 to ${maxExamples} examples`,
      [
        language,
        distanceColumn,
        column.number('rank', 'Rank'),
        model,
        column.estimate('auc', 'Median length-matched AUC', 'share'),
        column.number('plain', 'Median plain AUC', 'share'),
        column.text('band', 'Band'),
        column.text('ties', 'Not significantly different'),
      ],
      [...(lists.length > 1 ? [overall(lists)] : []), ...lists].flatMap((list) => ranked(list, all.distance)),
    )
    const plot = figure(ranking, {
      title: 'Median AUC by model',
      x: 'auc',
      y: { key: 'model', scale: 'category' },
      facet: 'language',
      marks: marksBy('band', 'interval', 'point'),
    })
    return { tables: [ranking], figures: [plot] }
  },
}

/** The mean of each model that has a score in all languages with pairs of equal length. */
function overall(lists: readonly (readonly LanguageScore[])[]): Matched[] {
  const matched = lists.map((list) => list.filter(isMatched)).filter((list) => list.length > 0)
  const [first] = matched
  if (first === undefined) return []
  return first.flatMap(({ model }): Matched[] => {
    const own = matched.map((list) => list.find((s) => s.model === model)).filter((s) => s !== undefined)
    if (own.length < matched.length) return []
    const average = (of: (s: Matched) => number) => mean(own.map(of))
    return [
      {
        model,
        language: 'all',
        value: average(({ value }) => value),
        draws: own[0]?.draws.map((_, i) => meanOfAll(own.map(({ draws }) => draws[i] ?? null))) ?? [],
        strings: own.reduce((sum, s) => sum + s.strings, 0),
        few: own.reduce((sum, s) => sum + s.few, 0),
        plain: average(({ plain }) => plain),
      },
    ]
  })
}

function meanOfAll(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : mean(known)
}

function ranked(list: readonly LanguageScore[], distance: string) {
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

/** The mean loss per terminal of strings of the language at the largest k up to 32. */
function lossAt(curves: readonly Curve[], { model: name, language: of }: LanguageScore): Mean | null {
  const curve = curves.find((c) => c.model === name && c.language === of)
  const last = [...(curve?.byK ?? [])].filter(([k]) => k <= maxExamples).at(-1)
  return last === undefined ? null : languageLoss(last[1], 'terminal')
}

const lossLabel = `Loss per terminal at the largest k up to ${maxExamples}`
const aucLabel = `Median AUC up to ${maxExamples} examples`

/** The paper's research questions, each by both tests. */
export const questions: Analysis = {
  id: 'proficiency/questions',
  title: 'Research questions 1 to 3 by the generative and by the discriminative test',
  source: { paper: PAPER, item: 'section 3' },
  notes: [
    'RQ1: how proficient is a model in a language? RQ2: in which of two languages? RQ3: which of two models in a language?',
    'For RQ3 use the AUC: the loss depends on priors and tokenizers.',
  ],
  needs: [...needs, 'feature_test'],
  run(frame, { seed }) {
    const all = allScores(frame, seed)
    if (all === null) return { tables: [] }
    const { curves } = all
    const models = [...all.scores].map(([name, scores]) => {
      const known = scores.filter((score) => score.model !== lengthOnlyName)
      return { language: name, known, matched: known.filter(isMatched) }
    })
    const compare = (a: Matched, b: Matched) => {
      const [x, y] = [lossAt(curves, a), lossAt(curves, b)]
      return { loss: x === null || y === null ? null : centreOf(x) - centreOf(y), auc: difference(a, b) }
    }
    const larger = ({ low, high }: Estimate, a: string, b: string) => (low > 0 ? a : high < 0 ? b : 'neither')
    const compared = [
      column.number('loss', `${lossLabel}: first − second`, 'nats'),
      column.estimate('auc', `${aucLabel}: first − second`),
      column.text('more', 'More proficient'),
    ]
    return {
      tables: [
        table(
          'proficiency/rq1',
          'RQ1: absolute proficiency',
          [model, language, column.estimate('loss', lossLabel, 'nats'), column.estimate('auc', aucLabel, 'share')],
          models.flatMap(({ known }) =>
            known.map((score) => ({
              model: score.model,
              language: score.language,
              loss: lossAt(curves, score),
              auc: isMatched(score) ? estimateOf(score) : null,
            })),
          ),
        ),
        table(
          'proficiency/rq2',
          'RQ2: one model, two languages',
          [model, column.text('first', 'First language'), column.text('second', 'Second language'), ...compared],
          everyTwo(models).flatMap(([a, b]) =>
            a.matched.flatMap((first) => {
              const second = b.matched.find((score) => score.model === first.model)
              if (second === undefined) return []
              const found = compare(first, second)
              const more = larger(found.auc, a.language, b.language)
              return [{ model: first.model, first: a.language, second: b.language, ...found, more }]
            }),
          ),
        ),
        table(
          'proficiency/rq3',
          'RQ3: two models, one language',
          [language, column.text('first', 'First model'), column.text('second', 'Second model'), ...compared],
          models.flatMap(({ language: name, matched }) =>
            everyTwo(matched).map(([a, b]) => {
              const found = compare(a, b)
              const more = larger(found.auc, a.model, b.model)
              return { language: name, first: a.model, second: b.model, ...found, more }
            }),
          ),
        ),
      ],
    }
  },
}
