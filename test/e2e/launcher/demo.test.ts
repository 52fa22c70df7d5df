import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
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
  if (nightly) expect(notPrinted(said)).toEqual([])
})

it('the demo says what it is to whoever asks first, and does nothing', async () => {
  const { code, said } = await demo(['--help'])
  expect([code, said]).toEqual([0, expect.stringMatching(/^npm run demo \[-- ARGS\]\n/u)])
})

/** Words of what the README shows of the demo that the demo does not print. */
function notPrinted(said: string): readonly string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, shown = ''] = /```text\n([\s\S]*?)```/u.exec(readme) ?? []
  const flat = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()
  const lines = shown.split('\n').filter((line) => /^\w+\/\w|^\d+ analyses/u.test(line))
  return lines.map((line) => flat(line.replace(/ in \S+$/u, ''))).filter((line) => !flat(said).includes(line))
}

/** The demo, with nobody before it: it ends without opening the view. */
function demo(
  args: readonly string[] = nightly ? [] : ['--count', '10'],
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=touchstone-source', 'scripts/demo.ts', ...args], {
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
