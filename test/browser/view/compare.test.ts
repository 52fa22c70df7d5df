import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { barriers } from './axe.ts'
import { type OpenView, opened, openView } from './open.ts'

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

test('the overview begins with the verdict; below it tasks by models on one axis, linked to what went wrong', async () => {
  await view.go(run)
  const { page } = view
  await page
    .getByRole('heading', { name: 'gold (baseline) is better than random (baseline) on 3 of 3 tasks.' })
    .waitFor()
  const verdict = page.locator('.verdict-card')
  expect(await verdict.innerText()).toMatch(/Mean over these 3: \+\d+ points \(95 % CI \+\d+ to \+\d+\)\./u)
  expect(await verdict.locator('tbody tr').count()).toBe(3)
  const matrix = page.locator('table.matrix')
  expect(await matrix.locator('tbody th').allInnerTexts()).toEqual(
    ['comparison', 'syllogism', 'families'].map((task) => expect.stringMatching(`^recoglab/${task}\\s+60 items$`)),
  )
  expect(await matrix.locator('.track').count()).toBe(3)
  expect(await matrix.locator('.track').first().getAttribute('aria-label')).toMatch(
    /^gold \(baseline\): 100 %, CI \d+ % to 100 %, n = 60; random \(baseline\): /u,
  )
  expect(await barriers(page)).toEqual([])
  // Sorted by a model, and back.
  const heads = matrix.getByRole('button', { name: 'random' })
  await heads.click()
  await matrix.locator('th[aria-sort=descending]', { hasText: 'random' }).waitFor()
  await heads.click()
  await page.getByText('All pairwise differences').click()
  const pairs = page.getByRole('group', { name: 'Differences in accuracy on shared items' })
  await pairs.locator('tbody tr').nth(2).waitFor()
  expect(await pairs.locator('tbody tr').count()).toBe(3)
  expect(await pairs.locator('.track .zero').count()).toBe(3)
  expect(view.complaints).toEqual([])
})

test('two models are compared on each task, and over tasks either way round', async () => {
  const mean = view.page.getByRole('row', { name: /^Mean of these 3 tasks/u })
  const numbers = async (a: string, b: string): Promise<number[]> => {
    await view.go(`${run}/compare?a=baseline:${a}&b=baseline:${b}`)
    await mean.waitFor()
    const text = (await mean.locator('.estimate').innerText()).replaceAll('−', '-')
    return [...text.matchAll(/[-+]?\d+/gu)].map(([number]) => Number(number))
  }
  const [value = 0, low = 0, high = 0] = await numbers('gold', 'random')
  expect(low).toBeLessThan(value)
  expect(value).toBeGreaterThan(0)
  expect(await numbers('random', 'gold')).toEqual([0 - value, 0 - high, 0 - low])
  // The better one is named first whichever way round it was asked.
  await view.page.getByRole('heading', { name: 'gold (baseline) is better than random (baseline) on 3 of 3' }).waitFor()
  await view.page.getByRole('button', { name: 'Swap A and B' }).click()
  await view.page.waitForURL(/a=baseline(?:%3A|:)gold/u)
  expect(await barriers(view.page)).toEqual([])
  expect(view.complaints).toEqual([])
})

test('a run is compared with another of the same items: what changed, and on which items', async () => {
  const lab = await openLab({ env: {} })
  const items = [{ task: 'recoglab/comparison', count: 60 }]
  const again = { name: 'again', items, models: ['baseline:random'] }
  await lab.run({ experiment: again, out: join(folder, 'again') })
  const { page } = view
  await view.go(`${run}/compare`)
  await page.reload()
  await page.getByRole('button', { name: 'Runs' }).click()
  await page.waitForURL(/with=again/u)
  await page.getByText(/What changed: .+ → .+\./u).waitFor()
  await page
    .getByRole('heading', { name: /^(?:Inconclusive|Tied|No significant difference): .*random \(baseline\)/u })
    .waitFor()
  expect(await page.locator('.mosaic li').count()).toBe(4)
  expect(await page.locator('.mosaic a').count()).toBe(0)
  expect(await barriers(page)).toEqual([])
  await view.go('/')
  rmSync(join(folder, 'again'), { recursive: true })
  await page.locator('.card').nth(1).waitFor({ state: 'detached' })
  expect(view.complaints).toEqual([])
})

test.each([
  ['a=baseline:gold&b=baseline:gold', 'Both models are the same. Choose two models.'],
  ['a=nobody&b=baseline:gold', 'This run has no model nobody. Choose two models.'],
])('what are no two models of the run is told as that: %s', async (asked, said) => {
  await view.go(`${run}/compare?${asked}`)
  expect(await view.page.locator('.empty').innerText()).toBe(said)
  expect(await view.page.locator('main').innerText()).not.toContain('answered by both')
  await view.page.locator('main .controls select').first().selectOption('baseline:random')
  await view.page.getByRole('heading', { name: /is better than/u }).waitFor()
  expect(view.complaints).toEqual([])
})

test('levels of features stand in a forest, corrected for all that were looked at, and lead to their items', async () => {
  await view.go(`${run}/compare?a=baseline:random&b=baseline:gold`)
  await opened(view.page)
  const rows = view.page.locator('.forest tbody tr')
  const told = Number(
    /(\d+) levels? of at least 20 shared items/u.exec(await view.page.locator('main').innerText())?.[1],
  )
  expect(await rows.count()).toBe(told)
  expect(told).toBeGreaterThan(5)
  expect(await view.page.getByText(/e = .* that random/u).innerText()).toMatch(/✓ gold \(baseline\) is better/u)
  expect(await barriers(view.page)).toEqual([])
  const level = rows.filter({ has: view.page.locator('a') }).first()
  const differ = (await level.locator('td').nth(3).innerText()).split(', ').reduce((sum, n) => sum + Number(n), 0)
  await level.locator('a').click()
  await view.page.getByText(new RegExp(`^${differ} of 180 items`, 'u')).waitFor()
  expect(view.complaints).toEqual([])
})

test('a model named like a colour has the colour of its legend', async () => {
  await view.go(`${run}/by-feature`)
  const picture = view.page.locator('.plot svg').last()
  await picture.waitFor()
  const strokes = await picture.evaluate((svg) =>
    [...svg.querySelectorAll('path')].map((path) => path.getAttribute('stroke')),
  )
  expect(strokes).toContain('var(--m1)')
  expect(strokes).not.toContain('gold')
})

test('accuracy by feature is of one task, with the features in which its items differ, the clearest first', async () => {
  const { page } = view
  await view.go(`${run}/by-feature`)
  const task = page.getByRole('combobox', { name: 'Task' })
  await task.waitFor()
  expect(await task.inputValue()).toBe('recoglab/comparison')
  const names = (): Promise<string[]> => page.locator('.ranking > a > span').allInnerTexts()
  const ofComparison = await names()
  expect(ofComparison).toContain('distance')
  await task.selectOption('recoglab/syllogism')
  await page.waitForURL(/task=recoglab%2Fsyllogism/u)
  await page.locator('.plot svg').first().waitFor()
  expect(await names()).not.toContain('distance')
  // What is chosen is of the task that is shown, also where nobody chose it.
  await view.go(`${run}/by-feature`)
  await page.locator('.plot svg').first().waitFor()
  await page.getByRole('combobox', { name: / from$/u }).selectOption({ index: 1 })
  await page.getByLabel('Selected items').waitFor()
  expect(decodeURIComponent(page.url())).toContain('task=recoglab/comparison')
  expect(view.complaints).toEqual([])
})

test('the picture of a surface holds the names of its axes, and no mark that rests on a few items', async () => {
  const { page } = view
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance`)
  const picture = page.locator('.plot svg').last()
  await picture.waitFor()
  // Chance as a line of its own, as in the report.
  await page.locator('.legend', { hasText: 'chance' }).waitFor()
  expect(await picture.locator('[stroke-dasharray="6 4"]').count()).toBe(1)
  const lowest = await picture.evaluate((svg) =>
    Math.max(...[...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().bottom)),
  )
  const box = (await picture.boundingBox()) ?? { y: 0, height: 0 }
  expect(lowest).toBeLessThanOrEqual(box.y + box.height)
  await page.locator('summary', { hasText: 'Table' }).click()
  const table = page.getByRole('group', { name: 'The numbers' })
  const heads = await table.locator('thead th').allInnerTexts()
  const groups = (await table.locator(`tbody tr td:nth-child(${heads.indexOf('groups') + 1})`).allInnerTexts()).map(
    Number,
  )
  // Values are put together until each mark rests on ten items.
  expect(Math.min(...groups)).toBeGreaterThanOrEqual(10)
  expect(await picture.locator('[stroke-dasharray="3 2"] line, line[stroke-dasharray="3 2"]').count()).toBe(0)
})

test('a bin drawn over a curve chooses its items, with statistics that know how often somebody chose', async () => {
  const { page } = view
  await page.evaluate(() => localStorage.clear())
  await view.go(`${run}/by-feature?task=recoglab/comparison`)
  const picture = page.locator('.plot svg.brushed')
  await picture.waitFor()
  const levels = await page
    .getByRole('combobox', { name: / from$/u })
    .locator('option')
    .allInnerTexts()
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + box.width / 2, box.y + 100)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + 120, { steps: 4 })
  await page.mouse.up()
  const selected = page.getByLabel('Selected items')
  await selected.waitFor()
  expect(decodeURIComponent(page.url())).toContain(`<=${levels.at(-1)?.replace(/^.* to /u, '')}`)
  const summary = selected.locator('summary').first()
  expect(await summary.innerText()).toMatch(/^Subset 1 of 1/u)
  await selected.getByText('Accuracy with 95 % intervals').waitFor()
  // By keys, and narrower.
  const last = page.getByRole('combobox', { name: 'to', exact: true })
  await last.selectOption({ index: levels.length - 2 })
  await selected.getByText(/97\.5 % intervals.*p adjusted by Holm over the 2 subsets/u).waitFor()
  expect(await summary.innerText()).toMatch(/^Subset 2 of 2/u)
  const items = await selected.getByRole('link', { name: /^Open the \d+ items$/u }).innerText()
  const n = await selected.locator('tbody tr', { hasText: 'gold' }).locator('.number > small').first().innerText()
  expect(`n ${/\d+/u.exec(items)?.[0]}`).toBe(n)
  // Looked at again, it is the same choice, of two.
  await selected.getByRole('link', { name: /^Open the/u }).click()
  await page.getByText(/^Subset 2 of 2/u).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByText('Drag over the figure').waitFor()
  expect(view.complaints).toEqual([])
})

test('what was chosen on a surface holds on overview, comparison and items; pages that leave it aside say so', async () => {
  const { page } = view
  await page.evaluate(() => localStorage.clear())
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance`)
  const levels = await page.getByLabel('distance from').locator('option').allInnerTexts()
  await page.getByLabel('distance from').selectOption({ index: levels.length - 1 })
  const opens = page.getByRole('link', { name: /^Open the \d+ items$/u })
  const items = /\d+/u.exec(await opens.innerText())?.[0]
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  const note = page.locator('.subset')
  await note
    .getByText(
      new RegExp(
        `^Only items with task recoglab/comparison, distance .*${levels.at(-1)?.replace(/^.* to /u, '')}: ${items} of 180\\.`,
        'u',
      ),
    )
    .waitFor()
  expect(await note.innerText()).toContain('Subset 1 of 1')
  await page
    .locator('table.matrix th', { hasText: `${items} items` })
    .first()
    .waitFor()
  // Another choice, and the same page counts both.
  await view.go(`${run}?task=recoglab/comparison&feature=distance>=2`)
  await note.getByText(/Subset 2 of 2 .* 97\.5 % intervals .* every p is multiplied by 2/u).waitFor()
  await page.getByText('Bars: 97.5 % CI').waitFor()
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await note.getByText(/Subset 2 of 2/u).waitFor()
  await page.locator('.mosaic a').nth(3).waitFor()
  const counts = (await page.locator('.mosaic a').allInnerTexts()).map(Number)
  const shared = Number(/(\d+) of 180\./u.exec(await note.innerText())?.[1])
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(shared)
  await opened(page)
  await page.getByText(/p is multiplied by, and e divided by, the 2 subsets of items/u).waitFor()
  await page.locator('.mosaic a').nth(1).click()
  await page.getByText(`${counts[1]} of 180 items`).waitFor()
  await page.getByRole('link', { name: 'Tokens and cost', exact: true }).click()
  // Whom only one of the two had right was a choice as well.
  await note.getByText(/Subset 2 of 3/u).waitFor()
  await page.getByText('98.3 % CI').first().waitFor()
  await page.getByRole('link', { name: 'Annotate', exact: true }).click()
  await page.getByText(/This page shows all items; the subset .* is not applied/u).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await note.getByText('Only items with').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Show all items' }).click()
  await page
    .getByText(/180 shared items/u)
    .first()
    .waitFor()
  expect(await note.count()).toBe(0)
  expect(view.complaints).toEqual([])
})

test('a cell of two features leads to its items', async () => {
  const { page } = view
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance&y=label`)
  const cell = page.locator('table.heat').first().locator('td a').first()
  const n = /n=(\d+)/u.exec(await cell.innerText())?.[1]
  await cell.click()
  await page.getByText(new RegExp(`^${n} of 180 items`, 'u')).waitFor()
  expect(view.complaints).toEqual([])
})
