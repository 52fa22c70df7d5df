import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildView } from '../../../scripts/view/build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the pages of `touchstone view`. */
    readonly client: string
  }
}

/** Builds the pages once for all files of the project. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-'))
  await buildView(folder)
  project.provide('client', folder)
  return () => rmSync(folder, { recursive: true })
}
