import type { Browser, Page } from 'playwright-core'
import { inject } from 'vitest'
import { type Serving, serveView } from '../../../src/view/server/serve.ts'
import { complaintsOf, connect } from '../chromium.ts'

/** The view of some folders in Chromium. */
export interface OpenView {
  readonly page: Page
  readonly complaints: string[]
  readonly served: Serving
  readonly browser: Browser
  /** Goes to a page, by what stands behind the `#`, and waits until it is there. */
  go(hash: string): Promise<void>
  close(): Promise<void>
}

export async function openView(paths: readonly string[]): Promise<OpenView> {
  const served = await serveView({ paths, port: 0, plugins: [], client: inject('client') })
  const browser = await connect()
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const complaints = complaintsOf(page)
  await page.goto(served.url)
  return {
    page,
    complaints,
    served,
    browser,
    async go(hash) {
      await page.evaluate((to) => {
        location.hash = to
      }, hash)
      await page.locator('h1, .problem, .empty').first().waitFor()
      await settled(page)
      if ((await page.locator('h1').count()) === 0)
        throw new Error(`no page at ${hash}: ${await page.locator('main').innerText()}`)
    },
    async close() {
      await browser.close()
      await served.close()
    },
  }
}

/** Waits until nothing says that it is on its way. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
}

/** Opens whatever can be opened, and waits until it is there. */
export async function opened(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) if (one instanceof HTMLDetailsElement) one.open = true
  })
  await settled(page)
}
