import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, marksBy, table, tableOf } from '../../../core/tables.ts'
import { clusteredShare, design, linear, rowsWhere, scores, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, model, NEEDS, number, rowsWith, setting, text } from './accuracy.ts'
import { blocksBeside, named, panelOf, systemsOf } from './settings.ts'

const VALIDITY = 'feature_validity'
const BELIEF = 'feature_believability'

/** Which conclusions are accepted, by validity and believability, and what each of the two adds. */
export const beliefBias: Analysis = {
  id: 'recoglab/belief',
  title: 'Belief bias in syllogisms',
  source: { paper: 'Evans, Barston and Pollard, Memory & Cognition 11 (1983)', item: 'table 1' },
  notes: [
    'Accepted: share of parsed responses that say Yes.',
    'Logic: accepted if valid − if invalid. Belief: accepted if believable − if unbelievable. Both are means over the levels of the other.',
    'Interaction: belief among invalid − belief among valid; people: above 0.',
    'Effects: linear regression, errors clustered by context; p not adjusted. None where responses do not vary within a condition.',
  ],
  needs: [...NEEDS, VALIDITY, BELIEF],
  run(frame) {
    const settings = named(blocksBeside(frame, [VALIDITY, BELIEF], rowsWith(frame, BELIEF)))
    const parsed = systemsOf(frame, settings).map(({ key, rows }) => ({
      key: { ...key, panel: panelOf(key.model, key.setting) },
      rows: rowsWhere(rows, (row) => isLevel(frame, 'status', row, 'graded')),
    }))
    const accepted = acceptance(frame)
    const clusters = contextCodes(frame)
    const shares = tableOf(
      'recoglab/belief',
      'Accepted conclusions by validity and believability',
      [setting, model, text('validity', 'Validity'), text('believability', 'Believability')],
      parsed.flatMap(({ key, rows }) =>
        ['valid', 'invalid'].flatMap((validity) =>
          ['believable', 'none', 'unbelievable'].flatMap((believability) => {
            const own = rowsWhere(
              rows,
              (row) => isLevel(frame, VALIDITY, row, validity) && isLevel(frame, BELIEF, row, believability),
            )
            return own.length === 0 ? [] : [{ key: { ...key, validity, believability }, own }]
          }),
        ),
      ),
      [
        [number('n', 'Responses'), ({ own }) => own.length],
        [estimate('accepted', 'Accepted'), ({ own }) => clusteredShare(take(accepted, own), take(clusters, own))],
      ],
    )
    const effects = table(
      'recoglab/belief-effects',
      'Effects on the share of accepted conclusions',
      [setting, model, text('effect', 'Effect'), estimate('difference', 'Difference'), number('p', 'p')],
      parsed.flatMap(({ key, rows }) => effectsOf(frame, rows).map((effect) => ({ ...key, ...effect }))),
    )
    const plot = figure(shares, {
      x: { key: 'believability', scale: 'category' },
      y: 'accepted',
      facet: 'panel',
      marks: marksBy('validity', 'interval', 'point'),
    })
    return { tables: [shares, effects], figures: [plot] }
  },
}

const isLevel = (frame: Frame, column: string, row: number, name: string): boolean =>
  frame.category(column).levels[frame.category(column).codes[row] as number] === name

/** 1 where a parsed response accepts its conclusion. */
const acceptance = (frame: Frame): Float64Array =>
  scores(frame).map((score, row) => (isLevel(frame, VALIDITY, row, 'valid') ? score : 1 - score))

function effectsOf(frame: Frame, all: Int32Array) {
  const rows = rowsWhere(all, (row) => !isLevel(frame, BELIEF, row, 'none'))
  const half = (column: string, name: string) =>
    Float64Array.from(rows, (row) => (isLevel(frame, column, row, name) ? 0.5 : -0.5))
  const [logic, belief] = [half(VALIDITY, 'valid'), half(BELIEF, 'believable')]
  const variable = (values: Float64Array) => ({ kind: 'numeric', values }) as const
  const interaction = variable(logic.map((value, i) => -value * (belief[i] as number)))
  const matrix = design({ logic: variable(logic), belief: variable(belief), interaction }, [
    ['logic'],
    ['belief'],
    ['interaction'],
  ])
  const fit = linear(matrix, take(acceptance(frame), rows), { clusters: take(contextCodes(frame), rows) })
  if (fit.kind === 'unfit' || fit.sigma < 1e-9) return []
  return fit.coefficients.slice(1).map(({ name, estimate: value, low, high, p }) => ({
    effect: name,
    difference: { value, low, high, n: fit.n, method: `95 %, ${fit.errors}` },
    p,
  }))
}
