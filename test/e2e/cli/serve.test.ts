import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

const root = join(import.meta.dirname, '../../..')
const folder = scratch()
afterAll(folder.remove)

const bin = folder.path('bin')
mkdirSync(bin)
const launcher = `#!/bin/sh\nexec "${process.execPath}" --conditions=touchstone-source "${root}/src/cli/main.ts" "$@"\n`
writeFileSync(join(bin, 'touchstone'), launcher, { mode: 0o755 })

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('python3 is not there: the commands of docs/serve.md are not run')

/** The commands of a page, in their order. */
const commandsOf = (page: string): string =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, code]) => code).join('\n')

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Runs commands as a reader would, with this repository's `touchstone`; what they leave running is stopped. */
async function shell(
  commands: string,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const port = await freePort()
  const script = `set -euo pipefail
export PATH="${bin}:$PATH"
trap 'jobs -p | xargs -r kill; wait' EXIT
cd "${folder.path('.')}"
${commands.replaceAll(':8000', `:${port}`).replaceAll('--port 8000', `--port ${port}`)}`
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString()
    })
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

describe.skipIf(!hasPython)('docs/serve.md', () => {
  it('has commands that do what it says', async () => {
    const { code, out, err } = await shell(commandsOf('docs/serve.md'))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('{"status":"healthy"}')
    expect(out.match(/unparsed 0 .+ None$/gmu)).toHaveLength(2)
    expect(out).toMatch(/\{"line":1,"id":1,"status":"(?:graded|unparsed)","reward":0,/u)
  }, 60_000)
})

describe('grade', () => {
  const asked = { task: 'recoglab/comparison', preset: 'people', split: 'test', seed: '7', index: 3 }
  const line = (more: object): string => JSON.stringify({ ...asked, ...more })
  const file = (name: string, text: string): string => {
    writeFileSync(folder.path(name), text)
    return name
  }

  it('judges no answer that was left out, reads a file with a byte order mark, and says what is wrong with a line', async () => {
    const lines = [
      line({ id: 1, text: 'Answer: Yes' }),
      line({ id: 2, completion: 'Answer: Yes' }),
      line({ text: '', finish: 'length' }),
    ]
    const marked = file('marked.jsonl', `\ufeff${lines.join('\r\n')}`)
    const { code, stdout } = await touchstone(['analyze', 'score', folder.path(marked)])
    const [first, second, third] = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { reward: unknown; error: unknown })
    expect(code).toBe(1)
    expect(first).toMatchObject({ id: 1, error: null })
    expect(second).toMatchObject({
      id: 2,
      reward: null,
      error: { code: 'bad-line', message: expect.stringContaining('text: missing') as unknown },
    })
    expect(third).toMatchObject({ reward: null, error: { message: expect.stringContaining('finish: ') as unknown } })
  }, 60_000)

  it('goes on to its own end where nobody reads any longer, and names a folder', async () => {
    const many = file('many.jsonl', `${line({ text: 'Answer: Yes' })}\n`.repeat(3000))
    const { code, err } = await shell(`touchstone analyze score ${many} | true`)
    expect([code, err]).toEqual([0, ''])
    const wrong = await touchstone(['analyze', 'score', folder.path('.')])
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is a folder; give a file')])
  }, 60_000)
})

describe('serve', () => {
  it('stops at a signal, keeps tokens beyond its end, and refuses a port that is taken', async () => {
    const { code, out, err } = await shell(`
export TOUCHSTONE_SECRET=0123456789abcdef0123456789abcdef
start() { touchstone serve --port 8000 --threads 1 > serve.out 2> serve.err & server=$!; until curl -sf http://127.0.0.1:8000/health > /dev/null; do sleep 0.1; done; }
ask() { curl -s "http://127.0.0.1:8000$1" -H 'content-type: application/json' -d "$2"; }
start
ask /v1/items '{"task": "recoglab/comparison", "preset": "people"}' > first.json
if touchstone serve --port 8000 > /dev/null 2> taken.err; then exit 9; else echo "taken $?"; fi
kill -TERM $server; wait $server && echo "ended $?"
start
ask /v1/items '{"task": "recoglab/comparison", "preset": "people"}' | cmp - first.json && echo same
token=$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/' first.json)
ask /v1/score "{\\"items\\": [{\\"token\\": \\"$token\\", \\"text\\": \\"nobody\\"}]}"
`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('taken 2\nended 0\nsame\n')
    expect(out).toContain('"error":null')
    expect(readFileSync(folder.path('taken.err'), 'utf8')).toContain('cannot listen at')
  }, 60_000)

  it.each([
    ['a short secret', [], { TOUCHSTONE_SECRET: 'short' }, 'at least 16 bytes'],
    ['an empty key', ['--api-key-env', 'NO_SUCH_VARIABLE'], {}, 'NO_SUCH_VARIABLE is not set'],
    ['a task that there is not', ['--task', 'relic/recognise'], {}, 'did you mean "relic/recognize"'],
  ] as const)('is refused %s', async (_, args, env, told) => {
    const { code, stderr } = await touchstone(['serve', '--port', '0', ...args], env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)])
  })
})
