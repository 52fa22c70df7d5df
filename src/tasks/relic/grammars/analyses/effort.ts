import { type Analysis, column, type Estimate, figure, marksBy, table } from '../../../../core/index.ts'
import { design, linear, mean, median } from '../../../../libraries/statistics/index.ts'
import { type Asked, arm, armsOf, inGroups, NEEDS, slopeOf } from './asked.ts'
import { quittingPoint } from './quitting.ts'

const { text, number, share, estimate } = column

const outcome = [share('truncated', 'Truncated'), share('accuracy', 'Accuracy')]

/** Bins of work that are drawn. */
const BINS = 8
const MIN_ITEMS = 40

/** Tokens against exact work: does effort follow it, and where does it stop? */
export const effort: Analysis = {
  id: 'relic/effort',
  title: 'Effort against the exact work of an item',
  question: 'cost',
  notes: [
    'Exponent b of tokens = a work^b: 1 for a reader who writes every item of the chart. Effort: tokens, of baselines steps; capped responses count as they are.',
    'Quits: effort rises up to a knot and not beyond it (95 % by bootstrap over grammars).',
  ],
  needs: NEEDS,
  run(frame, { seed }) {
    const status = frame.category('status')
    const truncated = status.levels.indexOf('truncated')
    const outcomeOf = (some: readonly Asked[]) => ({
      truncated: mean(some.map(({ row }) => Number(status.codes[row] === truncated))),
      accuracy: mean(some.map(({ right }) => right)),
    })
    const arms = armsOf(frame).flatMap(({ asked, ...key }) => {
      const spent = asked.filter(({ tokens }) => tokens > 0)
      return spent.length < MIN_ITEMS || new Set(spent.map(({ work }) => work)).size < 4 ? [] : [{ key, spent }]
    })
    const growth = table(
      'relic/effort',
      'Growth of effort with work',
      [
        ...arm,
        number('n', 'Responses'),
        estimate('exponent', 'Exponent of work', null),
        text('quits', 'Quits'),
        estimate('at', 'At work', null),
        estimate('before', 'Exponent before', null),
        estimate('after', 'Exponent beyond', null),
        ...outcome,
      ],
      arms.map(({ key, spent }) => ({
        ...key,
        n: spent.length,
        exponent: exponentOf(spent),
        ...quittingPoint(
          inGroups(spent).map((inside) => inside.map(({ work, tokens }) => ({ logWork: Math.log1p(work), tokens }))),
          seed,
          `${key.task} ${key.model}`,
        ),
        ...outcomeOf(spent),
      })),
    )
    const bins = table(
      'relic/effort-by-work',
      'Effort and accuracy by work',
      [...arm, number('work', 'Work', 'items'), number('tokens', 'Tokens (median)'), ...outcome],
      arms.flatMap(({ key, spent }) => {
        const sorted = spent.toSorted((a, b) => a.work - b.work)
        return Array.from({ length: BINS }, (_, bin) => {
          const inside = sorted.slice((bin * sorted.length) / BINS, ((bin + 1) * sorted.length) / BINS)
          return {
            ...key,
            work: median(inside.map(({ work }) => work)),
            tokens: median(inside.map(({ tokens }) => tokens)),
            ...outcomeOf(inside),
          }
        })
      }),
    )
    const over = { x: { key: 'work', scale: 'log' }, facet: 'task', marks: marksBy('model', 'line', 'point') } as const
    return {
      tables: [growth, bins],
      figures: [
        figure(bins, { id: 'relic/effort', title: 'Tokens by work', y: { key: 'tokens', scale: 'log' }, ...over }),
        figure(bins, { id: 'relic/accuracy-by-work', title: 'Accuracy by work', y: 'accuracy', ...over }),
      ],
    }
  },
}

function exponentOf(asked: readonly Asked[]): Estimate | null {
  const logWork = asked.map(({ work }) => Math.log(work))
  const fit = linear(
    design({ work: { kind: 'numeric', values: logWork } }, [['work']]),
    asked.map(({ tokens }) => Math.log(tokens)),
    { clusters: Int32Array.from(asked, ({ group }) => group) },
  )
  return fit.kind === 'unfit' ? null : slopeOf(fit, 'work', 'least squares over grammars')
}
