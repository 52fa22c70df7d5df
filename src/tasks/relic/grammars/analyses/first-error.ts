import { type Analysis, column, figure, marksBy, optional, table } from '../../../../core/index.ts'
import { mean, meanOrNull, median } from '../../../../libraries/statistics/index.ts'
import { type Asked, arm, armsOf, NEEDS } from './asked.ts'

const { number, share } = column

/** Subscores that say how far a wrong answer is right, from 0 to 1. */
const PLACES = ['subscore_nodes', 'subscore_prefix'] as const
const STEPS = Array.from({ length: 11 }, (_, k) => k / 10)

/** Where wrong answers go wrong. */
export const firstError: Analysis = {
  id: 'relic/first-error',
  title: 'Where wrong answers go wrong',
  notes: [
    'Of parsed wrong answers. First error: share of the answer before it (parse: nodes of the tree in preorder; fill: blanks; translate: words), 0 at the beginning.',
    'next: tokens missed and added, as shares of the set and of the answer. repair: answers outside the language, or in it with too many edits. count: zero and non-zero confused.',
  ],
  needs: NEEDS,
  run(frame) {
    const { codes, levels } = frame.category('status')
    const graded = levels.indexOf('graded')
    const part = (name: string) => (frame.has(name) ? frame.number(name) : null)
    const arms = armsOf(frame).flatMap(({ asked, ...key }) => {
      const wrong = asked.filter(({ row, right }) => right === 0 && codes[row] === graded)
      return wrong.length === 0 ? [] : [{ key, wrong }]
    })
    const valuesOf = (wrong: readonly Asked[], name: string): readonly number[] => {
      const values = part(name)
      return values === null
        ? []
        : wrong.map(({ row }) => values[row] as number).filter((value) => !Number.isNaN(value))
    }
    const placesOf = (wrong: readonly Asked[]) => PLACES.flatMap((name) => valuesOf(wrong, name))
    const kinds = table(
      'relic/first-error',
      'Wrong answers by kind',
      [
        ...arm,
        number('wrong', 'Wrong answers'),
        optional(share('first', 'First error (median)')),
        optional(share('atOnce', 'Wrong from the beginning')),
        optional(share('missed', 'Missed')),
        optional(share('added', 'Added')),
        optional(share('outside', 'Outside the language')),
        optional(share('tooFar', 'Too many edits')),
        optional(share('sign', 'Zero confused')),
      ],
      arms.map(({ key, wrong }) => {
        const places = placesOf(wrong)
        const member = meanOrNull(valuesOf(wrong, 'subscore_member'))
        const sign = meanOrNull(valuesOf(wrong, 'subscore_sign'))
        return {
          ...key,
          wrong: wrong.length,
          first: median(places),
          atOnce: meanOrNull(places.map((place) => Number(place === 0))),
          missed: meanOrNull(valuesOf(wrong, 'subscore_missed')),
          added: meanOrNull(valuesOf(wrong, 'subscore_added')),
          outside: member === null ? null : 1 - member,
          tooFar: member,
          sign: sign === null ? null : 1 - sign,
        }
      }),
    )
    const kept = table(
      'relic/right-so-far',
      'Wrong answers that are right up to a place',
      [...arm, share('place', 'Place in the answer'), share('right', 'Right so far')],
      arms.flatMap(({ key, wrong }) => {
        const places = placesOf(wrong)
        return places.length === 0
          ? []
          : STEPS.map((place) => ({ ...key, place, right: mean(places.map((first) => Number(first >= place))) }))
      }),
    )
    return {
      tables: [kinds, kept],
      figures: [figure(kept, { x: 'place', y: 'right', facet: 'task', marks: marksBy('model', 'line') })],
    }
  },
}
