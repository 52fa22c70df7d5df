import { type Analysis, column, figure, table } from '../../../core/index.ts'
import { printPcfg, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import { analysisStream, mean } from '../../../libraries/statistics/index.ts'
import { languageOf, sampleText } from '../languages/compiled.ts'
import { namedGrammar } from '../languages/make.ts'
import { shareInside } from '../languages/relations.ts'
import { rungNames } from '../languages/spec.ts'

/** Strings of each rung whose distance is measured, and how far it is searched. */
const SAMPLES = 20
const FARTHEST = 12

/** How far from g5 and g6 are their changed forms? No model is asked. */
export const ladder: Analysis = {
  id: 'proficiency/ladder',
  title: 'Changed forms of a language, and how far they are from it',
  notes: [
    `Share: P(a string of the changed form is of the language too), exact. Distance: mean of ${SAMPLES} strings to the nearest of the language, at least ${FARTHEST + 1} where it is above ${FARTHEST}.`,
    'A model that has learnt the language and nothing more general has no reason to know more of a form than this.',
  ],
  needs: ['feature_language'],
  run(frame, { seed }) {
    const { levels } = frame.category('feature_language')
    const rows = rungNames
      .filter((rung) => levels.some((name) => name === rung || name.startsWith(`${rung}.`)))
      .map((rung) => {
        const base = rung.slice(0, 2) as 'g5' | 'g6'
        const [own, other] = [{ grammar: namedGrammar(rung) }, languageOf(printPcfg(namedGrammar(base)))]
        const stream = analysisStream(seed, `proficiency/ladder/${rung}`)
        const distances = Array.from({ length: SAMPLES }, () => {
          const tokens = tokensOf(other.grammar, sampleText(own, stream)) as number[]
          return other.distance(tokens, FARTHEST) ?? FARTHEST + 1
        })
        return {
          base,
          rung,
          changes: Number(rung.slice(3)),
          share: shareInside(own.grammar, other.grammar),
          distance: mean(distances),
        }
      })
    const rungs = table(
      'proficiency/ladder',
      'Changed forms',
      [
        column.text('base', 'Language'),
        column.text('rung', 'Changed form'),
        column.number('changes', 'Rules changed'),
        column.share('share', 'Share inside the language'),
        column.number('distance', 'Mean distance', 'edits'),
      ],
      rows,
    )
    const curve = figure(rungs, {
      x: 'changes',
      y: 'distance',
      facet: 'base',
      marks: [{ kind: 'line' }, { kind: 'point' }],
    })
    return rows.length === 0 ? { tables: [] } : { tables: [rungs], figures: [curve] }
  },
}
