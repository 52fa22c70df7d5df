import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { scratch } from '../../mock/context.ts'

const { folder: home, remove } = await scratch()
afterAll(remove)

test('responses of a run are drawn by a plan, judged, reported and held against people', async () => {
  const lab = await openLab()
  const out = join(home, 'run')
  const models = [{ model: 'baseline:cyk-with-proof' }, { model: 'baseline:cyk-to-length-8' }]
  await lab.run({
    experiment: {
      name: 'aloud',
      seed: '1',
      items: [{ task: 'relic/recognize', preset: 'relic-demo', config: { twins: 'none' }, count: 40 }],
      models,
    },
    out,
  })
  const judge = (name: string, request: object) =>
    lab.judge(out, {
      experiment: { name, seed: '1', models: [{ model: 'baseline:checker' }, { model: 'baseline:published' }] },
      out: join(home, name),
      ...request,
    })
  const one = await judge('one', { perStratum: 1 })
  const all = await judge('all', { perStratum: null, judgedModels: ['baseline:cyk-to-length-8'] })
  expect([one.status, all.status]).toEqual(['completed', 'completed'])
  expect(one.of).toBe(2 * all.of)
  expect(all.judged).toBe(all.of)
  expect(one.judged).toBeLessThan(one.of)
  // Nothing is left beside the runs.
  expect(readdirSync(home).sort()).toEqual(['all', 'one', 'run'])

  const { report } = await lab.report(join(home, 'all'), { analyses: ['relic'], formats: [] })
  expect(report.analyses.map(({ id }) => id)).toEqual(['relic/strategies', 'relic/trace', 'relic/judges'])
  const shares = report.analyses[0]?.tables.find(({ id }) => id === 'relic/strategies')?.rows ?? []
  const by = (lengths: string) =>
    shares.find(
      (row) => row['judge'] === 'baseline:checker' && row['lengths'] === lengths && row['strategy'] === 'heuristic',
    )?.['share']
  expect(by('1-5')).toMatchObject({ value: 0 })
  expect(by('16-20')).toMatchObject({ value: 1 })

  // The same responses, labelled by a person as the checker has it: full agreement with one judge.
  const said = await lab.responses(join(home, 'all'), { model: 'baseline:checker' })
  const labels = said.calls.map(({ item, response }) => `${item.id},ann,${response?.text}`)
  writeFileSync(join(home, 'labels.csv'), `unit,rater,label\n${labels.join('\n')}\n`)
  const agreed = await lab.agreement(join(home, 'labels.csv'), 'baseline:checker', join(home, 'all'))
  expect(agreed.raters).toEqual(['ann', 'baseline:checker', 'baseline:published'])
  expect(agreed.pairs[0]).toMatchObject({ first: 'ann', second: 'baseline:checker', share: 1 })
  await expect(
    lab.judge(out, { experiment: { name: 'x', models }, out: join(home, 'x'), judgedModels: ['nobody'] }),
  ).rejects.toThrow(/no response that can be judged of nobody/)
}, 120_000)
