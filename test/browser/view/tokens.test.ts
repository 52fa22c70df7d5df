import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { exportView } from '../../../src/view/server/export.ts'
import { scoredFolder, thinkingFolder } from '../../unit/view/toy-run.ts'
import { barriers, looks } from './axe.ts'
import { opened, openView } from './open.ts'

test('tokens by difficulty, as distributions, by config and by item, and from there to the item', async () => {
  const { folder } = await thinkingFolder()
  const view = await openView([folder])
  try {
    await view.page.locator('.card h2 a').first().click()
    await view.page.getByRole('link', { name: 'Tokens and cost', exact: true }).click()
    await view.page.locator('table.matrix .track').first().waitFor()
    await opened(view.page)
    await view.page.locator('.bars').first().waitFor()
    const run = new URL(view.page.url()).hash.slice(1).replace(/\/tokens.*$/u, '')
    expect(await view.page.locator('.plot svg[role=img]').getAttribute('aria-label')).toContain('reasoning tokens over')
    expect(await view.page.locator('.bars').count()).toBe(1)
    await view.page.getByRole('combobox', { name: 'of' }).selectOption('answer')
    await view.page.waitForURL(/measure=answer/)
    await view.page.getByRole('heading', { name: 'Mean answer tokens' }).waitFor()
    await opened(view.page)
    await view.page.locator('.bars').nth(1).waitFor()
    for (const { colorScheme, width } of looks(0)) {
      await view.page.emulateMedia({ colorScheme })
      await view.page.setViewportSize({ width, height: 800 })
      await view.go(`${run}/tokens`)
      expect(await barriers(view.page)).toEqual([])
      expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await opened(view.page)
    await view.page
      .getByRole('link', { name: /^#\d+$/ })
      .first()
      .click()
    await view.page.locator('.seal.good').waitFor()
    expect(view.complaints).toEqual([])
  } finally {
    await view.close()
    rmSync(folder, { recursive: true })
  }
})

test('what cannot be laid over a feature leaves the choice of another, and of many models some are drawn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-models-'))
  const models = Array.from({ length: 16 }, (_, i) => ({ model: 'baseline:random', name: `lab/a-model-of-2026-${i}b` }))
  const items = [{ task: 'recoglab/comparison', preset: 'symbolic-distance', count: 40 }]
  await (await openLab({ env: {} })).run({ experiment: { items, models }, out: join(folder, 'run') })
  const view = await openView([folder])
  const { page } = view
  try {
    await page.locator('.card h2 a').first().click()
    const run = new URL(page.url()).hash.slice(1)
    for (const name of ['tokens', 'by-feature']) {
      await view.go(`${run}/${name}?x=nothing`)
      await page.getByText('the items of this run have no feature "nothing"').waitFor()
      if (name === 'tokens') await page.getByRole('combobox', { name: 'over' }).selectOption('distance')
      else await page.locator('.ranking a', { hasText: 'distance' }).click()
      await page.waitForURL(/x=distance/u)
      await page.getByRole('combobox', { name: 'of 16 models' }).selectOption('15 to 16')
      await page.locator('main', { hasText: 'a-model-of-2026-15b' }).waitFor()
      expect(await page.locator('main').innerText()).not.toContain('a-model-of-2026-13b')
    }
    await view.go(`${run}/items`)
    await page.locator('.heads .rate').first().waitFor()
    expect(await page.locator('.heads .rate b:first-of-type').count()).toBeGreaterThanOrEqual(4)
    await page.locator('summary', { hasText: 'Columns 4 of 16' }).click()
    await page.getByLabel('lab/a-model-of-2026-15b').check()
    await page.locator('.heads .rate', { hasText: 'a-model-of-2026-15b' }).waitFor()
    // An exported view has every page of models, and the pages ask for the files that it has.
    const out = join(folder, 'out')
    await exportView({ paths: [join(folder, 'run')], out, plugins: [], client: inject('client') })
    await page.goto(pathToFileURL(join(out, 'index.html')).href)
    await page.locator('.card h2 a').first().click()
    for (const name of ['Tokens and cost', 'Accuracy by feature']) {
      await page.getByRole('link', { name, exact: true }).click()
      if (name.startsWith('Tokens')) await page.getByRole('combobox', { name: 'over' }).selectOption('distance')
      else await page.locator('.ranking a', { hasText: 'distance' }).click()
      for (const [models, last] of [
        ['15 to 16', 15],
        ['1 to 14', 13],
      ] as const) {
        await page.getByRole('combobox', { name: 'of 16 models' }).selectOption(models)
        await page.locator('main', { hasText: `a-model-of-2026-${last}b` }).waitFor()
      }
    }
    view.complaints.splice(0, view.complaints.length, ...view.complaints.filter((one) => !one.includes('400')))
    expect(view.complaints).toEqual([])
  } finally {
    await view.close()
    rmSync(folder, { recursive: true })
  }
})

test('scored strings: losses above the floor, AUC by distance, ROC', async () => {
  const folder = await scoredFolder()
  const view = await openView([folder])
  try {
    await view.page.locator('.card h2 a').first().click()
    await view.page.getByRole('link', { name: 'Tokens and cost', exact: true }).click()
    const strip = view.page.locator('.loss-strip')
    await strip.waitFor({ timeout: 90_000 })
    const run = new URL(view.page.url()).hash.slice(1).replace(/\/tokens.*$/u, '')
    // The same string after 1 and after 4 examples, by two models; the language itself loses the floor.
    expect((await strip.locator('tbody th').allInnerTexts()).sort()).toEqual([
      'floor',
      'oracle (baseline), k 1',
      'oracle (baseline), k 4',
      'ppm (baseline), k 1',
      'ppm (baseline), k 4',
    ])
    const own = strip.locator('tr', { has: view.page.getByRole('rowheader', { name: 'oracle (baseline), k 1' }) })
    const above = await own.locator('td.right').first().innerText()
    expect(above).toBe('0.00')
    expect(await view.page.locator('figure .plot svg[role=img]').count()).toBe(2)
    await view.page.getByText('Numbers').first().click()
    expect(await view.page.locator('main').innerText()).toContain('length only')
    expect(await barriers(view.page)).toEqual([])
    await view.page.setViewportSize({ width: 360, height: 800 })
    await view.go(`${run}/tokens`)
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await view.page.getByRole('link', { name: 'the item, with its derivation' }).click()
    await view.page.locator('.seal.good').waitFor()
    await view.page.locator('.response .loss-strip').first().waitFor()
    expect(view.complaints).toEqual([])
  } finally {
    await view.close()
    rmSync(folder, { recursive: true })
  }
})
