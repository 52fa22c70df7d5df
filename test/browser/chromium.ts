import { join } from 'node:path'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { inject } from 'vitest'
import { findBrowser, howToInstall } from '../../scripts/testing/browser.ts'

/** The one script that a page needs to run `page.ts`. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['iife'], name: 'page' },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const [chunk, ...rest] = outputs
  if (chunk?.type !== 'chunk' || rest.length > 0) throw new Error('the page is more than one script')
  return chunk.code
}

/** Chromium as the tests of all files use it, without any call to the outside. */
export function serveBrowser(): Promise<BrowserServer> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error(`no Chromium found: ${howToInstall}`)
  return chromium.launchServer({
    executablePath,
    // Chromium refuses its sandbox as root, and only there.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Pages of their own in the Chromium of all files: closing it closes these. */
export const connect = (): Promise<Browser> => chromium.connect(inject('chromium'))

/** What the console and the scripts of a page complain about, from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** A page that holds our code, and what its console and its scripts complained about. */
export async function openPage(): Promise<{ page: Page; complaints: string[]; close(): Promise<void> }> {
  const browser = await connect()
  const page = await browser.newPage()
  const complaints = complaintsOf(page)
  await page.addScriptTag({ content: await bundle() })
  return { page, complaints, close: () => browser.close() }
}
