import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder in which each process of tests has a home of its own: what the command line remembers of plugins. */
    readonly homes: string
  }
}

/** The processes of tests are ended before they could remove their homes themselves. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-homes-'))
  project.provide('homes', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
