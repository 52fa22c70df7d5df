import { type Analysis, column, type Estimate, type Figure, type Table } from '../../../core/index.ts'
import { analysisStream } from '../../../libraries/statistics/index.ts'
import { atDistance, labelled, meanAuc } from './auc-of.ts'
import {
  type Context,
  type Curve,
  curvesOf,
  distancesOf,
  estimate,
  lossOf,
  needs,
  number,
  text,
  withLengthOnly,
} from './cells.ts'
import { matchedAuc, matchedCells } from './matched.ts'
import { averageRoc } from './roc.ts'

type Rows = readonly { readonly [key: string]: string | number | null | Estimate }[]

const chance = 0.5

/** How far strings of the language and strings outside stand apart by their loss, at the largest k: AUC by distance, and ROC curves. */
export const separation: Analysis = {
  id: 'proficiency/separation',
  title: 'How far strings of the language and strings outside stand apart',
  page: 'tokens',
  notes: [
    'At the largest number of examples of the run. Plain AUC and ROC, as in the paper; beside the AUC the one over pairs of equal length (see proficiency/auc), which the length has no part in.',
    '“length only” knows how likely a string’s length is in the language and nothing else: what a model has above it is more than length.',
    'ROC: at the smallest distance of the run, the mean over repetitions at equal false alarms; broken line: chance.',
  ],
  needs,
  run(frame, { seed }) {
    const curves = withLengthOnly(curvesOf(frame)).flatMap((curve) => {
      const last = [...curve.byK].at(-1)
      return last === undefined ? [] : [{ ...curve, k: last[0], contexts: last[1] }]
    })
    const distances = distancesOf(curves).filter((distance) => distance !== '0')
    const aucs = curves.flatMap((curve) => distances.flatMap((distance) => aucRow(curve, distance)))
    const [least] = distances
    if (aucs.length === 0 || least === undefined) return { tables: [] }
    const points = curves.flatMap((curve) => rocRows(curve, least, seed))
    return {
      tables: [aucTable(aucs), rocTable(points)],
      figures: [aucFigure, rocFigure(least)],
    }
  },
}

interface AtK extends Curve {
  readonly k: number
  readonly contexts: readonly Context[]
}

function aucRow({ model, language, k, contexts }: AtK, distance: string): Rows {
  const auc = meanAuc(contexts, atDistance(distance))
  if (auc === null) return []
  const matched = matchedCells(matchedAuc(contexts, atDistance(distance), (s) => -lossOf(s)))
  return [{ model, language, k, distance, auc, chance, ...matched }]
}

function rocRows({ model, language, k, contexts }: AtK, distance: string, seed: number): Rows {
  const stream = analysisStream(seed, `proficiency/roc/${language}/${model}`)
  return averageRoc(labelled(contexts, atDistance(distance)), stream).map(({ falseAlarms, hits }) => ({
    model,
    language,
    k,
    distance,
    falseAlarms,
    hits,
    chance: falseAlarms,
  }))
}

const aucTable = (rows: Rows): Table => ({
  id: 'proficiency/separation-auc',
  title: 'AUC by distance at the largest number of examples',
  columns: [
    text('model', 'Model'),
    text('language', 'Language'),
    number('k', 'Examples'),
    text('distance', 'Distance'),
    estimate('auc', 'Plain AUC', 'share'),
    estimate('matched', 'Length-matched AUC', 'share'),
    number('pairs', 'Pairs of equal length'),
    column.share('chance', 'Chance'),
  ],
  rows,
})

const rocTable = (rows: Rows): Table => ({
  id: 'proficiency/separation-roc',
  title: 'Hits by share of false alarms',
  columns: [
    text('model', 'Model'),
    text('language', 'Language'),
    number('k', 'Examples'),
    text('distance', 'Distance'),
    number('falseAlarms', 'Strings outside that pass', 'share'),
    estimate('hits', 'Strings of the language that pass', 'share'),
    column.share('chance', 'Chance'),
  ],
  rows,
})

const aucFigure: Figure = {
  id: 'proficiency/separation-auc',
  title: 'Plain AUC by distance',
  table: 'proficiency/separation-auc',
  x: { key: 'distance', label: 'Distance, edits', scale: 'category' },
  y: { key: 'auc', label: 'AUC', unit: 'share' },
  facet: 'language',
  marks: [
    { kind: 'reference', y: 'chance' },
    { kind: 'interval', series: 'model' },
    { kind: 'line', series: 'model' },
    { kind: 'point', series: 'model' },
  ],
}

const rocFigure = (distance: string): Figure => ({
  id: 'proficiency/separation-roc',
  title: `ROC at distance ${distance}`,
  table: 'proficiency/separation-roc',
  x: { key: 'falseAlarms', label: 'Strings outside that pass', unit: 'share' },
  y: { key: 'hits', label: 'Strings of the language that pass', unit: 'share' },
  facet: 'language',
  marks: [
    { kind: 'reference', y: 'chance' },
    { kind: 'line', series: 'model' },
  ],
})
