import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { thinkingFolder } from '../../unit/view/toy-run.ts'
import { barriers } from './axe.ts'
import { openView } from './open.ts'

test('tokens by difficulty, as distributions, by config and by item, and from there to the item', async () => {
  const { folder } = await thinkingFolder()
  const view = await openView([folder])
  try {
    await view.page.locator('.card h2 a').first().click()
    await view.page.getByRole('link', { name: 'tokens', exact: true }).click()
    await view.page.locator('.bars').first().waitFor()
    const run = new URL(view.page.url()).hash.slice(1).replace(/\/tokens.*$/u, '')
    expect(await view.page.locator('.plot svg[role=img]').getAttribute('aria-label')).toContain('reasoning tokens over')
    expect(await view.page.locator('.bars').count()).toBe(1)
    await view.page.getByRole('combobox', { name: 'of' }).selectOption('answer')
    await view.page.waitForURL(/measure=answer/)
    await view.page.locator('.bars').nth(1).waitFor()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 360]) {
        await view.page.emulateMedia({ colorScheme })
        await view.page.setViewportSize({ width, height: 800 })
        await view.go(`${run}/tokens`)
        expect(await barriers(view.page)).toEqual([])
        expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
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
