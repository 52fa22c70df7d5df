import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { toyFolder } from '../../unit/view/toy-run.ts'
import { barriers, looks } from './axe.ts'
import { type OpenView, opened, openView } from './open.ts'

let folder: string
let view: OpenView
let run: string
let set: string
beforeAll(async () => {
  folder = await toyFolder()
  view = await openView([folder])
  await view.page.locator('.card h2 a').first().waitFor()
  const link = (await view.page.locator('.card h2 a').first().getAttribute('href')) ?? ''
  run = link.replace('#', '')
  set = ((await view.page.locator('.folders a').first().getAttribute('href')) ?? '').replace('#', '')
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

const text = (selector: string) => view.page.locator(selector).first().innerText()

test('the address that is printed opens the runs, and keeps no token', async () => {
  expect(new URL(view.page.url()).search).toBe('')
  expect(await text('h1')).toBe('Runs')
  await view.page.locator('.card table tbody tr').first().waitFor()
  expect(await view.page.locator('.card table tbody tr').count()).toBe(2)
  expect(view.complaints).toEqual([])
})

test('a card says that its accuracies are on their way, and why they do not come', async () => {
  const page = await view.browser.newPage()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/runs/*/history', async (route) => {
    await answered
    await route.fulfill({
      status: 500,
      json: { schema: 'touchstone/view-error/1', message: 'the disk is gone', next: 'Find it.' },
    })
  })
  await page.goto(view.served.url)
  await page.locator('.card .waiting').first().waitFor()
  answer()
  await page.locator('.card .problem', { hasText: 'the disk is gone' }).first().waitFor()
  await page.close()
})

test('what needs no reasoning comes after the overview, and an overview without it is an overview', async () => {
  const page = await view.browser.newPage()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/runs/*/references', async (route) => {
    await answered
    await route.fulfill({ status: 500, json: { schema: 'touchstone/view-error/1', message: 'no rules', next: '' } })
  })
  await page.goto(`${view.served.url}#${run}`)
  await page.locator('table.matrix .track').first().waitFor()
  await page.getByText('Computing the chance baseline').waitFor()
  answer()
  await page.getByText('The chance baseline is unknown: no rules').waitFor()
  expect(await page.locator('table.matrix .track').count()).toBeGreaterThan(0)
  await page.close()
})

test('the first page weighs little: what pictures are drawn with comes with the first of them', async () => {
  const page = await view.browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(view.served.url)
  await page.locator('.card table tbody tr').first().waitFor()
  const scripts = asked.filter((path) => /\.(?:js|css)$/u.test(path))
  expect(scripts.toSorted()).toEqual(['/client.css', '/client.js'])
  const bytes = scripts.map((path) => gzipSync(readFileSync(join(inject('client'), path))).length)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(110_000)
  await page.evaluate((at) => {
    location.hash = at
  }, `${run}/tokens?x=distance`)
  await page.locator('.plot svg').first().waitFor()
  expect(asked.filter((path) => path === '/drawing.js')).toHaveLength(1)
  await page.close()
})

test('from the runs to the overview to the items to an item, by links alone', async () => {
  await view.go('/')
  await view.page.locator('.card h2 a').first().click()
  await view.page.locator('table.matrix').waitFor()
  // Every accuracy has its interval beside it.
  for (const number of await view.page.locator('table.matrix .estimate').allInnerTexts())
    expect(number).toMatch(/^\d+ \d+–\d+$/)
  await view.page.getByRole('link', { name: /^Results/u }).click()
  await view.page.locator('a.item').first().waitFor()
  expect(await view.page.locator('a.item').count()).toBe(12)
  await view.page.locator('a.item').nth(3).click()
  await view.page.locator('.seal.good').waitFor()
  expect(await text('h1')).toBe('recoglab/comparison #3')
  await view.page.locator('summary', { hasText: 'Features' }).click()
  await view.page.locator('.facts dt', { hasText: /^query word$/ }).waitFor()
  expect(await view.page.locator('.facts', { hasText: 'queryWord' }).count()).toBe(0)
  expect(await view.page.locator('.response mark').count()).toBe(2)
  await view.page.locator('.truth svg.graph .node').first().waitFor()
  expect(await view.page.locator('.truth svg.graph .node').count()).toBeGreaterThan(3)
  expect(view.complaints).toEqual([])
})

test('the overview folds which ranks are left open, and dots intervals that rest on fewer than ten groups', async () => {
  await view.go(run)
  await view.page.getByText('Ranks that the items leave open').click()
  const ranks = view.page.locator('details', { hasText: 'Ranks that the items' }).locator('tbody tr')
  for (const row of await ranks.allInnerTexts()) expect(row).toMatch(/\t(?:1|2|1-2)\t/u)
  expect(await view.page.locator('table.matrix .bar').count()).toBeGreaterThan(0)
  expect(await view.page.locator('table.matrix .bar.few').count()).toBe(0)
  await view.go(`${run}?feature=label%3DYes`)
  // Of fewer than ten items there is a number of them, and no mark.
  expect(await view.page.locator('table.matrix .pt:not(.model .pt)').count()).toBe(0)
  expect(await view.page.locator('table.matrix .estimate').allInnerTexts()).toEqual(['n 6', 'n 6'])
  expect(await view.page.locator('table.matrix .track').getAttribute('aria-label')).toMatch(
    /fewer than 10 items; chance 50 %; heuristic \S+ \d+ %$/,
  )
})

test('features are named in words wherever one is chosen', async () => {
  await view.go(`${run}/by-feature`)
  await view.page.locator('.ranking a').first().waitFor()
  const ranked = await view.page.locator('.ranking').innerText()
  for (const [page, column] of [
    ['tokens', 'over'],
    ['items', 'where'],
  ] as const) {
    await view.go(`${run}/${page}`)
    await opened(view.page)
    const names = await view.page.getByRole('combobox', { name: column, exact: true }).locator('option').allInnerTexts()
    expect(names).toContain('first named')
    expect([...names, ranked].join(' ')).not.toContain('firstNamed')
  }
})

test('keys move through the items, and filters stand in the address', async () => {
  await view.go(`${run}/items`)
  await view.page.reload()
  await view.page.locator('.rows').focus()
  for (const key of ['j', 'j', 'k']) await view.page.keyboard.press(key)
  await view.page.locator('a.item.selected', { hasText: '#1' }).waitFor()
  await view.page.keyboard.press('Enter')
  await view.page.locator('h1', { hasText: '#1' }).waitFor()
  await view.page.keyboard.press('j')
  await view.page.locator('h1', { hasText: '#2' }).waitFor()
  // Whoever goes back stands where the item was opened, and goes on by keys.
  for (const title of ['#1', 'Results']) {
    await view.page.goBack()
    await view.page.locator('h1', { hasText: title }).waitFor({ state: 'attached' })
  }
  await view.page.locator('a.item.selected', { hasText: '#1' }).waitFor()
  await view.page.locator('.rows:focus').waitFor()
  await view.page.keyboard.press('j')
  await view.page.locator('a.item.selected', { hasText: '#2' }).waitFor()
  await view.go(`${run}/items`)
  await view.page.getByRole('button', { name: /^Wrong \d+$/u }).click()
  await view.page.waitForURL(/outcome=wrong/)
  await view.page.locator('[role=status]', { hasText: /^\d+ of 12 items/ }).waitFor()
  const wrong = await view.page.locator('main [role=status]').last().innerText()
  await view.page.reload()
  await view.page.locator('a.item').first().waitFor()
  expect(await view.page.locator('main [role=status]').last().innerText()).toBe(wrong)
  expect(view.complaints).toEqual([])
})

test('an address without its server, its run or its item says what to do', async () => {
  await view.page.evaluate(() => {
    location.hash = '/r/nowhere-000000'
  })
  await view.page.locator('.empty').waitFor()
  await view.page.evaluate((at) => {
    location.hash = `${at}/item?id=none`
  }, run)
  await view.page.locator('.problem').waitFor()
  expect(await text('.problem')).toContain('this run has no item none')
  view.complaints.length = 0
})

const pages = [
  '/',
  '{run}',
  '{run}?feature=distance>=1',
  '{run}/by-feature',
  '{run}/by-feature?x=distance&y=label&feature=distance>=2',
  '{run}/by-feature?x=nothing',
  '{run}/compare',
  '{run}/compare?feature=distance>=2',
  '{run}/items',
  '{run}/items?feature=distance>=1',
  '{run}/tokens',
  '{run}/item',
  '{run}/annotate',
  '{set}',
  '/playground',
  '/nowhere',
]
test.each(pages)('nobody is kept out of %s, light or dark, wide or narrow', async (path) => {
  for (const { colorScheme, width } of looks(pages.indexOf(path))) {
    await view.page.emulateMedia({ colorScheme })
    await view.page.setViewportSize({ width, height: 800 })
    await view.go(await address(path))
    await opened(view.page)
    expect(await barriers(view.page)).toEqual([])
    // Nothing but tables and drawings of their own scrolls sideways.
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await view.page.emulateMedia({ colorScheme: 'light' })
  await view.page.setViewportSize({ width: 1280, height: 860 })
  // What the server refuses stands in the console too.
  if (path.includes('nothing')) view.complaints.length = 0
  expect(view.complaints).toEqual([])
})

async function address(path: string): Promise<string> {
  const item = await view.page.evaluate(async (at) => {
    const page = (await (await fetch(`/api/runs/${at.split('/').pop()}/items`)).json()) as { rows: { item: string }[] }
    return page.rows[0]?.item ?? ''
  }, run)
  return path
    .replace('{run}', run)
    .replace('{set}', set)
    .replace(/\/item$/u, `/item?id=${encodeURIComponent(item)}`)
}

test('a dataset is made anew in the browser, down to its root', async () => {
  await view.go(set)
  await view.page.getByRole('button', { name: /Regenerate all/ }).click()
  await view.page.locator('.seal.good').waitFor()
})

test('a row that somebody pastes is found in the dataset, compared and proved; what is none is told', async () => {
  await view.go(set)
  const check = view.page.locator('section', { has: view.page.locator('.row-field') }).last()
  const paste = async (text: string): Promise<void> => {
    await check.locator('.row-field').fill(text)
    await check.getByRole('button', { name: 'Find and check' }).click()
  }
  await paste('{"index": 3, "answer": "<b>neither</b>"}')
  await check.locator('.seal.bad', { hasText: '1 field of 2 differ' }).waitFor()
  expect(await check.locator('table').first().innerText()).toContain('<b>neither</b>')
  await paste('3')
  await check
    .locator('.seal.good', { hasText: 'Index 3 was regenerated in this browser: an item of this dataset.' })
    .waitFor()
  await check.locator('.seal.good', { hasText: 'Proof checked' }).waitFor()
  expect(view.page.url()).toContain('row=3')
  await paste('99999999')
  await check.getByText('this dataset has indices 0 to 11').waitFor()
  await paste('{"index": 3')
  await check.getByText('Copy the line to its end.').waitFor()
  expect(view.complaints).toEqual([])
})

test('the mosaic of two models counts every item once and leads to the items', async () => {
  await view.go(`${run}/compare`)
  await view.page.locator('.mosaic li').first().waitFor()
  const counts = (await view.page.locator('.mosaic a').allInnerTexts()).map(Number)
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(12)
  await view.page.locator('.mosaic a').nth(1).click()
  await view.page.locator('[role=status]', { hasText: `${counts[1]} of 12 items` }).waitFor()
})

test('a reader marks answers by keys, and the marks are kept in the browser', async () => {
  await view.go(`${run}/annotate`)
  await view.page.locator('[role=status]', { hasText: /Answer 1 of/ }).waitFor()
  for (const key of ['r', 'w', 'n']) await view.page.keyboard.press(key)
  await view.page.locator('[role=status]', { hasText: /Answer 4 of \d+; 3 annotated/ }).waitFor()
  // Nothing tells whose an answer is.
  expect(await view.page.locator('section[aria-label=Answer]').innerText()).not.toMatch(/baseline|oracle|random/)
  await view.page.reload()
  await view.page.locator('[role=status]', { hasText: /Answer 4 of \d+; 3 annotated/ }).waitFor()
  const href = await view.page.getByRole('link', { name: /CSV/ }).getAttribute('href')
  const csv = decodeURIComponent(href ?? '').replace(/^.*?,/u, '')
  expect(csv.split('\r\n')).toHaveLength(4)
  // How each was read is not said before all are: neither in the table nor in the file.
  const parsers = view.page.getByRole('rowheader', { name: /^parser/u })
  expect(await parsers.count()).toBe(0)
  expect(csv).not.toMatch(/baseline|right$|wrong$/mu)
  // Whoever read elsewhere brings a CSV of the same form: one of another name, one of the same name who said otherwise.
  const agreement = (name: string) =>
    view.page.getByRole('row').filter({ has: view.page.getByRole('rowheader', { name, exact: true }) })
  const bring = (text: string) =>
    view.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await bring(csv.replaceAll(/^me,/gmu, 'you,').replace(',right,', ',wrong,'))
  expect(await agreement('reader you').innerText()).toMatch(/2 of 3\s+kappa 0\.500$/u)
  await bring(csv.replace(',no answer,', ',wrong,'))
  await agreement('reader me 2').waitFor()
  expect(await agreement('reader me 2').innerText()).toMatch(/2 of 3/u)
  // By hand: r w r, w w w, n n w.
  await view.page
    .getByText("All 3 readers on the 3 answers that two or more have read: Krippendorff's alpha 0.333")
    .waitFor()
  await bring('a,b\r\n1,2')
  await view.page.getByText('No mark of this sample found').waitFor()
  for (let i = 0; i < 30; i++) await view.page.keyboard.press('r')
  await parsers.first().waitFor()
  // The next at the same browser begins at the first answer, and not where this one ended.
  await view.page.getByLabel('reader', { exact: true }).fill('another')
  await view.page.getByLabel('reader', { exact: true }).press('Enter')
  await view.page.locator('[role=status]', { hasText: /Answer 1 of \d+; 0 annotated/ }).waitFor()
})

test('the playground makes items in the browser, each with its proof', async () => {
  await view.go('/playground?task=recoglab/families')
  expect((await view.page.getByLabel('task').locator('option').allInnerTexts()).length).toBeGreaterThan(8)
  for (const place of [
    'task=recoglab/families',
    'task=recoglab/syllogism',
    'task=relic/recognize&preset=relic-demo',
    'task=pbebench/reorder',
  ]) {
    await view.go(`/playground?${place}`)
    await view.page.locator('.seal.good').waitFor()
    await view.page.locator('main .controls a.chip').nth(1).waitFor()
    await opened(view.page)
    expect(await barriers(view.page)).toEqual([])
  }
  expect(view.complaints).toEqual([])
})
