import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { barriers } from './axe.ts'
import { type OpenView, openView } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-scored-'))
let view: OpenView
let run: string
beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const items = [{ task: 'proficiency/discriminate', preset: 'g1', count: 100 }]
  await lab.run({ experiment: { items, models: ['baseline:ppm', 'baseline:unigram'] }, out: join(folder, 'run') })
  view = await openView([folder])
  const link = view.page.locator('.card h2 a').first()
  await link.waitFor()
  run = ((await link.getAttribute('href')) ?? '').replace('#', '')
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

const main = (): Promise<string> => view.page.locator('main').innerText()

test.each([
  ['', /Nats per terminal/u],
  ['/compare', /touchstone compare .+ --model baseline:ppm --model baseline:unigram --metric nats/u],
  ['/by-feature', /These strings were scored/u],
  ['/annotate', /There is no response to annotate yet/u],
])('a run of scored strings is told as one: page "%s"', async (page, words) => {
  await view.go(`${run}${page}`)
  expect(await main()).toMatch(words)
  expect(await main()).not.toMatch(/Parser: |neither correct|answered by both/u)
  expect(await barriers(view.page)).toEqual([])
  expect(view.complaints).toEqual([])
})

test('the list of runs leads to what models lose on the strings', async () => {
  await view.go('/')
  const card = view.page.locator('.card', { hasText: 'the loss of every model' })
  await card.getByRole('link', { name: 'the loss of every model' }).click()
  await view.page.locator('h1', { hasText: 'Tokens' }).waitFor({ state: 'attached' })
  expect(view.complaints).toEqual([])
})

test('the command of a comparison holds the chosen items too', async () => {
  await view.go(`${run}/compare?feature=length>=1&feature=length<=999`)
  expect(await main()).toMatch(/--metric nats\S* --where '"feature_length" >= 1 AND "feature_length" <= 999'/u)
  expect(view.complaints).toEqual([])
})

test('a choice that no string fits is told as that', async () => {
  await view.go(`${run}/compare?feature=length>=9999`)
  expect(await main()).toContain('No item of this run matches the subset')
  expect(await main()).not.toMatch(/answered by both/u)
  expect(view.complaints).toEqual([])
})

test('losses are numbers and no bars of shares', async () => {
  await view.go(run)
  const row = view.page.locator('table.data tbody tr', { hasText: 'ppm' }).first()
  expect(await row.locator('.track').count()).toBe(0)
})

test('items show what each model loses on them', async () => {
  await view.go(`${run}/items`)
  expect(await main()).toContain('for scored strings: nats')
  const cells = await view.page.locator('a.item').first().locator('.tally').allInnerTexts()
  expect(cells.map((text) => Number(/[\d.]+$/u.exec(text)?.[0]) > 0)).toEqual([true, true])
})
