import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildView } from '../../scripts/view/build.ts'
import provideHomes from '../e2e/setup.ts'
import { serveBrowser } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the pages of `touchstone view`. */
    readonly client: string
    /** Where the Chromium of all files listens. */
    readonly chromium: string
  }
}

/** Builds the pages and starts Chromium, once for all files of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeHomes = provideHomes(project)
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-'))
  await buildView(folder)
  const browser = await serveBrowser()
  project.provide('client', folder)
  project.provide('chromium', browser.wsEndpoint())
  return async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
    removeHomes()
  }
}
