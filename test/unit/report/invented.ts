import { z } from 'zod'
import type { Json, Task } from '../../../src/core/index.ts'
import { below, float, Sfc32 } from '../../../src/core/index.ts'

/** A task of which only what a report reads is there. */
export const inventedTask = (analyses: Task['analyses'] = []): Task =>
  ({
    name: 'invented/parity',
    summary: 'Is the number odd?',
    parsers: {},
    analyses,
    features: z.object({
      length: z.int().describe('Digits').meta({ role: 'difficulty', unit: 'digits' }),
      kind: z.string().describe('How it was made').meta({ role: 'stratum' }),
      noise: z.number().describe('Nothing').meta({ role: 'nuisance' }),
    }),
  }) as unknown as Task

export type Row = { [column: string]: Json }

/** Rows of three models on `items` items in groups of ten; harder as they get longer. Failures and odd states included. */
export function inventedRows(items: number, seed = 7): Row[] {
  const stream = new Sfc32(seed, 2, 3, 4)
  for (let i = 0; i < 20; i++) stream.u32()
  const skill: { readonly [model: string]: number } = { 'good-one': 0.95, 'fair-one': 0.75, '=weak|<b>one': 0.5 }
  const rows: Row[] = []
  for (let item = 0; item < items; item++) {
    const length = 2 + (item % 20)
    const truth = item % 2 === 0 ? 'odd' : 'even'
    for (const [model, ability] of Object.entries(skill)) {
      const right = float(stream) < ability - (0.3 * length) / 22
      const odd = below(stream, 40)
      const state =
        odd === 0 ? 'error' : odd === 1 ? 'truncated' : odd === 2 ? 'unparsed' : odd === 3 ? 'refused' : 'graded'
      const answer = right ? truth : truth === 'odd' ? 'even' : 'odd'
      const graded = state === 'graded'
      rows.push({
        item: `i${item}`,
        draw: `d${item}`,
        group: `0/${Math.floor(item / 10)}`,
        task: 'invented/parity',
        config: 'c0',
        style: 'plain',
        model,
        settings: '{}',
        sample: 0,
        status: state,
        score: graded ? Number(right) : null,
        prediction: graded ? answer : null,
        target: truth,
        'status@lenient': state === 'error' ? null : 'graded',
        'score@lenient': state === 'error' ? null : Number(right),
        'prediction@lenient': state === 'error' ? null : answer,
        input_tokens: 100 + length,
        output_tokens: state === 'error' ? null : 20 * length,
        seconds: 0.5,
        feature_length: length,
        feature_kind: item % 3 === 0 ? 'rare' : 'plain',
        feature_noise: float(stream),
      })
    }
  }
  return rows
}
