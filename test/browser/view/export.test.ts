import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'
import { exportView } from '../../../src/view/server/export.ts'
import { toyFolder } from '../../unit/view/toy-run.ts'
import { complaintsOf, connect } from '../chromium.ts'
import { settled } from './open.ts'

test('an exported view opens from a disk: runs, filters, items, proofs and the playground', async () => {
  const folder = await toyFolder()
  const made = mkdtempSync(join(tmpdir(), 'touchstone-export-'))
  const client = inject('client')
  const out = join(made, 'out')
  const { documents, incomplete } = await exportView({ paths: [folder], out, plugins: [], client })
  expect(documents).toBeGreaterThan(14)
  expect(incomplete).toEqual([])
  await expect(exportView({ paths: [folder], out, plugins: [], client })).rejects.toThrow('is not empty')
  const browser = await connect()
  try {
    const page = await browser.newPage()
    const complaints = complaintsOf(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(join(out, 'index.html')).href)
    await page.locator('.card table tbody tr').first().waitFor()
    await page.locator('.card h2 a').click()
    // One parser was exported, and no other is offered.
    await page.locator('.legend', { hasText: 'chance' }).waitFor()
    expect(await page.getByLabel('Parser').count()).toBe(0)
    await page.getByRole('link', { name: /^Results/u }).click()
    await page.locator('a.item').first().waitFor()
    expect(await page.locator('a.item').count()).toBe(12)
    // What an export cannot search is no look at anything.
    const items = await page.evaluate(() => location.hash)
    await page.evaluate((hash) => {
      location.hash = `${hash}?text=older`
    }, items)
    await page.locator('.problem', { hasText: 'an exported view cannot search texts' }).waitFor()
    expect(await page.getByText('that this browser viewed').count()).toBe(0)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('subsets')))).toEqual([])
    await page.evaluate((hash) => {
      location.hash = hash
    }, items)
    await page.locator('a.item').first().waitFor()
    await page.getByRole('button', { name: /^Wrong \d+$/u }).click()
    await page.locator('[role=status]', { hasText: /^\d+ of 12 items/ }).waitFor()
    await page.locator('a.item').first().click()
    await page.locator('.seal.good').waitFor()
    const fitting = page.getByRole('link', { name: /^\d+ of \d+ that match$/u })
    const [first, total] = (await fitting.innerText()).match(/\d+/gu)?.map(Number) ?? []
    expect(first).toBe(1)
    if (total !== 1) {
      await page.keyboard.press('j')
      await page.getByRole('link', { name: `2 of ${total} that match` }).waitFor()
    }
    for (const name of ['Accuracy by feature', 'Compare']) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await settled(page)
    }
    await page.evaluate(() => {
      location.hash = '/playground?task=recoglab/families'
    })
    await page.locator('.seal.good').waitFor()
    expect(complaints).toEqual([])
    // Nothing is asked of any server.
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([])
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
    rmSync(made, { recursive: true })
  }
})
