import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../src/store/index.ts'

it('a folder is made with its parents, twice, and beside another that makes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-'))
  try {
    const path = join(folder, 'a', 'b', 'c')
    await makeFolder(path)
    await makeFolder(path)
    expect(existsSync(path)).toBe(true)
    for (let i = 0; i < 50; i++) {
      const parts = ['b', 'b/c', 'b/c/d', 'b/c/e'].map((name) => join(folder, `a${i}`, name))
      await Promise.all([...parts, ...parts].map(makeFolder))
      expect(parts.every(existsSync)).toBe(true)
    }
    writeFileSync(join(folder, 'file'), '')
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ kind: 'store' })
    await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toMatchObject({ kind: 'store' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

// Node's own recursive mkdir never comes back from there.
it.runIf(existsSync('/proc/self'))('a folder where none can be made is refused in words', async () => {
  await expect(makeFolder('/proc/no-such-thing')).rejects.toThrow('/proc/no-such-thing: ')
  await expect(makeFolder('/proc/no-such-thing/below/it')).rejects.toMatchObject({ kind: 'store' })
})
