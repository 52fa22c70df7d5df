import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRun, executeRun, openRun, readExperiment } from '../../src/runner/index.ts'
import { loadFrames } from '../../src/store/index.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { faultMix } from '../mock/faults.ts'
import { rightAnswer } from '../mock/parity.ts'
import { type Mock, startMock } from '../mock/server.ts'
import { sample } from '../nightly.ts'

const main = fileURLToPath(new URL('../mock/run-main.ts', import.meta.url))
const root = process.getuid?.() === 0
const HOSTILE = sample({ nightly: 200, otherwise: 100 })
/** More than a small disk holds the plan of. */
const PLANNED = sample({ nightly: 12_000, otherwise: 6000 })

let folder: string
const cleaning: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  const made = await scratch()
  folder = made.folder
  cleaning.push(made.remove)
})
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

async function mocked(options: Parameters<typeof startMock>[0] = {}): Promise<Mock> {
  const mock = await startMock({ answer: rightAnswer, ...options })
  cleaning.push(() => mock.close())
  return mock
}

async function runProcess(
  args: readonly string[],
  wrap: readonly string[] = [],
): Promise<{ code: number | null; out: string; err: string }> {
  const [command = '', ...rest] = [...wrap, process.execPath, main, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    err += piece
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** A file system of so many megabytes; false where none can be made. */
function mount(path: string, megabytes: number): boolean {
  if (!root) return false
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0
  if (made) cleaning.push(() => Promise.resolve(spawnSync('umount', ['-l', path])))
  return made
}
const remount = (path: string, options: string): void => {
  spawnSync('mount', ['-o', `remount,${options}`, path])
}

describe('a full disk', () => {
  it('is named with what to do; every answer that came is saved; the run goes on when there is room', async ({
    skip,
  }) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mount(disk, 8)) skip('a small file system can be mounted by root only')
    const mock = await mocked({ latency: 5 })
    const args = ['--dir', join(disk, 'run'), '--url', mock.url, '--count', '3000']
    const first = await runProcess(args)
    expect(first.err).toMatch(/no space left on the device; free some space and run the same command again/u)
    expect(first.err).not.toMatch(/could not be saved/u)
    expect(first.code).toBe(1)
    const answered = mock.books.filter((entry) => entry.answered).length
    expect(answered).toBeGreaterThan(100)
    expect(answered).toBeLessThan(3000)

    remount(disk, 'size=64m')
    const second = await runProcess(args)
    expect(second.err).toBe('')
    expect(second.code).toBe(0)
    expect(second.out).toContain('"done":3000')
    // Nothing was asked twice.
    expect(mock.books.length).toBe(3000)
  })

  it('while the run is made leaves a message, not a wreck', async ({ skip }) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mount(disk, 1)) skip('a small file system can be mounted by root only')
    const args = ['--dir', join(disk, 'run'), '--count', String(PLANNED), '--model', 'baseline:exact']
    const { code, err } = await runProcess(args)
    expect(err).toMatch(/no space left on the device/u)
    expect(code).toBe(1)
    remount(disk, 'size=200m')
    const again = await runProcess(args)
    expect(again.err).toBe('')
    expect(again.out).toContain(`"done":${PLANNED}`)
  })
})

describe('a folder that cannot be written', () => {
  it('is named when a run is to be made in it', async ({ skip }) => {
    const locked = join(folder, 'locked')
    await mkdir(locked)
    await chmod(folder, 0o755)
    await chmod(locked, 0o555)
    const wrap = root ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
    if (root && spawnSync('setpriv', ['--version']).status !== 0) skip('root writes everywhere, and setpriv is absent')
    const { code, err } = await runProcess(['--dir', join(locked, 'run')], wrap)
    expect(err).toMatch(/locked.*: cannot be written; choose another folder or change its permissions/u)
    expect(code).toBe(1)
  })

  it('can still be read and reported on', async ({ skip }) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (!mount(disk, 16)) skip('a file system can be mounted by root only')
    const dir = join(disk, 'run')
    const run = await createRun(
      { experiment: readExperiment('items: { task: mock/parity, preset: small }\nmodels: ["baseline:exact"]'), dir },
      mockContext(),
    )
    await executeRun(run)
    await run[Symbol.asyncDispose]()
    remount(disk, 'ro')
    const read = await openRun(dir, mockContext(), { mode: 'read' })
    expect(await read.ledger.counts()).toMatchObject({ done: 100 })
    expect((await loadFrames(read)).length).toBe(100)
    await read[Symbol.asyncDispose]()
    await expect(openRun(dir, mockContext(), { mode: 'write' })).rejects.toMatchObject({
      kind: 'store',
      code: 'read-only',
    })
  })
})

describe('two processes on one run', () => {
  it('the second is told who holds it, and the first goes on', async () => {
    // A hundred calls at once: the first goes on for some seconds.
    const mock = await mocked({ latency: 1000 })
    const args = ['--dir', join(folder, 'run'), '--url', mock.url, '--count', '400']
    const first = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(first.stdout, 'data')
    const second = await runProcess(args)
    expect(second.code).toBe(1)
    expect(second.err).toMatch(
      new RegExp(`process ${first.pid} on \\S+, since \\d{4}-\\d\\d-\\d\\dT.* is working on this run`, 'u'),
    )
    const [code] = (await once(first, 'close')) as [number | null]
    expect(code).toBe(0)
    expect(mock.books.length).toBe(400)
  })
})

describe('a clock that jumps', () => {
  it('changes nothing: no cell is asked twice, no duration is negative, nothing times out', async () => {
    const mock = await mocked({ latency: 5 })
    const context = mockContext()
    const yaml = `items: { task: mock/parity, preset: endless, count: 300 }\nmodels: [{ model: "openai-compatible:m", baseUrl: "${mock.url}" }]`
    const run = await createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, context)
    const real = Date.now.bind(Date)
    let calls = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + (calls++ % 3) * 400 * 24 * 3600 * 1000 - 3e10)
    try {
      expect((await executeRun(run)).counts).toMatchObject({ done: 300, failed: 0 })
    } finally {
      clock.mockRestore()
    }
    expect(mock.books.length).toBe(300)
    const seconds = (await loadFrames(run)).frame('strict')?.number('seconds') ?? []
    expect([...seconds].every((value) => value >= 0 && value < 60)).toBe(true)
    await run[Symbol.asyncDispose]()
  })
})

describe('secrets', () => {
  it('planted in the environment, headers, URLs, errors and answers never reach the disk', async () => {
    const secrets = ['sk-live-1234567890abcdef', 'hunter2hunter2', 'query-secret-0987654321', 'token-in-env-555555']
    // A server that says back everything it was told, in answers, errors and headers.
    const server = createServer((request, response) => {
      const told = JSON.stringify({ headers: request.headers, url: request.url, secrets })
      let n = 0
      request.on('data', (piece: Buffer) => {
        n += piece.length
      })
      request.on('end', () => {
        const headers = { 'content-type': 'application/json', 'x-request-id': `id ${secrets[0]}` }
        if (n % 3 === 0) {
          response.writeHead(500, headers)
          response.end(told)
          return
        }
        response.writeHead(200, headers)
        const message = { role: 'assistant', content: `Yes ${told}`, reasoning_content: told }
        response.end(
          JSON.stringify({
            id: told,
            object: 'chat.completion',
            created: 1,
            model: told,
            choices: [{ index: 0, message, finish_reason: 'stop' }],
          }),
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleaning.push(
      () =>
        new Promise((resolve) => {
          server.close(resolve)
          server.closeAllConnections()
        }),
    )
    const { port } = server.address() as AddressInfo
    const env = {
      MY_KEY: secrets[0] as string,
      MY_SERVER: `http://user:${secrets[1]}@127.0.0.1:${port}/v1?api_key=${secrets[2]}&path=`,
      GITHUB_TOKEN: secrets[3] as string,
    }
    const context = mockContext({ env })
    const yaml = `
items: { task: mock/parity, preset: endless, count: 60, style: [plain, polite] }
models: [{ model: "openai-compatible:m", apiKeyEnv: MY_KEY, baseUrlEnv: MY_SERVER }]
limits: { retries: 1 }
`
    const dir = join(folder, 'run')
    const run = await createRun({ experiment: readExperiment(yaml), dir }, context)
    const { counts } = await executeRun(run, { random: () => 0 })
    expect(counts.done).toBeGreaterThan(0)
    // While it is open (with its log) and when it is closed.
    await cp(dir, join(folder, 'open'), { recursive: true })
    await run[Symbol.asyncDispose]()
    let bytes = 0
    for (const place of [join(folder, 'open'), dir])
      for (const name of await readdir(place, { recursive: true })) {
        const content = await readFile(join(place, name)).catch(() => Buffer.alloc(0))
        bytes += content.length
        for (const secret of [...secrets, `user:${secrets[1]}`])
          for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
            expect(content.includes(form), `${name} holds ${form}`).toBe(false)
      }
    expect(bytes).toBeGreaterThan(10_000)
    const file = await readFile(join(dir, 'run.json'), 'utf8')
    expect(file).toContain('MY_KEY')
  })
})

describe('a hostile provider', () => {
  it('with every fault at once ends with one response a cell, but for what was too large, and bounded memory', async () => {
    const mock = await mocked({ mix: { ...faultMix(0.4), huge: 0.03, 'huge-chunked': 0.03 }, seed: 'hostile' })
    const yaml = `
items: { task: mock/parity, preset: endless, count: ${HOSTILE} }
models: [{ model: "openai-compatible:m", baseUrl: "${mock.url}" }]
limits: { timeout: 1, retries: 30 }
`
    const run = await createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, mockContext())
    const { counts } = await executeRun(run, { random: () => 0.02 })
    const huge = mock.books.filter(({ behaviour }) => behaviour.startsWith('huge')).length
    // On a busy machine one may be given up at the time limit before it is found too large; that is tried again.
    expect(counts.failed).toBeGreaterThan(0)
    expect(counts.failed).toBeLessThanOrEqual(huge)
    expect(counts.done).toBe(HOSTILE - counts.failed)
    expect(run.ledger.failures().map(({ code }) => code)).toEqual(['too-large'])
    const [sums] = run.ledger.query(
      "SELECT COUNT(*) AS attempts, SUM(status = 'ok') AS ok, SUM(status = 'failed') AS failed FROM attempt",
    )
    const attempts = mock.books.length
    expect(sums).toMatchObject({ attempts, ok: counts.done, failed: attempts - counts.done })
    await run[Symbol.asyncDispose]()
  })
})
