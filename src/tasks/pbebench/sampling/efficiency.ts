import type { AnalysisResult } from '../../../core/index.ts'
import { kl, smoothed, uniform } from '../../../stats/index.ts'

export interface Efficiency {
  readonly efficiencyPercent: number
  /** KL(uniform || accepted categories) in nats with the published smoothing (1e-8 a category): large values are mostly it. */
  readonly klPublished: number
  /** The same with half a count a category. */
  readonly kl: number
  readonly empty: number
}

/** Efficiency and balance of a sampling run, as the paper's Figures 13 to 17 define them. */
export function efficiencyOf(run: {
  readonly counts: readonly number[]
  readonly steps: number
  readonly accepted: number | readonly unknown[]
}): Efficiency {
  const accepted = typeof run.accepted === 'number' ? run.accepted : run.accepted.length
  const even = uniform(run.counts.length)
  return {
    efficiencyPercent: run.steps === 0 ? 0 : (100 * accepted) / run.steps,
    klPublished: kl(even, smoothed(run.counts, 1e-8)),
    kl: kl(even, smoothed(run.counts, 0.5)),
    empty: run.counts.filter((count) => count === 0).length,
  }
}

/** One sampler at one length and patience. */
export interface EfficiencyRow extends Efficiency {
  readonly sampler: string
  readonly length: number
  readonly patience: number | null
  readonly steps: number
  readonly accepted: number
}

/** Figures 13 to 17 with the conditional sampler beside: a table and one figure faceted by length. */
export function efficiencyReport(rows: readonly EfficiencyRow[]): AnalysisResult {
  const number = (key: string, label: string, unit?: string) =>
    unit === undefined ? ({ key, label, kind: 'number' } as const) : ({ key, label, kind: 'number', unit } as const)
  return {
    tables: [
      {
        id: 'pbebench/figure13',
        title: 'Efficiency of sampling against patience',
        columns: [
          { key: 'sampler', label: 'Sampler', kind: 'text' },
          number('length', 'Cascade length', 'rules'),
          number('patience', 'Patience', 'steps'),
          number('steps', 'Steps'),
          number('accepted', 'Accepted'),
          number('efficiencyPercent', 'Efficiency', 'percent'),
          number('klPublished', 'KL, published smoothing', 'nats'),
          number('kl', 'KL, half a count', 'nats'),
          number('empty', 'Empty categories'),
        ],
        rows: rows.map((row) => ({ ...row })),
      },
    ],
    figures: [
      {
        id: 'pbebench/figure13',
        title: 'Efficiency against patience (Figures 13 to 17)',
        table: 'pbebench/figure13',
        x: { key: 'patience', label: 'Patience', unit: 'steps', scale: 'log' },
        y: { key: 'efficiencyPercent', label: 'Efficiency', unit: 'percent' },
        facet: 'length',
        marks: [
          { kind: 'line', x: 'patience', y: 'efficiencyPercent', series: 'sampler' },
          { kind: 'text', x: 'patience', y: 'efficiencyPercent', series: 'klPublished' },
        ],
      },
    ],
  }
}
