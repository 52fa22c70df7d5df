import { describe, expect, it } from 'vitest'
import { type Analysis, type Estimate, type Frame, runAnalysis, type Table } from '../../../src/core/index.ts'
import { aucEstimate } from '../../../src/libraries/statistics/index.ts'
import { openCompletions, openTiny } from '../../../src/models/scoring/index.ts'
import { crossing } from '../../../src/tasks/proficiency/analyses/criterion.ts'
import { positionClasses } from '../../../src/tasks/proficiency/positions.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { loopback, shapes } from '../scoring/loopback.ts'
import { discriminate, itemsOf, rowsOf } from './run.ts'

const options = { parser: 'strict', seed: 1, frameOf: () => null }
const frameOf = async (rows: Parameters<typeof framesFromRows>[0]) =>
  (await framesFromRows(rows)).frame('strict') as Frame
const analysis = (id: string) => discriminate.analyses.find((a) => a.id === id) as Analysis
const run = (id: string, frame: Frame) => {
  expect(analysis(id).needs.filter((name) => !frame.has(name))).toEqual([])
  return runAnalysis(analysis(id), frame, options)
}
const tableOf = (id: string, frame: Frame, table = id) => run(id, frame).tables.find((t) => t.id === table) as Table
const where = (table: Table, wanted: object) =>
  table.rows.filter((row) => Object.entries(wanted).every(([key, value]) => row[key] === value))
const one = (table: Table, wanted: object) => where(table, wanted)[0] as Table['rows'][number]
const value = (row: Table['rows'][number], key: string) => (row[key] as Estimate).value

const items = itemsOf(discriminate, { languages: ['g1', 'g3'], repetitions: 2, examples: [1, 16], tests: 8 })
const rows = await rowsOf(items, {
  oracle: 'oracle',
  mixture: 'mixture',
  noisy: 'mixture-with-noise:0.5:mixture',
  uniform: 'uniform',
  'baseline:trained:ppm:4': 'trained:ppm:4',
  'baseline:trained:ppm:256': 'trained:ppm:256',
})
const frame = await frameOf(rows)

describe('tables of the discriminative test', () => {
  it('proficiency/auc is the mean of the repetitions’ AUCs', () => {
    const table = tableOf('proficiency/auc', frame)
    expect(table.rows).toHaveLength((6 + 1) * 2 * 2 * 4)
    expect(value(one(table, { model: 'oracle', language: 'g3', k: 1, distance: '1' }), 'auc')).toBe(1)
    expect(value(one(table, { model: 'uniform', language: 'g1', k: 16, distance: '2' }), 'auc')).toBe(0.5)
    const aucs = [0, 1].map((repetition) => {
      const mine = rows.filter(
        (row) =>
          row['model'] === 'mixture' &&
          row['feature_language'] === 'g1' &&
          row['feature_k'] === 1 &&
          row['feature_repetition'] === repetition &&
          (row['feature_distance'] === 0 || row['feature_distance'] === 1),
      )
      return aucEstimate(
        mine.map((row) => -(row['metric_natsPerToken'] as number)),
        mine.map((row) => row['feature_distance'] === 0),
      )?.value as number
    })
    const row = one(table, { model: 'mixture', language: 'g1', k: 1, distance: '1' })
    expect(value(row, 'auc')).toBeCloseTo(((aucs[0] as number) + (aucs[1] as number)) / 2, 12)
    expect(row['low']).toBeLessThan(value(row, 'auc'))
    expect(row['high']).toBeGreaterThan(value(row, 'auc'))
  })

  it('proficiency/loss has no excess for the oracle, ln 10 a terminal for the uniform model', () => {
    const table = tableOf('proficiency/loss', frame)
    expect(value(one(table, { model: 'oracle', language: 'g1', k: 1 }), 'excess')).toBeCloseTo(0, 9)
    expect(value(one(table, { model: 'oracle', language: 'g1', k: 1 }), 'nats')).toBeCloseTo(36 * Math.log(2), 9)
    const uniform = one(table, { model: 'uniform', language: 'g1', k: 1 })
    expect(value(uniform, 'natsPerTerminal')).toBeCloseTo(Math.log(10), 12)
    expect(uniform['perplexity']).toBeCloseTo(10, 9)
    const gap = (k: number) =>
      value(one(table, { model: 'noisy', language: 'g1', k }), 'nats') -
      value(one(table, { model: 'mixture', language: 'g1', k }), 'nats')
    expect(gap(16)).toBeCloseTo(Math.log(2), 6)
  })

  it('table 1 ranks with bands, and models that are alike share a rank', () => {
    const table = tableOf('proficiency/table1', frame)
    const g1 = where(table, { language: 'g1' })
    expect(g1[0]).toMatchObject({ model: 'oracle', rank: 1, band: 'good' })
    expect(one(table, { language: 'g1', model: 'uniform' })).toMatchObject({ band: 'poor' })
    const [mixture, noisy] = ['mixture', 'noisy'].map((model) => one(table, { language: 'g1', model }))
    expect(noisy?.['rank']).toBe(mixture?.['rank'])
    expect(String(noisy?.['ties'])).toContain('mixture')
    expect(where(table, { language: 'all' })).toHaveLength(6 + 1)
    expect(tableOf('proficiency/table1', frame)).toEqual(table)
  })

  it('answers the research questions by both tests', () => {
    const third = tableOf('proficiency/questions', frame, 'proficiency/rq3')
    const row = one(third, { language: 'g1', first: 'mixture', second: 'noisy' })
    expect(row['loss']).toBeCloseTo(-Math.log(2) / 73, 6)
    expect(row['more']).toBe('neither')
    expect(one(third, { language: 'g1', first: 'oracle', second: 'uniform' })['more']).toBe('oracle')
    expect(tableOf('proficiency/questions', frame, 'proficiency/rq1').rows).toHaveLength(12)
    expect(tableOf('proficiency/questions', frame, 'proficiency/rq2').rows).toHaveLength(6)
  })

  it('the length alone tells insertions and deletions of g1, and nothing of substitutions', () => {
    const table = tableOf('proficiency/negatives', frame, 'proficiency/length-only')
    for (const edit of ['insert', 'delete', 'substitute'])
      for (const row of where(table, { language: 'g1', distance: '1', edit }))
        expect(value(row, 'auc')).toBe(edit === 'substitute' ? 0.5 : 1)
    // All kinds together: the share of insertions and deletions, and half of the substitutions.
    const all = items.filter((item) => item.features['language'] === 'g1' && item.features['distance'] === 1)
    const kept = all.filter((item) => item.features['edit'] === 'substitute').length / all.length
    expect(value(one(table, { language: 'g1', distance: '1', edit: 'any' }), 'auc')).toBeCloseTo(1 - kept / 2, 12)
  })

  it('the series of trained models is drawn over its training-set size beside the in-context curves', () => {
    const table = tableOf('proficiency/modes', frame)
    const trained = where(table, { base: 'baseline:ppm', mode: 'trained', language: 'g1' })
    expect(trained.map((row) => row['strings'])).toEqual([4, 256])
    expect(value(trained[1] as never, 'nats')).toBeLessThan(value(trained[0] as never, 'nats'))
    expect(where(table, { base: 'mixture', language: 'g1' }).map((row) => row['strings'])).toEqual([1, 16])
  })

  it('places in the derivation: the oracle has no excess at any, a learner has', () => {
    const table = tableOf('proficiency/positions', frame)
    for (const row of where(table, { model: 'oracle' })) expect(row['excess']).toBeCloseTo(0, 9)
    expect(
      one(table, { model: 'mixture', language: 'g3', examples: 16, place: 'agreement' })['excess'],
    ).toBeGreaterThan(0)
    expect(where(table, { model: 'mixture', language: 'g1', place: 'agreement' })).toEqual([])
  })

  it('draws the figures of the paper from tables that exist', () => {
    // The run has one way of writing, no matched languages and no series of checkpoints.
    // .. no example that is asked, no changed language or rule, no context without examples or as long as a training set, no epochs.
    const others = [
      'writings',
      'classes',
      'acquisition',
      'epochs',
      'conflict',
      'rules',
      'memorisation',
      'ladder',
      'gain',
      'modes-gap',
      'modes-bias',
    ].map((name) => `proficiency/${name}`)
    for (const a of discriminate.analyses.filter(({ id }) => !others.includes(id))) {
      const { tables, figures = [] } = run(a.id, frame)
      const ids = tables.map((table) => table.id)
      expect(ids.length).toBeGreaterThan(0)
      expect(new Set(ids).size).toBe(ids.length)
      for (const figure of figures) {
        expect(ids).toContain(figure.table)
        const table = tables.find((t) => t.id === figure.table) as Table
        const keys = [figure.x.key, figure.y.key, ...(figure.facet === undefined ? [] : [figure.facet])]
        for (const key of [...keys, ...figure.marks.flatMap((mark) => mark.series ?? [])])
          expect(Object.keys(table.rows[0] ?? {})).toContain(key)
      }
    }
    const items = discriminate.analyses.map((a) => a.source?.item ?? '').join('; ')
    for (const figure of [
      'table 1',
      'figure 3',
      'figure 4',
      'figure 5',
      'figures 1 and 6-10',
      'figure 11',
      'figures 2, 12 and 13',
    ])
      expect(items).toContain(figure)
  })
})

describe('a run of several configs', () => {
  const nameOf = (edits: string) => `{examples=[4],edits=${edits},tests=8}`
  const configOf = async (edits: string) => {
    const some = itemsOf(discriminate, { languages: ['g9'], repetitions: 2, examples: [4], tests: 8, edits })
    return (await rowsOf(some, { mixture: 'mixture', oracle: 'oracle' })).map((row) => ({
      ...row,
      config: nameOf(edits),
    }))
  }

  it('has the numbers of each config alone, in blocks', async () => {
    const [substitute, remove] = [await configOf('substitute'), await configOf('delete')]
    const together = await frameOf([...substitute, ...remove])
    for (const [config, mine] of [
      [nameOf('substitute'), substitute],
      [nameOf('delete'), remove],
    ] as const) {
      const alone = await frameOf(mine)
      for (const { id } of discriminate.analyses) {
        const both = run(id, together)
        for (const table of run(id, alone).tables) {
          const rows = both.tables.find((other) => other.id === table.id)?.rows ?? []
          const block = rows.filter((row) => (row['config'] ?? config) === config)
          expect(block.map(({ config: _config, block: _block, ...row }) => row)).toEqual(table.rows)
        }
      }
    }
    const figure = run('proficiency/figure5', together).figures?.[0]
    const panels = tableOf('proficiency/figure5', together).rows.map((row) => row[figure?.facet ?? ''])
    expect(new Set(panels)).toEqual(new Set(['g9, edits=substitute', 'g9, edits=delete']))
  })
})

describe('how sure a rank is', () => {
  /** A model that tells all strings apart in half of the repetitions, and none in the others. */
  const uneven = (repetitions: number) =>
    Array.from({ length: repetitions * 40 }, (_, i) => {
      const [repetition, test] = [Math.floor(i / 40), i % 20]
      const inside = i % 40 < 20
      const told = repetition % 2 === 0
      return ['uneven', 'blind'].map((model) => ({
        model,
        item: `i${i}`,
        status: 'loglikelihood',
        feature_language: 'g3',
        feature_k: 1,
        feature_repetition: repetition,
        feature_kind: inside ? 'inside' : 'edited',
        feature_distance: inside ? 0 : 1,
        feature_test: test,
        feature_edit: inside ? 'none' : 'substitute',
        feature_length: 12,
        feature_lengthProbability: 0.1,
        metric_nats: model === 'uneven' && told && inside ? 1 : 2,
        metric_tokens: 1,
        metric_terminals: 1,
        metric_floor: 1,
      }))
    }).flat()

  it('example lists are drawn again with the strings', async () => {
    const table = tableOf('proficiency/table1', await frameOf(uneven(4)))
    const { value: at, low, high } = one(table, { model: 'uneven' })['auc'] as Estimate
    expect(at).toBe(0.75)
    // Two of four repetitions are perfect, the others blind: a draw of four may hold any number of each.
    expect([low, high]).toEqual([0.5, 1])
    expect(one(table, { model: 'uneven' })['rank']).toBe(1)
    expect(one(table, { model: 'blind' })['rank']).toBe(1)
  })

  it('perfect separation has an interval with a width', async () => {
    const { low, high } = one(tableOf('proficiency/table1', await frameOf(uneven(1))), { model: 'uneven' })[
      'auc'
    ] as Estimate
    expect(high).toBe(1)
    expect(low).toBeCloseTo(1 - 3.8415 / 23.8415, 3)
  })
})

describe('remote models', () => {
  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'in the %s shape have the AUC of the same model here',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const some = itemsOf(discriminate, {
        languages: ['g9'],
        repetitions: 1,
        examples: [4],
        tests: 3,
        distances: [0, 1],
      })
      const far = openCompletions('tiny', { baseUrl: server.url, shape })
      const near = await openTiny()
      const table = tableOf('proficiency/auc', await frameOf(await rowsOf(some, { far, near })))
      const [a, b] = ['far', 'near'].map((model) => one(table, { model }))
      expect(a?.['auc']).toEqual(b?.['auc'])
    },
  )
})

describe('the drawing of figure 4', () => {
  it('has the AUC of the paper, over all pairs of one repetition, beside that of equal lengths', () => {
    const table = tableOf('proficiency/figure4', frame, 'proficiency/figure4-auc')
    const plain = where(table, { model: 'oracle', distance: '1' })
    expect(plain.length).toBeGreaterThan(2)
    for (const row of table.rows.filter(({ model, language }) => model !== 'length only' && language !== 'all')) {
      const of = (distance: number) =>
        rows.filter(
          (one) =>
            one['model'] === row['model'] &&
            one['feature_language'] === row['language'] &&
            one['feature_k'] === row['examples'] &&
            one['feature_distance'] === distance,
        )
      if (!/^[123]$/u.test(String(row['distance']))) continue
      const [inside, outside] = [of(0), of(Number(row['distance']))]
      const shares = [...new Set(inside.map((one) => one['feature_repetition']))].flatMap((repetition) => {
        const pairs = inside
          .filter((one) => one['feature_repetition'] === repetition)
          .flatMap((a) =>
            outside
              .filter((one) => one['feature_repetition'] === repetition)
              .map((b) => Number(b['metric_natsPerToken']) - Number(a['metric_natsPerToken'])),
          )
        return pairs.length === 0
          ? []
          : [pairs.reduce((sum, more) => sum + (more > 1e-9 ? 1 : more < -1e-9 ? 0 : 0.5), 0) / pairs.length]
      })
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
      expect(value(row, 'plain'), `${row['model']} ${row['language']} ${row['examples']}`).toBeCloseTo(mean, 9)
    }
    const drawn = run('proficiency/figure4', frame).figures?.find(({ id }) => id === 'proficiency/figure4-published')
    expect(drawn?.y.key).toBe('plain')
    expect(run('proficiency/figure5', frame).figures?.map(({ y }) => y.key)).toEqual(['value', 'plain'])
  })

  it('leaves unrelated strings out, whose losses would stretch its axis; the table has them', () => {
    const table = tableOf('proficiency/figure4', frame, 'proficiency/figure4-loss')
    const unrelated = where(table, { distance: 'unrelated' })
    expect(unrelated.length).toBeGreaterThan(0)
    for (const row of unrelated) {
      expect(row['k']).toBeNull()
      expect(value(row, 'value')).toBeGreaterThan(0)
      expect(row['examples']).toBeGreaterThan(0)
    }
    for (const row of where(table, { distance: '1' })) expect(row['k']).toBe(row['examples'])
  })
})

describe('edits by level, examples to criterion, ways of writing', () => {
  it('every string with one edit stands at a place, and the oracle hears all of them', () => {
    const table = tableOf('proficiency/edit-places', frame)
    const g1 = where(table, { model: 'oracle', language: 'g1', examples: 1 })
    const edited = rows.filter(
      (row) =>
        row['model'] === 'oracle' &&
        row['feature_language'] === 'g1' &&
        row['feature_k'] === 1 &&
        row['feature_distance'] === 1,
    )
    expect(g1.reduce((sum, row) => sum + Number(row['edited']), 0)).toBe(edited.length)
    expect(g1.length).toBeGreaterThan(2)
    for (const row of where(table, { model: 'oracle' })) {
      if (row['auc'] !== null) expect(value(row, 'auc')).toBe(1)
      if (row['excess'] !== null) expect(row['excess']).toBeCloseTo(0, 9)
    }
    // A substitution at the first token is an error at the start of the whole string.
    const first = items.find(({ answer, features }) => {
      const [edit] = (answer as { readonly edits: readonly { readonly at: number }[] }).edits
      return features['distance'] === 1 && features['language'] === 'g1' && edit?.at === 0
    })
    if (first !== undefined)
      expect(rows.find((row) => row['item'] === first.id)?.['metric_editPlace']).toBe(positionClasses.indexOf('clause'))
  })

  it('a criterion is reached where the curve stays above it', () => {
    const at = (values: readonly number[]) => values.map((y, i) => ({ k: 2 ** i, value: y }))
    expect(crossing(at([0.5, 0.7, 0.8]), 0.75)).toBeCloseTo(2 ** 1.5, 3)
    expect(crossing(at([0.8, 0.9]), 0.75)).toBe(1)
    // Once above is not enough.
    expect(crossing(at([0.8, 0.7, 0.8]), 0.75)).toBeCloseTo(2 ** 1.5, 3)
    expect(crossing(at([0.8, 0.7]), 0.75)).toBeNull()
    const table = tableOf('proficiency/criterion', frame)
    for (const row of where(table, { model: 'oracle' })) expect(row['examples']).toBe(1)
    for (const row of where(table, { model: 'uniform' })) expect(row).toMatchObject({ examples: null, state: 'no' })
    for (const row of table.rows) {
      if (row['least'] !== null && row['examples'] !== null)
        expect(row['least']).toBeLessThanOrEqual(row['examples'] as number)
      if (row['mostly'] !== null) expect(row['mostly']).toBeGreaterThanOrEqual(row['examples'] as number)
    }
  })

  it('the same strings in two ways of writing are paired, and differ only where the losses do', async () => {
    const dear = rows.map((row) => ({
      ...row,
      style: 'spaced',
      metric_nats: (row['metric_nats'] as number) + (row['feature_distance'] === 0 ? 2 : 0),
      metric_tokens: Number(row['metric_tokens']) * 2,
      metric_misaligned: 1,
    }))
    const both = await frameOf([...rows, ...dear])
    const table = tableOf('proficiency/writings', both)
    const row = one(table, { model: 'mixture', language: 'g1', k: 1 })
    expect(row).toMatchObject({ first: 'lines', second: 'spaced', mergedFirst: 0 })
    expect(row['pairs']).toBe(
      rows.filter((r) => r['model'] === 'mixture' && r['feature_language'] === 'g1' && r['feature_k'] === 1).length,
    )
    expect(value(row, 'nats')).toBeCloseTo(2, 9)
    expect(Number(row['tokensSecond'])).toBeCloseTo(2 * Number(row['tokensFirst']), 9)
    expect(value(one(table, { model: 'uniform', language: 'g1', k: 1 }), 'auc')).toBeLessThan(0)
    expect(run('proficiency/writings', frame).tables).toEqual([])
  })
})
