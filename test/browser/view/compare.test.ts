import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { type OpenView, openView } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-compare-'))
let view: OpenView
let run: string
beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const items = ['recoglab/comparison', 'recoglab/syllogism', 'recoglab/families'].map((task) => ({ task, count: 60 }))
  await lab.run({ experiment: { items, models: ['baseline:gold', 'baseline:random'] }, out: join(folder, 'run') })
  view = await openView([folder])
  const link = view.page.locator('.card h2 a').first()
  await link.waitFor()
  run = ((await link.getAttribute('href')) ?? '').replace('#', '')
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

test('two models are compared on each task, and over tasks either way round', async () => {
  const over = view.page.locator('section', { hasText: 'Over 3 tasks' })
  const numbers = async (a: string, b: string): Promise<number[]> => {
    await view.go(`${run}/compare?a=baseline:${a}&b=baseline:${b}`)
    await over.waitFor()
    const text = await over.locator('.number').innerText()
    return [...text.matchAll(/-?\d\.\d{3}/gu)].map(([number]) => Number(number))
  }
  const [value = 0, low = 0, high = 0] = await numbers('gold', 'random')
  expect(low).toBeLessThan(value)
  expect(value).toBeGreaterThan(0)
  expect(await numbers('random', 'gold')).toEqual([0 - value, 0 - high, 0 - low])
  expect(await over.locator('.note').innerText()).toMatch(/On a further task of this kind/u)
  expect(view.complaints).toEqual([])
})

test('levels of features stand in a forest, corrected for all that were looked at, and lead to their items', async () => {
  await view.go(`${run}/compare?a=baseline:random&b=baseline:gold`)
  const forest = view.page.locator('section', { hasText: 'By feature' })
  const rows = forest.locator('tbody tr')
  const told = Number(
    /(\d+) levels? of at least 20 shared items/u.exec(await forest.locator('.note').first().innerText())?.[1],
  )
  expect(await rows.count()).toBe(told)
  expect(told).toBeGreaterThan(5)
  expect(await view.page.getByText(/e = .* that random is better/u).innerText()).toMatch(/✓ gold is better/u)
  await forest.locator('details').evaluateAll((all) => {
    for (const one of all) if (one instanceof HTMLDetailsElement) one.open = true
  })
  const level = rows.filter({ has: view.page.locator('a') }).first()
  const differ = (await level.locator('td').nth(2).innerText()).split(', ').reduce((sum, n) => sum + Number(n), 0)
  await level.locator('a').click()
  await view.page.getByText(new RegExp(`^${differ} of 180 items`, 'u')).waitFor()
  expect(view.complaints).toEqual([])
})

test('a model named like a colour has the colour of its legend', async () => {
  await view.go(`${run}/surface`)
  const picture = view.page.locator('.plot svg').last()
  await picture.waitFor()
  const strokes = await picture.evaluate((svg) =>
    [...svg.querySelectorAll('path')].map((path) => path.getAttribute('stroke')),
  )
  expect(strokes).toContain('#0072b2')
  expect(strokes).not.toContain('gold')
})
