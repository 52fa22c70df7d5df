import { type Analysis, column, figure, marksBy, tableOf } from '../../../core/index.ts'
import { aucEstimate, mean, quantileSorted } from '../../../libraries/statistics/index.ts'
import { type Context, language, needs, type ScoredString } from './contexts.ts'
import { meanEstimate } from './losses.ts'
import { learnersOf, MODES, modeNames } from './modes.ts'

/** Nats per terminal up to which the released code calls a string recollected. */
const RECOLLECTED = 0.2

/** Are strings that were read cheaper than strings of the language that were not? */
export const memorisation: Analysis = {
  id: 'proficiency/memorisation',
  title: 'Strings that were read, and strings that were not',
  notes: [
    'Seen: examples (or training strings) read so far; unseen: test strings of the language. AUC by nats above the floor -ln P(s): 0.5 is no memory of single strings.',
    'The four measures of the released code, means over seen strings. Recollected: at most 0.2 nats a terminal; adaptive: at most half of the least mean loss of unseen strings.',
    'Counterfactual: 1 - loss / b, b the median loss of the unseen strings whose P is nearest. Contextual: 1 - loss / the least b at any number of strings. Both 0 where negative; loss: nats of a string.',
  ],
  needs: [...needs, 'feature_seen'],
  run(frame) {
    const rows = learnersOf(frame).flatMap((learner) =>
      modeNames.flatMap((mode) => {
        const points = [...learner[mode]]
        const everywhere = points.map(([, contexts]) => contexts.map(insideOf))
        const least = Math.min(...everywhere.map((contexts) => meanLoss(contexts.flat())))
        return points.flatMap(([strings, contexts]) => {
          const seen = contexts.map(({ strings: all }) => all.filter((s) => s.seen !== null && s.seen <= strings))
          const unseen = contexts.map(insideOf)
          if (seen.flat().length === 0 || unseen.flat().length === 0) return []
          const { base, language: of } = learner
          const share = (value: (s: ScoredString, repetition: number) => number) =>
            mean(seen.flatMap((list, repetition) => list.map((s) => value(s, repetition))))
          const key = { base, mode, language: of, strings, line: `${base}, ${MODES[mode]}`, chance: 0.5 }
          return [{ key, seen, unseen, least, everywhere, share }]
        })
      }),
    )
    if (rows.length === 0) return { tables: [] }
    const leading = [column.text('base', 'Model'), column.text('mode', 'Mode'), language]
    const read = column.number('strings', 'Strings read')
    const lossOf = (lists: readonly (readonly ScoredString[])[]) =>
      meanEstimate(lists.filter((list) => list.length > 0).map((list) => list.map(perTerminal)))
    const memory = tableOf('proficiency/memorisation', 'Seen and unseen strings', [...leading, read], rows, [
      [column.estimate('seen', 'Loss of seen, per terminal', 'nats'), ({ seen }) => lossOf(seen)],
      [column.estimate('unseen', 'Loss of unseen, per terminal', 'nats'), ({ unseen }) => lossOf(unseen)],
      [
        column.estimate('auc', 'AUC, seen against unseen', 'share'),
        ({ seen, unseen }) =>
          aucEstimate(
            [...seen.flat(), ...unseen.flat()].map((s) => -excessOf(s)),
            [...seen.flat().map(() => true), ...unseen.flat().map(() => false)],
          ),
      ],
      [
        column.number('recollected', 'Recollected', 'share'),
        ({ share }) => share((s) => Number(perTerminal(s) <= RECOLLECTED)),
      ],
      [
        column.number('adaptive', 'Recollected, adaptive', 'share'),
        ({ share, least }) => share((s) => Number(perTerminal(s) <= least / 2)),
      ],
      [
        column.number('counterfactual', 'Counterfactual'),
        ({ share, unseen }) => share((s, r) => Math.max(0, 1 - s.nats / twinLoss(s, unseen[r]))),
      ],
      [
        column.number('contextual', 'Contextual'),
        ({ share, everywhere }) =>
          share((s, r) => Math.max(0, 1 - s.nats / Math.min(...everywhere.map((one) => twinLoss(s, one[r]))))),
      ],
    ])
    const curve = figure(memory, {
      title: 'Seen against unseen strings',
      x: { key: 'strings', label: 'Strings read', scale: 'log' },
      y: 'auc',
      facet: 'language',
      marks: [{ kind: 'reference', y: 'chance' }, ...marksBy('line', 'interval', 'line', 'point')],
    })
    return { tables: [memory], figures: [curve] }
  },
}

const perTerminal = ({ nats, terminals }: ScoredString): number => nats / terminals
/** Rounded, so that the language itself ties all its strings. */
const excessOf = ({ nats, floor }: ScoredString): number => Math.round((nats - (floor ?? 0)) * 1e8) / 1e8

const insideOf = ({ strings }: Context) => strings.filter(({ distance }) => distance === '0')

const meanLoss = (inside: readonly ScoredString[]): number =>
  inside.length === 0 ? Number.POSITIVE_INFINITY : mean(inside.map(perTerminal))

/** The median loss of the strings whose P is nearest to that of `s`. */
function twinLoss(s: ScoredString, unseen: readonly ScoredString[] = []): number {
  const far = (other: ScoredString) => Math.round(Math.abs((other.floor ?? 0) - (s.floor ?? 0)) * 1e6)
  const nearest = Math.min(...unseen.map(far))
  const losses = unseen.filter((other) => far(other) === nearest).map(({ nats }) => nats)
  return losses.length === 0 ? Number.POSITIVE_INFINITY : quantileSorted(Float64Array.from(losses).sort(), 0.5)
}
