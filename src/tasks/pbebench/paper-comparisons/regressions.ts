import { type PaperComparison, type PaperValue, paperColumn, type Table } from '../../../core/index.ts'
import { named, text } from './columns.ts'

/**
 * A column of all regressions of an analysis, whose tables are `pbebench/table16/MODEL, SET/wald`, or `pbebench/table15/wald` of one over
 * all models. Terms meet those of the paper, whichever model it is of.
 */
const ofFits =
  (analysis: string, kind: 'wald' | 'coefficients', term: 'term' | 'name', key: string) =>
  (tables: readonly Table[]): readonly PaperValue[] =>
    tables.flatMap(({ id, rows }) => {
      const [start, end] = [`pbebench/${analysis}/`, `/${kind}`]
      if (!id.startsWith(start) || !id.endsWith(end)) return []
      const [whose = '', ...more] = id.slice(start.length, -end.length).split(', ')
      const set = [named(whose), ...more].filter((part) => part !== '').join(', ')
      return rows.map((row) => ({
        row: termName(text(row, term)),
        ...(set === '' ? {} : { set }),
        value: row[key] as PaperValue['value'],
      }))
    })

/** Terms of regressions in one spelling: `counter-feeding x bleeding`, `length`. */
const termName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('=yes', '')
    .replaceAll(':', ' x ')
    .replaceAll(/counter[_-]?(?=feeding|bleeding)/gu, 'counter-')
    .replaceAll(/cascade_(?:len|length)/gu, 'length')
    .replaceAll('model_id', 'model')

const SAMPLES = 'Published: samples of an item as independent. Corrected: p with errors clustered by item.'

/** @param model - whose regression the paper prints. */
const regression = (
  printed: string,
  model: string,
  found: { readonly [key: string]: { readonly measure: string; readonly ours: PaperComparison['published'] } },
  clustered: PaperComparison['corrected'],
): readonly PaperComparison[] =>
  Object.entries(found).map(([key, { measure, ours }]) => ({
    printed: `pbebench/${printed}`,
    measure,
    paper: paperColumn({ column: key, row: (row) => termName(text(row, 'term')) }),
    ...(ours === undefined ? {} : { published: ours }),
    ...(key === 'p' && clustered !== undefined ? { corrected: clustered } : {}),
    reason: `Paper: ${model}. ${SAMPLES}`,
  }))

export const wald = (printed: string, ours: string, model: string): readonly PaperComparison[] =>
  regression(
    printed,
    model,
    {
      chi2: { measure: 'Chi-squared', ours: ofFits(ours, 'wald', 'term', 'chi2') },
      p: { measure: 'p', ours: ofFits(ours, 'wald', 'term', 'p') },
    },
    ofFits(ours, 'wald', 'term', 'clusteredP'),
  )

export const coefficients = (printed: string, model: string, withP: boolean): readonly PaperComparison[] =>
  regression(
    printed,
    model,
    {
      coefficient: {
        measure: 'Coefficient, log odds',
        ours: ofFits(printed, 'coefficients', 'name', 'estimate'),
      },
      ...(withP ? { p: { measure: 'p', ours: ofFits(printed, 'coefficients', 'name', 'p') } } : {}),
    },
    ofFits(printed, 'coefficients', 'name', 'clusteredP'),
  )
