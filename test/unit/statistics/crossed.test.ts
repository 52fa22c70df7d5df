import { describe, expect, it } from 'vitest'
import { float, Sfc32 } from '../../../src/core/index.ts'
import { type CrossedFit, crossed, type Trials } from '../../../src/libraries/statistics/index.ts'
import { laplace } from '../../../src/libraries/statistics/mixed/laplace.ts'
import { layoutOf } from '../../../src/libraries/statistics/mixed/layout.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

interface Reference {
  readonly models: readonly number[]
  readonly item: number
  readonly group: number | null
  readonly value: number
}
interface Case {
  readonly name: string
  readonly grouped: boolean
  readonly rows: readonly (readonly [number, number, number, number, number])[]
  readonly laplace: Reference
  readonly quadrature: Reference
}

const trialsOf = ({ grouped, rows }: Case): Trials[] =>
  rows.map(([model, item, group, right, trials]) => ({ model, item, right, trials, ...(grouped ? { group } : {}) }))

function fitOf(trials: readonly Trials[]): CrossedFit {
  const found = crossed(trials)
  if (found.kind === 'unfit') throw new Error(found.message)
  return found
}

const sd = (spread: CrossedFit['groups']): number | null => (spread?.kind === 'seen' ? spread.value : null)

describe('models, items and groups crossed', () => {
  const { cases } = fixture<{ cases: readonly Case[] }>('crossed')

  it.each(cases)('$name: Laplace as dense matrices and a search without derivatives have it', (one) => {
    const found = fitOf(trialsOf(one))
    for (const [m, { value }] of found.models.entries()) expectClose(value, one.laplace.models[m] as number, 1e-3, 1e-4)
    expectClose(sd(found.items) as number, one.laplace.item, 1e-3)
    if (one.laplace.group === null) expect(found.groups).toBeNull()
    else expectClose(sd(found.groups) as number, one.laplace.group, 1e-3)
  })

  it.each(cases)('$name: close to the likelihood itself, by quadrature, and below it for items', (one) => {
    const found = fitOf(trialsOf(one))
    for (const [m, { value }] of found.models.entries()) expectClose(value, one.quadrature.models[m] as number, 0, 0.02)
    expectClose(sd(found.items) as number, one.quadrature.item, 0.1)
    expect(sd(found.items) as number).toBeLessThan(one.quadrature.item)
    if (one.quadrature.group !== null) expectClose(sd(found.groups) as number, one.quadrature.group, 0.02)
  })

  it('has the derivatives of its likelihood', () => {
    const layout = layoutOf(trialsOf(cases[1] as Case))
    const at = (x: readonly number[]) =>
      laplace(
        layout,
        {
          models: Float64Array.from(x.slice(0, 3)),
          item: Math.exp(x[3] as number),
          group: Math.exp(x[4] as number),
        },
        { groups: new Float64Array(layout.groupIds.length), items: new Float64Array(layout.itemIds.length) },
      )
    const x = [-0.8, 0.1, 0.9, -0.3, 0.2]
    const { gradient } = at(x)
    for (const j of x.keys()) {
      const moved = (by: number): number => at(x.map((value, k) => (k === j ? value + by : value))).value
      expectClose(gradient[j] as number, (moved(1e-5) - moved(-1e-5)) / 2e-5, 1e-5, 1e-5)
    }
  })

  it('finds what data were drawn with, and intervals of abilities hold the truth', () => {
    const truth = [1, 0, -0.7]
    const stream = new Sfc32(1, 2, 3, 9)
    const runs = 60
    let hits = 0
    const spreads = { item: 0, group: 0 }
    for (let run = 0; run < runs; run++) {
      const found = fitOf(drawn(stream, truth, { groups: 25, items: 8, trials: 3, group: 0.8, item: 1 }))
      found.models.forEach(({ low, high }, m) => {
        if (low <= (truth[m] as number) && (truth[m] as number) <= high) hits++
      })
      spreads.item += (sd(found.items) ?? 0) / runs
      spreads.group += (sd(found.groups) ?? 0) / runs
    }
    // Abilities of one run share its items: some hundred independent intervals, three standard errors of which are .07.
    expect(hits / (3 * runs)).toBeGreaterThan(0.88)
    expectClose(spreads.item, 1, 0.08)
    expectClose(spreads.group, 0.8, 0.1)
  })

  it('sees that items are alike, and does not mind the order of rows', () => {
    const stream = new Sfc32(5, 2, 3, 9)
    const rows = drawn(stream, [0.5, -0.5], { groups: 20, items: 5, trials: 4, group: 0.9, item: 0 })
    const found = fitOf(rows)
    expect(found.share.items).toBeLessThan(0.05)
    expect(found.share.groups).toBeGreaterThan(0.1)
    const other = fitOf([...rows].reverse())
    expectClose(other.models[0]?.value ?? 9, found.models[0]?.value ?? -9, 1e-4)
    expectClose(other.logLikelihood, found.logLikelihood, 1e-8)
  })

  it('difficulties rise as fewer are right, and are drawn towards the group', () => {
    const stream = new Sfc32(7, 2, 3, 9)
    const rows = drawn(stream, [0.5, -0.5], { groups: 20, items: 6, trials: 4, group: 1, item: 1 })
    const { difficulty } = fitOf(rows)
    const rightOf = (item: number): number =>
      rows.filter((row) => row.item === item).reduce((sum, { right }) => sum + right, 0)
    const group = (g: number) => difficulty.filter(({ item }) => Math.floor(item / 6) === g)
    for (let g = 0; g < 20; g++) {
      const sorted = group(g).toSorted((a, b) => a.value - b.value)
      const rights = sorted.map(({ item }) => rightOf(item))
      expect(rights).toEqual(rights.toSorted((a, b) => b - a))
    }
  })

  it('says what cannot be fitted', () => {
    const of = (items: number, models: number, right: (item: number, model: number) => number): Trials[] =>
      Array.from({ length: models * items }, (_, k) => {
        const [model, item] = [k % models, Math.floor(k / models)]
        return { model, item, right: right(item, model), trials: 1 }
      })
    expect(crossed(of(5, 3, (i) => i % 2))).toMatchObject({ kind: 'unfit', code: 'too-few' })
    expect(crossed(of(20, 2, (i) => i % 2))).toMatchObject({ kind: 'unfit', code: 'too-few' })
    expect(crossed(of(20, 3, (i, m) => (m === 0 ? 1 : i % 2)))).toMatchObject({ kind: 'unfit', code: 'separated' })
    expect(() => crossed([{ model: 0, item: 0, right: 2, trials: 1 }])).toThrow(/correct trials: expected 0 to 1/u)
  })

  it('ends on data at which the likelihood has no top inside: all models alike on every item', () => {
    const rows: Trials[] = Array.from({ length: 120 }, (_, k) => ({
      model: k % 3,
      item: Math.floor(k / 3),
      right: Math.floor(k / 3) % 2,
      trials: 1,
    }))
    const found = crossed(rows)
    if (found.kind === 'crossed') expect(Number.isFinite(found.logLikelihood)).toBe(true)
    else expect(found.code).toBe('no-convergence')
  })
})

interface Plan {
  readonly groups: number
  readonly items: number
  readonly trials: number
  readonly group: number
  readonly item: number
}

function drawn(stream: Sfc32, abilities: readonly number[], plan: Plan): Trials[] {
  const rows: Trials[] = []
  for (let g = 0; g < plan.groups; g++) {
    const u = plan.group * normal(stream)
    for (let i = 0; i < plan.items; i++) {
      const v = plan.item * normal(stream)
      abilities.forEach((a, model) => {
        let right = 0
        for (let n = 0; n < plan.trials; n++) if (float(stream) < 1 / (1 + Math.exp(-a - u - v))) right++
        rows.push({ model, item: g * plan.items + i, group: g, right, trials: plan.trials })
      })
    }
  }
  return rows
}

/** Nearly normal: the sum of twelve uniform numbers. */
const normal = (stream: Sfc32): number => Array.from({ length: 12 }, () => float(stream)).reduce((a, b) => a + b, -6)
