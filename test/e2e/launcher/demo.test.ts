import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nightly } from '../../nightly.ts'

const root = join(import.meta.dirname, '../../..')
let made: string | undefined
afterAll(() => made !== undefined && rmSync(made, { recursive: true, force: true }))

it('the demo goes to its end, and what it points at is there', async () => {
  const { code, said } = await demo()
  expect([code, code === 0 ? '' : said.slice(-2000)]).toEqual([0, ''])
  made = /touchstone view (\S+)/u.exec(said)?.[1]
  const [, next = ''] = said.split('Where to look next')
  const files = [...next.matchAll(/^ {2}(\/\S+)/gmu)].map(([, path]) => path ?? '')
  expect(files).toHaveLength(3)
  expect(files.filter((path) => !existsSync(path))).toEqual([])
})

/** The demo, with nobody before it: it ends without opening the view. */
function demo(): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const few = nightly ? [] : ['--limit', '10']
    const child = spawn(process.execPath, ['--conditions=touchstone-source', 'scripts/demo.ts', ...few], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += data.toString()
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said }))
  })
}
