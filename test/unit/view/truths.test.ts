import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { filterOf } from '../../../src/view/api/index.ts'
import { itemsOf } from '../../../src/view/server/items.ts'
import { viewRun } from '../../../src/view/server/open-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-truths-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a truth that is a program stands in the list in the words of the answers', async () => {
  const out = join(folder, 'run')
  const items = [{ task: 'pbebench/induce', preset: 'pbebench-lite', count: 2 }]
  await (await openLab()).run({ experiment: { items, models: ['baseline:gold'] }, out })
  const viewed = await viewRun(out, [])
  const { rows } = await itemsOf(viewed, filterOf([]).data ?? expect.fail('no filter'), 0)
  await viewed.close()
  expect(rows).toHaveLength(2)
  for (const { truth, tallies } of rows) {
    expect(truth).toMatch(/\w/)
    expect(truth).toBe(tallies[0]?.answers[0]?.answer)
  }
})

it('an item asked in several styles has a row for each, and the page says so', async () => {
  const styledOf = async (name: string, style: readonly string[]) => {
    const out = join(folder, name)
    const items = [{ task: 'recoglab/syllogism', preset: 'chain', count: 3, style: [...style] }]
    await (await openLab()).run({ experiment: { items, models: ['baseline:gold'] }, out })
    const viewed = await viewRun(out, [])
    const { styled, all, rows } = await itemsOf(viewed, filterOf([]).data ?? expect.fail('no filter'), 0)
    await viewed.close()
    return { styled, all, styles: rows.slice(0, 2).map((row) => row.style) }
  }
  expect(await styledOf('two', ['think', 'bare'])).toEqual({ styled: true, all: 6, styles: ['think', 'bare'] })
  expect(await styledOf('one', ['think'])).toEqual({ styled: false, all: 3, styles: ['think', 'think'] })
})
