import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const example = join(import.meta.dirname, '../../../examples/token-counter.ts')

interface Manifest {
  readonly config: { readonly tokenCounter: string }
}
interface Verification {
  readonly mismatches: number
  readonly problems: readonly { readonly check: string }[]
}

describe('a token counter of a plugin', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const out = folder.path('long')
  const padded = [
    '--set',
    'filler=prose',
    '--set',
    'padTokens=600',
    '--set',
    'tokenCounter=pairs@1',
    '--count',
    '20',
    '--prompts',
    '--style',
    'bare',
  ]

  it('is in the manifest, works in worker threads, and is wanted again by verify', async () => {
    const made = await json<Manifest>(
      ['generate', 'recoglab/social'].concat(padded, ['--plugin', example, '--threads', '2', '--out', out]),
    )
    expect(made.config.tokenCounter).toBe('pairs@1')
    expect(await json<Verification>(['verify', out, '--plugin', example])).toMatchObject({ mismatches: 0 })

    // Whoever has named it once need not name it again; elsewhere it is asked for in words.
    expect(await json<Verification>(['verify', out])).toMatchObject({ mismatches: 0 })
    const elsewhere = await touchstone(['verify', out], { TOUCHSTONE_HOME: folder.path('home') })
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.stderr).toMatch(/made with the plugin token-counter\.ts .*unknown on this machine.*--plugin/)
  })

  it('that counts otherwise under the same version is found out by the prompts', async () => {
    const changed = folder.path('changed.ts')
    writeFileSync(changed, readFileSync(example, 'utf8').replace("const merges = ['th', ", 'const merges = ['))
    const verified = await json<Verification>(['verify', out, '--plugin', changed])
    expect(verified.problems.map(({ check }) => check)).toContain('prompts')
  })

  it('must be a counter', async () => {
    const wrong = folder.path('wrong.ts')
    writeFileSync(wrong, "export default { name: 'pairs', count: 3 }\n")
    const refused = await touchstone(['list', '--plugin', wrong])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/\{ name, version, count \}/)
  })
})
