import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
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
  held = await openRun(join(folder, 'begun'), await (await loadEnvironment([], {}, [])).runContext(), { mode: 'write' })
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
  await view.go(`${await addressOf('single')}/by-feature`)
  const told = page.locator('main .empty')
  await told.getByText(/All items have the same features \(.+\)\. Run more items/u).waitFor()
  expect(await told.innerText()).toContain('sweep:')
  expect(await page.locator('main select').count()).toBe(0)
  expect(await barriers(page)).toEqual([])
  for (const to of ['playground', 'overview', 'items'])
    expect(await told.getByRole('link', { name: to }).count()).toBe(1)
  await told.getByRole('link', { name: 'playground' }).click()
  await page.locator('h1', { hasText: 'Playground' }).waitFor()
  expect(view.complaints).toEqual([])
})

test('a run that goes on says that its intervals are of one reading, and where looking is free', async () => {
  const { page } = view
  const run = await addressOf('begun')
  for (const at of ['', '/by-feature', '/compare', '/items', '/tokens']) {
    await view.go(`${run}${at}`)
    await page.locator('main .note', { hasText: 'Valid at any time: --until' }).waitFor()
  }
  await page.locator('main .note').getByRole('link', { name: 'two models compared' }).click()
  await page.waitForURL(/\/compare$/u)
  await page.locator('main h1').waitFor({ state: 'attached' })
  expect(await barriers(page)).toEqual([])
  await view.go(await addressOf('single'))
  expect(await page.getByText('Valid at any time').count()).toBe(0)
  expect(view.complaints).toEqual([])
})

test('what goes on fits a phone: of each model how far, how sure, what it waits for and what failed', async () => {
  const model = {
    model: 'openai-compatible:a-model-32b',
    total: 600,
    done: 85,
    failed: 3,
    inFlight: 0,
    retrying: 9,
    rate: 5.1,
    left: 101,
    usd: 0.0172,
    accuracy: { value: 0.756, low: 0.654, high: 0.835, n: 86, groups: 86 },
    waits: [{ kind: 'pause', ms: 3000 }],
    failures: [{ code: 'http-429', times: 34, message: 'HTTP 429: {"error":{"message":"Rate limit reached"}}' }],
  }
  const live = { schema: 'touchstone/live/1', at: Date.now(), usd: 0.02, limit: 5, rate: 5.1, left: 101 }
  const path = join(folder, 'begun', 'live.json')
  writeFileSync(path, JSON.stringify({ ...live, models: [model, { ...model, model: 'other', accuracy: null }] }))
  const page = await view.browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.goto(view.served.url)
  const row = page.getByRole('group', { name: 'The models at work' }).locator('tbody tr').first()
  await row.waitFor()
  for (const part of ['85 of 600', '5.1/s', '2 min', '76 65–84', 'rate-limited by the provider, 3 s', 'http-429 ×34'])
    await row.getByText(part).first().waitFor()
  for (const cell of await row.locator('> *').all()) {
    const box = await cell.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  }
  expect((await row.boundingBox())?.height).toBeLessThan(260)
  expect(await barriers(page)).toEqual([])
  await page.close()
  rmSync(path)
})

test('a server that has gone is told of, on whatever page: what is shown is from before', async () => {
  const gone = await openView([folder])
  await gone.page.locator('.card h2 a').nth(1).waitFor()
  await gone.served.close()
  await gone.page.getByText(/The server has not responded since .+. The page shows earlier results/u).waitFor()
  expect(await gone.page.locator('.card h2 a').count()).toBe(2)
  expect(await barriers(gone.page)).toEqual([])
  await gone.browser.close()
})
