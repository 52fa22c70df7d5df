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

test('models stand beside tasks on the overview: of each its interval and rank, and its incorrect responses to that task', async () => {
  await view.go(run)
  const matrix = view.page.locator('table.matrix')
  await matrix.waitFor()
  const texts = (cells: string): Promise<string[]> => matrix.locator(cells).allInnerTexts()
  expect((await texts('thead th')).map((one) => one.split(',')[0])).toEqual([
    'Model',
    'recoglab/comparison',
    'recoglab/syllogism',
    'recoglab/families',
  ])
  expect(await texts('tbody th')).toEqual(['gold', 'random'])
  expect((await texts('.number')).every((number) => /^\d\.\d{3} \[.*\] n=60$/u.test(number))).toBe(true)
  // What is not resolved says how far it is from that.
  const pairs = view.page.getByRole('group', { name: 'Differences between models' })
  expect((await pairs.locator('thead th').allInnerTexts()).slice(-2)).toEqual(['q', 'Items still needed'])
  for (const q of await pairs.locator('tbody td:nth-last-child(2)').allInnerTexts())
    expect(Number(q)).toBeGreaterThan(0)
  expect(await barriers(view.page)).toEqual([])
  await matrix.getByRole('link', { name: /^incorrect responses of baseline:random, recoglab\/syllogism/u }).click()
  await view.page.getByText(/^\d+ of 180 items/u).waitFor()
  await expect.poll(() => view.page.title()).toMatch(/^items · .+ · Touchstone$/u)
  expect(await view.page.locator('.item .facts').first().innerText()).not.toContain('recoglab/')
  expect(decodeURIComponent(view.page.url())).toContain('task=recoglab/syllogism&model=baseline:random&outcome=wrong')
  await view.go(`${run}/items`)
  await view.page
    .locator('.item .facts', { hasText: /^recoglab\/comparison · / })
    .first()
    .waitFor()
  expect(view.complaints).toEqual([])
})

test('many pairs are folded set by set, and differences over tasks are on an axis that has a 0', async () => {
  const page = await view.browser.newPage()
  await page.route('**/overview', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const paired = body.tables.find(({ id }: { readonly id: string }) => id === 'core/paired')
    const like = (row: object, i: number) => ({ ...row, b: `model ${i}`, holm: i < 2 ? 0.001 : 1 })
    paired.rows = paired.rows.flatMap((row: object) => Array.from({ length: 10 }, (_, i) => like(row, i)))
    await route.fulfill({ response, json: body })
  })
  await page.goto(view.served.url)
  await page.evaluate((to) => {
    location.hash = to
  }, run)
  const folded = page.locator('summary', { hasText: 'pairs significant' })
  await folded.first().waitFor()
  expect(await folded.allInnerTexts()).toEqual(
    ['comparison', 'syllogism', 'families'].map((task) =>
      expect.stringMatching(`^recoglab/${task}.*: 2 of 10 pairs significant$`),
    ),
  )
  await folded.first().click()
  expect(await page.getByRole('link', { name: 'gold − model 9' }).count()).toBe(1)
  const over = page.getByRole('group', { name: 'Differences in accuracy across tasks' })
  expect(await over.locator('thead th').allInnerTexts()).toContain('A − B')
  expect(await over.locator('.interval .zero').count()).toBe(await over.locator('.interval svg').count())
  await page.close()
})

test('two models are compared on each task, and over tasks either way round', async () => {
  const over = view.page.locator('section', { hasText: 'Over 3 tasks' })
  const numbers = async (a: string, b: string): Promise<number[]> => {
    await view.go(`${run}/compare?a=baseline:${a}&b=baseline:${b}`)
    await over.waitFor()
    const text = await over.locator('.number').innerText()
    return [...text.matchAll(/[-−]?\d\.\d{3}/gu)].map(([number]) => Number(number.replace('−', '-')))
  }
  const [value = 0, low = 0, high = 0] = await numbers('gold', 'random')
  expect(low).toBeLessThan(value)
  expect(value).toBeGreaterThan(0)
  expect(await numbers('random', 'gold')).toEqual([0 - value, 0 - high, 0 - low])
  expect(await over.locator('.note').innerText()).toMatch(/Prediction interval for a new task/u)
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
  await view.page.getByRole('heading', { name: 'random against gold' }).waitFor()
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
  await opened(view.page)
  expect(await barriers(view.page)).toEqual([])
  const level = rows.filter({ has: view.page.locator('a') }).first()
  const differ = (await level.locator('td').nth(2).innerText()).split(', ').reduce((sum, n) => sum + Number(n), 0)
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
  expect(strokes).toContain('#0072b2')
  expect(strokes).not.toContain('gold')
})

test('a surface is of one task, with the features in which its items differ', async () => {
  const { page } = view
  await view.go(`${run}/by-feature`)
  const [task, over] = [page.locator('main select').nth(0), page.locator('main select').nth(1)]
  expect(await task.inputValue()).toBe('recoglab/comparison')
  expect(await task.locator('option').allInnerTexts()).toEqual([
    'recoglab/comparison',
    'recoglab/syllogism',
    'recoglab/families',
  ])
  const names = (): Promise<string[]> => over.locator('option').allInnerTexts()
  const [ofComparison, first] = [await names(), await over.inputValue()]
  await task.selectOption('recoglab/syllogism')
  await page.waitForURL(/task=recoglab%2Fsyllogism/u)
  await page.locator('.plot svg').first().waitFor()
  expect(ofComparison).toContain('distance')
  expect(await names()).not.toContain('distance')
  // What is chosen is of the task that is shown, also where nobody chose it.
  await view.go(`${run}/by-feature`)
  await page.getByLabel(`${first} from`).selectOption({ index: 1 })
  await page.getByLabel('Selected items').waitFor()
  expect(decodeURIComponent(page.url())).toContain('task=recoglab/comparison')
  expect(view.complaints).toEqual([])
})

test('the picture of a surface holds the names of its axes, and breaks the intervals that rest on few groups', async () => {
  const { page } = view
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance`)
  const picture = page.locator('.plot svg').last()
  await picture.waitFor()
  // Chance as a line of its own, as in the report.
  await page.getByText('Chance baseline: accuracy of a uniform').waitFor()
  expect(await picture.locator('[stroke-dasharray="6 4"]').count()).toBe(1)
  const lowest = await picture.evaluate((svg) =>
    Math.max(...[...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().bottom)),
  )
  const box = (await picture.boundingBox()) ?? { y: 0, height: 0 }
  expect(lowest).toBeLessThanOrEqual(box.y + box.height)
  await page.locator('summary', { hasText: 'Numbers' }).click()
  const heads = await page.locator('table.data thead th').allInnerTexts()
  const groups = (
    await page.locator(`table.data tbody tr td:nth-child(${heads.indexOf('groups') + 1})`).allInnerTexts()
  ).map(Number)
  const few = groups.filter((n) => n < 10).length
  expect(few).toBeGreaterThan(0)
  expect(await picture.locator('[stroke-dasharray="3 2"] line, line[stroke-dasharray="3 2"]').count()).toBe(few)
  await page.getByText('Dashed intervals rest on fewer than 10 groups').waitFor()
})

test('a bin drawn over a curve chooses its items, with statistics that know how often somebody chose', async () => {
  const { page } = view
  await page.evaluate(() => localStorage.clear())
  await view.go(`${run}/by-feature?task=recoglab/comparison`)
  const picture = page.locator('.plot svg.brushed')
  await picture.waitFor()
  const name = await page.locator('main select').nth(1).inputValue()
  const levels = await page.getByLabel(`${name} from`).locator('option').allInnerTexts()
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + box.width / 2, box.y + 100)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + 120, { steps: 4 })
  await page.mouse.up()
  const selected = page.getByLabel('Selected items')
  await selected.waitFor()
  expect(decodeURIComponent(page.url())).toContain(`<=${levels.at(-1)?.replace(/^.* to /u, '')}`)
  const summary = selected.locator('summary')
  expect(await summary.innerText()).toMatch(/^Subset 1 of 1/u)
  await selected.getByText('Accuracy with 95 % intervals').waitFor()
  // By keys, and narrower.
  const last = page.getByLabel('to').last()
  await last.selectOption({ index: levels.length - 2 })
  await selected.getByText(/97\.5 % intervals.*p adjusted by Holm over the 2 subsets/u).waitFor()
  expect(await summary.innerText()).toMatch(/^Subset 2 of 2/u)
  const items = await selected.getByText(/^\d+ of 180 items/u).innerText()
  const n = await selected.locator('tbody tr', { hasText: 'gold' }).locator('.number small').first().innerText()
  expect(`n=${/^\d+/u.exec(items)?.[0]}`).toBe(n)
  // Looked at again, it is the same choice, of two.
  await selected.getByRole('link', { name: 'Open these items' }).click()
  await page.getByText(/^Subset 2 of 2/u).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByText('Drag over the figure').waitFor()
  expect(view.complaints).toEqual([])
})

test('what was chosen on a surface holds on overview, comparison and items; pages that leave it aside say so', async () => {
  const { page } = view
  await page.evaluate(() => localStorage.clear())
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance&each=yes`)
  const levels = await page.getByLabel('distance from').locator('option').allInnerTexts()
  await page.getByLabel('distance from').selectOption({ index: levels.length - 1 })
  const items = /^(?<n>\d+) of 180/u.exec(await page.getByText(/^\d+ of 180 items/u).innerText())?.groups?.['n']
  await page.getByRole('link', { name: 'run', exact: true }).click()
  const note = page.locator('.subset')
  await note
    .getByText(`Only items with task recoglab/comparison, distance = ${levels.at(-1)}: ${items} of 180.`)
    .waitFor()
  expect(await note.innerText()).toContain('Subset 1 of 1')
  for (const number of await page.locator('table.overview').first().locator('.number small').allInnerTexts())
    expect(number).toBe(`n=${items}`)
  // Another choice, and the same page counts both.
  await view.go(`${run}?task=recoglab/comparison&feature=distance>=2`)
  await note.getByText(/Subset 2 of 2 .* 97\.5 % intervals .* every p is multiplied by 2/u).waitFor()
  await page.getByRole('columnheader', { name: 'Accuracy with its 97.5 % interval' }).waitFor()
  await page
    .getByRole('link', { name: /^gold − random/u })
    .first()
    .click()
  await note.getByText(/Subset 2 of 2/u).waitFor()
  await page.locator('.mosaic b').nth(3).waitFor()
  const counts = (await page.locator('.mosaic b').allInnerTexts()).map(Number)
  const shared = Number(/(\d+) of 180\./u.exec(await note.innerText())?.[1])
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(shared)
  await page.getByText(/p is multiplied by, and e divided by, the 2 subsets of items/u).waitFor()
  await page.locator('.mosaic .onlyA a').click()
  await page.getByText(`${counts[1]} of 180 items`).waitFor()
  await page.getByRole('link', { name: 'tokens', exact: true }).click()
  // Whom only one of the two had right was a choice as well.
  await note.getByText(/Subset 2 of 3/u).waitFor()
  await page.getByRole('columnheader', { name: 'mean [98.3 %], n' }).waitFor()
  await page.getByRole('link', { name: 'annotate', exact: true }).click()
  await page.getByText(/This page shows all items; the subset .* is not applied/u).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'compare', exact: true }).click()
  await note.getByText('Only items with').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Show all items' }).click()
  await page.getByText(/^All 180 shared items together/u).waitFor()
  expect(await note.count()).toBe(0)
  expect(view.complaints).toEqual([])
})

test('cells drawn over are a rectangle in the address; a click on one leads to its items', async () => {
  const { page } = view
  await view.go(`${run}/by-feature?task=recoglab/comparison&x=distance&y=label`)
  const cells = page.locator('table.heat').first().locator('td')
  const count = await cells.count()
  await cells.first().hover()
  await page.mouse.down()
  await cells.last().hover()
  await page.mouse.up()
  // All of it is no choice.
  expect(page.url()).not.toContain('feature=')
  await cells.first().hover()
  await page.mouse.down()
  await cells.nth(1).hover()
  await page.mouse.up()
  await page.getByLabel('Selected items').waitFor()
  expect(await page.locator('table.heat').first().locator('td:not(.off)').count()).toBeLessThan(count)
  expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).getAll('feature').length).toBeGreaterThan(0)
  expect(view.complaints).toEqual([])
})
