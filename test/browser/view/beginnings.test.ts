import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { install } from '../../../src/lab/installed.ts'
import { openRun, type Run } from '../../../src/runner/index.ts'
import { barriers } from './axe.ts'
import { type OpenView, openView } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-beginnings-'))
const content = { task: 'recoglab/comparison', preset: 'people', seed: '1' }
let view: OpenView
let held: Run
beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const models = ['baseline:oracle', 'baseline:random']
  const single = { name: 'single', items: [{ ...content, count: 1 }], models }
  await lab.run({ experiment: single, out: join(folder, 'single') })
  const task = lab.task(content.task)
  const source = task.source(task.preset(content.preset).config, { split: 'test', seed: content.seed })
  const [first] = [0, 1, 2, 3].map((index) => source.item(index)).flatMap((one) => (one.kind === 'hole' ? [] : [one]))
  const answers = join(folder, 'answers.jsonl')
  writeFileSync(
    answers,
    `${JSON.stringify({ item: first?.id, style: 'answer-line', model: 'x', sample: 0, text: 'Answer: Yes' })}\n`,
  )
  const begun = {
    name: 'begun',
    items: [{ ...content, count: 4 }],
    models: ['a', 'b'].map((name) => ({ model: `replay:${answers}`, name })),
  }
  await lab.run({ experiment: begun, out: join(folder, 'begun') })
  held = await openRun(join(folder, 'begun'), await (await install([], {}, [])).runContext(), { mode: 'write' })
  await held.ledger.retry(undefined)
  view = await openView([folder])
  await view.page.locator('.card h2 a').nth(1).waitFor()
})
afterAll(async () => {
  await view.close()
  await held[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function addressOf(name: string): Promise<string> {
  await view.go('/')
  const link = view.page.locator('.card h2 a', { hasText: new RegExp(`^${name}$`, 'u') })
  return ((await link.getAttribute('href')) ?? '').replace('#', '')
}

test('a run of items with the same features has no empty menu, and says how to have one that shows more', async () => {
  const { page } = view
  await view.go(`${await addressOf('single')}/surface`)
  const told = page.locator('main .empty')
  await told.getByText(/All items have the same features \(.+\): there is nothing to lay over/u).waitFor()
  expect(await told.innerText()).toContain('sweep:')
  expect(await page.locator('main select').count()).toBe(0)
  expect(await barriers(page)).toEqual([])
  for (const to of ['studio', 'board', 'items']) expect(await told.getByRole('link', { name: to }).count()).toBe(1)
  await told.getByRole('link', { name: 'studio' }).click()
  await page.locator('h1', { hasText: 'Studio' }).waitFor()
  expect(view.complaints).toEqual([])
})

test('a run that goes on says that its intervals are of one reading, and where looking is free', async () => {
  const { page } = view
  const run = await addressOf('begun')
  for (const at of ['', '/surface', '/compare', '/items', '/tokens']) {
    await view.go(`${run}${at}`)
    await page.locator('main .note', { hasText: 'Looking is free for --until' }).waitFor()
  }
  await page.locator('main .note').getByRole('link', { name: 'two models compared' }).click()
  await page.waitForURL(/\/compare$/u)
  await page.locator('main h1').waitFor()
  expect(await barriers(page)).toEqual([])
  await view.go(await addressOf('single'))
  expect(await page.getByText('Looking is free').count()).toBe(0)
  expect(view.complaints).toEqual([])
})
