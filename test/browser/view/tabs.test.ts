import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toyFolder } from '../../unit/view/toy-run.ts'
import { type OpenView, openView } from './open.ts'

let folder: string
let view: OpenView
beforeAll(async () => {
  folder = await toyFolder()
  view = await openView([folder])
})
afterAll(async () => {
  await view.close()
  rmSync(folder, { recursive: true })
})

// A browser has six connections to a server.
test('however many tabs are open, one of them listens to the server, and another where it is closed', async () => {
  const tabs: Page[] = []
  const listening: number[] = []
  const context = await view.browser.newContext()
  for (let tab = 0; tab < 7; tab++) {
    const page = await context.newPage()
    page.on('request', (request) => request.url().endsWith('/api/events') && listening.push(tab))
    await page.goto(view.served.url)
    await page.locator('.card h2 a').first().waitFor()
    tabs.push(page)
  }
  expect(listening).toEqual([0])
  await Promise.all([tabs[1]?.waitForRequest(/\/api\/events$/u), tabs[0]?.close()])
  await context.close()
})
