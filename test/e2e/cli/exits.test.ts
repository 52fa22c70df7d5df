import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ledger, lockHolder, noRedaction } from '../../../src/store/index.ts'
import { type Mock, startMock } from '../../mock/server.ts'
import { nightly } from '../../nightly.ts'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const root = join(import.meta.dirname, '../../..')
const command = `${process.execPath} --conditions=touchstone-source ${join(root, 'src/cli/main.ts')}`

let folder: ReturnType<typeof scratch>
let mock: Mock
beforeEach(async () => {
  folder = scratch()
  mock = await startMock({ latency: 150 })
})
afterEach(async () => {
  await mock.close()
  folder.remove()
})

const runArgs = (): string =>
  `run recoglab/comparison --preset people --count 60 --model openai-compatible:m --base-url ${mock.url} --concurrency 4 --out ${folder.path('run')}`

/** A shell line in a group of its own, as a terminal has it. */
const shell = (line: string): ChildProcess =>
  spawn('bash', ['-c', line], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })

async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(what()).toBe(true)
}

async function saved(): Promise<number> {
  const dir = folder.path('run')
  expect(lockHolder(join(dir, 'run.lock'))).toBeNull()
  const ledger = new Ledger(join(dir, 'ledger.db'), {
    readOnly: true,
    redact: { known: noRedaction, shapes: noRedaction },
  })
  const { responses } = ledger.sizes()
  expect(await ledger.counts()).toMatchObject({ leased: 0 })
  await ledger[Symbol.asyncDispose]()
  return responses
}

const answered = (): number => mock.books.filter((entry) => entry.answered).length

describe('a run whose reader goes away', () => {
  it('by Ctrl-C with a pipe behind it: all that was answered is saved', async () => {
    const child = shell(`${command} ${runArgs()} 2>&1 | tee ${folder.path('log')}`)
    await until(() => answered() >= 8)
    // A terminal sends it to the whole group: tee is gone at once.
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await once(child, 'exit')
    await until(() => lockHolder(join(folder.path('run'), 'run.lock')) === null)
    expect(await saved()).toBe(answered())
    expect(answered()).toBeLessThan(60)
  }, 60_000)

  // The interrupts above and below are SIGINT, and the second signal below is SIGTERM.
  it.each(nightly ? (['SIGHUP', 'SIGTERM', 'SIGINT'] as const) : (['SIGHUP'] as const))(
    'by %s: the same',
    async (signal) => {
      const child = spawn(
        process.execPath,
        ['--conditions=touchstone-source', join(root, 'src/cli/main.ts'), ...runArgs().split(' ')],
        {
          stdio: 'ignore',
        },
      )
      await until(() => answered() >= 8)
      child.kill(signal)
      const [code] = (await once(child, 'exit')) as [number | null]
      expect(code).toBe(130)
      expect(await saved()).toBe(answered())
      expect(answered()).toBeLessThan(60)
    },
    60_000,
  )

  it('by `| true` and `| head`: goes on to its own end', async () => {
    const code = folder.path('code')
    const child = shell(`(${command} ${runArgs()} 2>&1; echo $? > ${code}) | true`)
    await once(child, 'exit')
    await until(() => existsSync(code) && readFileSync(code, 'utf8') !== '')
    expect(readFileSync(code, 'utf8').trim()).toBe('0')
    expect(await saved()).toBe(answered())
    expect(answered()).toBeGreaterThan(30)
  }, 60_000)
})

/** A command without a shell around it, with what it prints on stderr kept. */
function bare(env: { readonly [name: string]: string } = {}): { child: ChildProcess; stderr: () => string } {
  const child = spawn(
    process.execPath,
    ['--conditions=touchstone-source', join(root, 'src/cli/main.ts'), ...runArgs().split(' ')],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  )
  let stderr = ''
  child.stderr?.on('data', (data: Buffer) => {
    stderr += data.toString()
  })
  return { child, stderr: () => stderr }
}

const hasScript = spawnSync('script', ['--version']).status === 0

describe('a run that is ended in another way', () => {
  it.skipIf(!hasScript)(
    'by a terminal that is dropped: all that was answered is saved',
    async () => {
      // `script` makes a terminal; killed, it takes the terminal with it.
      const code = folder.path('code')
      const terminal = spawn('script', ['-qc', `${command} ${runArgs()}; echo $? > ${code}`, '/dev/null'], {
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      await until(() => answered() >= 8)
      terminal.kill('SIGKILL')
      await once(terminal, 'exit')
      await until(() => lockHolder(join(folder.path('run'), 'run.lock')) === null)
      expect(await saved()).toBe(answered())
      expect(answered()).toBeLessThan(60)
    },
    60_000,
  )

  // Above, the reader of both is gone.
  const unread = [['a stderr whose reader is gone', '2>&1 >/dev/null | true']] as const
  it.each([...(nightly ? unread : []), ['stdout and stderr closed', '>&- 2>&-'] as const])(
    'with %s: goes on to its own end',
    async (_, redirection) => {
      const code = folder.path('code')
      const [before, after = ''] = redirection.split('|')
      const child = shell(`(${command} ${runArgs()}; echo $? > ${code}) ${before} ${after === '' ? '' : `| ${after}`}`)
      await once(child, 'exit')
      await until(() => existsSync(code) && readFileSync(code, 'utf8') !== '')
      expect(readFileSync(code, 'utf8').trim()).toBe('0')
      expect(await saved()).toBe(60)
    },
    60_000,
  )

  it('by an exception from nowhere: all that was answered is saved, and the exit code says failed', async () => {
    const bomb = 'process.on("SIGUSR2", () => { throw new Error("out of the blue") })'
    const { child, stderr } = bare({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}` })
    await until(() => answered() >= 8)
    child.kill('SIGUSR2')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(1)
    expect(stderr()).toContain('out of the blue')
    expect(await saved()).toBe(answered())
    expect(answered()).toBeLessThan(60)
  }, 60_000)

  it('by a second signal: calls under way are dropped at once, and wait to be asked again', async () => {
    await mock.close()
    mock = await startMock({ behave: ({ number }) => (number < 8 ? 'right' : 'silent') })
    const { child, stderr } = bare()
    await until(() => mock.requests >= 12)
    child.kill('SIGINT')
    await until(() => /stopping/u.test(stderr()))
    child.kill('SIGTERM')
    // The calls would wait for ten minutes, which is more than this test may take.
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(130)
    expect(await saved()).toBe(8)
  }, 60_000)
})

describe('an output that cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))(
    'is a failure: the disk behind it is full',
    async () => {
      const child = shell(`${command} list --json > /dev/full`)
      const [code] = (await once(child, 'exit')) as [number | null]
      expect(code).toBe(1)
    },
    60_000,
  )
})

describe('a check whose reader goes away', () => {
  it('still fails on what is wrong', async () => {
    const out = folder.path('set')
    const asked = ['recoglab/comparison', '--preset', 'people', '--count', '5', '--format', 'jsonl']
    await touchstone(['generate', ...asked, '--out', out])
    const items = readdirSync(out).find((name) => name.startsWith('items-')) ?? ''
    const text = readFileSync(join(out, items), 'utf8')
    writeFileSync(join(out, items), text.replace(/"answer":("[^"]*"|true|false)/u, '"answer":"forged"'))
    const code = folder.path('code')
    const child = shell(`(${command} verify ${out}; echo $? > ${code}) | true`)
    await once(child, 'exit')
    await until(() => existsSync(code) && readFileSync(code, 'utf8') !== '')
    expect(readFileSync(code, 'utf8').trim()).toBe('1')
  }, 60_000)
})
