import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { type ItemsFilter, itemsFilter, parametersOf } from '../../../src/view/api/index.ts'
import { itemsOfExport } from '../../../src/view/client/exported-items.ts'
import { itemsOf } from '../../../src/view/server/items.ts'
import { type ViewedRun, viewRun } from '../../../src/view/server/open-runs.ts'

// Two models on items of two tasks, of which one has no published reading; of each second sample of the first nothing came.
const folder = mkdtempSync(join(tmpdir(), 'touchstone-unheard-'))
let viewed: ViewedRun
beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const items = [
    { task: 'recoglab/comparison', preset: 'people', count: 4 },
    { task: 'proficiency/generate', preset: 'classes', count: 4 },
  ]
  const gold = join(folder, 'gold')
  await lab.run({ experiment: { items, models: ['baseline:gold'] }, out: gold })
  const { calls } = await lab.responses(gold)
  const said = calls.map(({ item, style, response }) => ({ item: item.id, style, text: response?.text ?? '' }))
  const models = [1, 2].map((samples) => {
    const file = join(folder, `${samples}.jsonl`)
    const lines = said.flatMap((one) =>
      Array.from({ length: samples }, (_, sample) => ({ ...one, model: 'x', sample })),
    )
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return { model: `replay:${file}`, name: samples === 1 ? 'broken' : 'whole', samples: 2 }
  })
  await lab.run({ experiment: { items, models }, out: join(folder, 'run') })
  viewed = await viewRun(join(folder, 'run'), [])
})
afterAll(async () => {
  await viewed.close()
  rmSync(folder, { recursive: true })
})

const page = (filter: Partial<ItemsFilter>) => itemsOf(viewed, itemsFilter.parse(filter), 0)

it('a sample of which nothing came is neither right nor wrong, whoever reads', async () => {
  for (const parser of ['strict', 'lenient']) {
    const all = await page({ parser })
    const [first] = all.rows.flatMap(({ tallies }) => tallies).filter(({ model }) => model === 'broken')
    expect(first).toMatchObject({ samples: 2, right: 1, failed: 1, truncated: 0 })
    for (const pair of [{ pair: 'both' } as const, { pair: 'differ', by: 0.1 } as const]) {
      const filter = { parser, a: 'broken', b: 'whole', ...pair }
      const found = await page(filter)
      expect(found.total).toBe(pair.pair === 'both' ? all.total : 0)
      const query = new URLSearchParams(parametersOf(itemsFilter.parse(filter)))
      expect(itemsOfExport([all], query.toString()).total).toBe(found.total)
    }
  }
})

it('answers of a task that a parser does not read are not wrong', async () => {
  const { rows } = await page({ parser: 'published' })
  const heard = rows.map(({ task, tallies }) => [
    task,
    tallies.reduce((sum, { samples, failed }) => sum + samples - failed, 0),
  ])
  expect(new Set(heard.map(String))).toEqual(new Set(['recoglab/comparison,3', 'proficiency/generate,0']))
  expect((await page({ parser: 'published', outcome: 'wrong', task: 'proficiency/generate' })).total).toBe(0)
})
