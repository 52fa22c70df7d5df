import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('python3 is not there: the package in python/ is not tested')

describe.skipIf(!hasPython)('python/, by the python3 of this machine', () => {
  it('passes its own tests, with a server that it starts', () => {
    const command = `"${process.execPath}" --conditions=touchstone-source "${join(root, 'src/cli/main.ts')}" serve --threads 1`
    const { status, stderr } = spawnSync('python3', ['-m', 'unittest'], {
      cwd: join(root, 'python'),
      encoding: 'utf8',
      env: { ...process.env, TOUCHSTONE_COMMAND: command, PYTHONDONTWRITEBYTECODE: '1' },
    })
    expect(stderr).toMatch(/\nRan 11 tests in .*\n\nOK\n$/u)
    expect(status).toBe(0)
  }, 300_000)
})
