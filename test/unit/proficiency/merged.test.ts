import { describe, expect, it } from 'vitest'
import type { Analysis, Estimate, Frame } from '../../../src/core/index.ts'
import { formatString, groupWidth } from '../../../src/tasks/proficiency/discriminate/string-format.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { discriminate, itemsOf, natsOf, rowsOf, scored } from './run.ts'

const items = itemsOf(discriminate, {
  languages: ['g1', 'g9'],
  repetitions: 2,
  examples: [4],
  distances: [0, 1],
  tests: 6,
})

describe('strings written with merged digits', () => {
  it('are groups of three of ten tokens, of two of thirty, as long as there are tokens', () => {
    expect(formatString(items[0]?.shared as never, '3 1 2 6 5 4 9', 'merged')).toBe('312 654 9')
    expect([9, 10, 11, 31, 32].map(groupWidth)).toEqual([3, 3, 2, 2, 1])
    for (const item of items) {
      const request = discriminate.request(item, 'merged', null as never)
      if (request.kind !== 'score') throw new Error('a scored request was expected')
      expect(request.text).toMatch(/^\d{3}( \d{3})*( \d{1,2})?\n$/u)
      expect(request.context.split('\n').filter((line) => line !== '')).toHaveLength(4)
    }
  })

  it('are read group by group: uniform over all groups and the end, the language no dearer', () => {
    for (const item of items) {
      const tokens = scored(item, 'uniform', 'merged')
      const terminals = (item.given as unknown as { text: string }).text.split(' ').length
      expect(tokens).toHaveLength(Math.ceil(terminals / 3) + 1)
      const alphabet = item.features['language'] === 'g1' ? 9 : 5
      const units = alphabet + alphabet ** 2 + alphabet ** 3 + 1
      for (const { logprob } of tokens) expect(logprob).toBeCloseTo(-Math.log(units), 12)
      for (const name of ['oracle', 'oracle:multilingual', 'mixture-with-noise:0.5:oracle'])
        expect(natsOf(scored(item, name, 'merged'))).toBeCloseTo(natsOf(scored(item, name)), 8)
    }
  })

  it('are paired with the same strings written otherwise', async () => {
    const models = { oracle: 'oracle', mixture: 'mixture' }
    const rows = [...(await rowsOf(items, models)), ...(await rowsOf(items, models, 'merged'))]
    const frame = (await framesFromRows(rows)).frame('strict') as Frame
    const analysis = discriminate.analyses.find(({ id }) => id === 'proficiency/writings') as Analysis
    const [table] = analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables
    expect(table?.rows).toHaveLength(2 * 2)
    for (const row of table?.rows ?? []) {
      const { nats } = row as unknown as { nats: Estimate }
      expect(row).toMatchObject({ first: 'lines', second: 'merged', pairs: 24, mergedFirst: 0 })
      expect(Number(row['tokensSecond'])).toBeLessThan(0.42 * Number(row['tokensFirst']))
      expect(Number(row['mergedSecond'])).toBeGreaterThan(0.8)
      // A language is as likely however it is written. Words of g1 have three tokens, as groups have; those of g9 have not, and are lost.
      if (row['model'] === 'oracle') expect(nats.value).toBeCloseTo(0, 8)
      else if (row['language'] === 'g9') expect(nats.low).toBeGreaterThan(0)
    }
  })
})
