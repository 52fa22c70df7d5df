import { type Analysis, column, marksBy } from '../../../core/index.ts'
import { clusteredShare } from '../../../libraries/statistics/index.ts'
import {
  alongExamples,
  type Context,
  codesOf,
  curvesOf,
  distanceColumn,
  lossOf,
  needs,
  pointCells,
  pointsOf,
} from './contexts.ts'

/** Is a string found likelier than what its own edits make of it? */
export const neighbours: Analysis = {
  id: 'proficiency/neighbours',
  title: 'Strings against their own edits',
  notes: [
    'Each test string of the language against the strings that are made of it, by nats per token; a tie counts one half, and is no string cheaper than all.',
    'All beaten: share of strings cheaper than every one of their edits (the preset memorisation has ten). Chance is one half of each edit, and 1 / (n + 1) of all n.',
    'Clusters are the test strings; the repetitions of shared tests are one cluster.',
  ],
  needs: [...needs, 'feature_test'],
  run(frame) {
    const rows = pointsOf(curvesOf(frame)).flatMap((point) => {
      const sets = duels(point.contexts)
      return [
        ...Map.groupBy(
          sets.flatMap(({ wins, ...of }) => wins.map((one) => ({ ...of, ...one }))),
          ({ distance }) => distance,
        ),
      ].flatMap(([distance, own]) => {
        const kinds = [...new Set(own.map(({ edit }) => edit))].sort()
        return ['any', ...(kinds.length > 1 ? kinds : [])].map((edit) => {
          const used = own.filter((one) => edit === 'any' || one.edit === edit)
          const strings = [...Map.groupBy(used, ({ string }) => string).values()]
          const codes = codesOf(used.map(({ test }) => test))
          return {
            ...pointCells(point),
            distance,
            edit,
            edits: used.length / strings.length,
            each: clusteredShare(
              used.map(({ win }) => win),
              codes,
            ),
            all: clusteredShare(
              strings.map((one) => (one.every(({ win }) => win === 1) ? 1 : 0)),
              codesOf(strings.map((one) => one[0]?.test ?? 0)),
            ),
            chance: 0.5,
          }
        })
      })
    })
    return alongExamples(
      ['proficiency/neighbours', 'Edits that a string beats'],
      [
        distanceColumn,
        column.text('edit', 'Edit'),
        column.number('edits', 'Edits of a string'),
        column.estimate('each', 'Edits beaten', 'share'),
        column.estimate('all', 'All beaten', 'share'),
      ],
      rows,
      { title: 'Strings that beat all their edits', y: 'all', marks: marksBy('edit', 'line', 'point') },
    )
  },
}

/** Each member with the outcomes against the strings that are edited from the test of its number. */
function duels(contexts: readonly Context[]) {
  return contexts.flatMap(({ repetition, strings }) => {
    const byTest = Map.groupBy(strings, ({ test }) => test)
    return [...byTest].flatMap(([test, own]) => {
      const member = own.find(({ distance }) => distance === '0')
      if (member === undefined) return []
      const edits = own.filter(({ distance }) => /^[1-9]\d*$/u.test(distance))
      const wins = edits.map((other) => {
        const [a, b] = [lossOf(member), lossOf(other)]
        return { distance: other.distance, edit: other.edit, win: a < b ? 1 : a === b ? 0.5 : 0 }
      })
      return [{ string: `${repetition} ${test}`, test, wins }]
    })
  })
}
