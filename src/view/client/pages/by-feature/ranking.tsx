import type { Effects } from '../../../api/index.ts'
import { useKeys } from '../../keys.tsx'
import { featureName, percent, points } from '../../parts/format.ts'
import { colourOf, modelName } from '../../parts/names.ts'
import { goTo, type Route, withQueryValue } from '../../routing.ts'

/** The features, the clearest first, each with what it does to the leading model. */
export function Ranking({ route, effects: { features, leading }, x }: { route: Route; effects: Effects; x: string }) {
  const drawn = features.filter(({ hidden, name }) => hidden === '' || name === x)
  const others = features.filter((one) => !drawn.includes(one))
  const addressOf = (name: string): string => withQueryValue(withFeatures(route, []), 'x', name)
  const step = (by: number): unknown => {
    const next = drawn[drawn.findIndex(({ name }) => name === x) + by]
    return next !== undefined && goTo(addressOf(next.name))
  }
  useKeys({ j: ['next feature', () => step(1)], k: ['feature before', () => step(-1)] })
  return (
    <nav class="ranking" aria-label="Features">
      <p class="note">Features {leading === null ? '' : <span>effect on {modelName(leading)}</span>}</p>
      {drawn.map((one) => (
        <a
          key={one.name}
          href={addressOf(one.name)}
          aria-current={one.name === x ? 'true' : undefined}
          class={isClear(one) ? '' : 'dim'}
        >
          <span>{featureName(one.name)}</span>
          <Line curve={one.curve} model={leading ?? ''} />
          <small>{effectWords(one, leading)}</small>
        </a>
      ))}
      {others.length === 0 ? null : (
        <p class="note">
          Not shown:{' '}
          {others.map(({ name, hidden }, i) => (
            <>
              {i === 0 ? '' : ', '}
              <a href={addressOf(name)} title={hidden}>
                {featureName(name)}
              </a>
            </>
          ))}
          : {others[0]?.hidden}.
        </p>
      )}
    </nav>
  )
}

export type Effect = Effects['features'][number]

/** Slopes of rounding alone are none, whatever their p. */
export const isClear = ({ p, slopes }: Effect): boolean =>
  p !== null && p < 0.05 && (slopes.length === 0 || slopes.some(({ slope }) => Math.abs(slope) > 1e-9))

function effectWords(effect: Effect, leading: string | null): string {
  if (effect.p === null) return ''
  if (!isClear(effect)) return 'not significant'
  const slope = effect.slopes.find(({ model }) => model === leading)?.slope
  if (slope !== undefined && Math.abs(slope) >= 0.005) return `${points(slope)} per ${unitOf(effect.name)}`
  const values = effect.curve.map(({ share }) => share.value)
  return `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`
}

/** One unit of a feature: `hop` of hops. */
export const unitOf = (name: string): string => featureName(name).replace(/(?<=[a-z]{2})s$/u, '')

function Line({ curve, model }: { curve: Effect['curve']; model: string }) {
  const known = curve.filter(({ share }) => share.n >= 10)
  const at = (i: number): number => 2 + (44 * i) / Math.max(1, known.length - 1)
  return (
    <svg class={`spark m${colourOf(model)}`} width={48} height={18} aria-hidden="true">
      <polyline
        class="line"
        fill="none"
        points={known.map(({ share }, i) => `${at(i)},${16 - 14 * share.value}`).join(' ')}
      />
    </svg>
  )
}

export const withFeatures = (route: Route, conditions: readonly string[]): Route => ({
  ...route,
  parameters: [
    ...route.parameters.filter(([name]) => name !== 'feature'),
    ...conditions.map((one) => ['feature', one] as const),
  ],
})
