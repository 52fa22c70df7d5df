import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLab } from '../../src/index.ts'
import { figureSvg, htmlPage } from '../../src/report/index.ts'
import { toyFolder } from '../unit/view/toy-run.ts'
import { connect } from './chromium.ts'
import { barriers } from './view/axe.ts'

let html: string
let browser: Browser
beforeAll(async () => {
  const folder = await toyFolder()
  const { report: found } = await (await openLab()).report(join(folder, 'run'), { formats: [] })
  rmSync(folder, { recursive: true })
  // Tables of two tasks may have one title, and names of analyses are longer than a phone is wide.
  const [first] = found.analyses
  const again = first === undefined ? [] : [{ ...first, id: `${first.id}/again` }]
  const long = {
    id: 'core/psychometric/recoglab/comparison-of-many',
    task: null,
    cause: 'no-data' as const,
    reason: 'nothing',
  } as const
  const report = { ...found, analyses: [...found.analyses, ...again], skipped: [...found.skipped, long] }
  const figures = new Map<string, string>()
  for (const { figures: drawn, tables } of report.analyses)
    for (const figure of drawn) figures.set(figure.id, await figureSvg(figure, tables))
  expect(figures.size).toBeGreaterThan(2)
  html = htmlPage(report, { mostRows: 500, csv: false, svg: false, figures })
  browser = await connect()
})
afterAll(() => browser.close())

test.each([
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const)('a report keeps nobody out and is as wide as the screen: $width, $colorScheme', async (how) => {
  const page = await browser.newPage({ viewport: { width: how.width, height: 800 }, colorScheme: how.colorScheme })
  await page.setContent(html)
  expect(await barriers(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(how.width)
  await page.close()
})

test('on paper no table is wider than the page, two figures have room on one, and what is folded says so', async () => {
  const page = await browser.newPage({ viewport: { width: 720, height: 1000 } })
  await page.emulateMedia({ media: 'print' })
  await page.setContent(html)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = false
  })
  const said = await page.evaluate(
    () => getComputedStyle(document.querySelector('summary') as Element, '::after').content,
  )
  expect(said).toContain('folded')
  expect(await page.locator('.folded').innerText()).toContain('unfolded')
  const heights = await page
    .locator('figure:not(.tall, .long)')
    .evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().height))
  // A page of letter paper holds 25.9 cm within margins of 1 cm.
  expect(Math.max(...heights)).toBeLessThan((25.9 / 2.54) * 96 * 0.5)
  await page.close()
})
