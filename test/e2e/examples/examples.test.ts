import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nightly } from '../../nightly.ts'

const root = join(import.meta.dirname, '../../..')

describe.skipIf(!existsSync(join(root, 'examples')))('examples/', () => {
  // A series of checkpoints is trained for long.
  const soon = globSync('examples/*.ts', { cwd: root }).filter(
    (path) => nightly || path !== 'examples/proficiency-training.ts',
  )
  test.each(soon)('%s runs', (path) => {
    const run = spawnSync(process.execPath, ['--conditions=touchstone-source', path], { cwd: root, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
})
