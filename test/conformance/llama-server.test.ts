import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCompletions } from '../../src/models/scoring/index.ts'

/** llama.cpp's server itself, where TOUCHSTONE_LLAMA_SERVER names it, against torch's log-probabilities of a small file. */
const models = join(process.env['TOUCHSTONE_SHARED'] ?? '../shared', 'lm/models')
const file = join(models, 'qwen2b.gguf')
const binary = process.env['TOUCHSTONE_LLAMA_SERVER'] ?? ''
const ready = existsSync(file) && binary !== ''

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

describe.skipIf(!ready)('llama-server (skipped where TOUCHSTONE_LLAMA_SERVER names none)', () => {
  let server: ChildProcess
  let baseUrl: string
  beforeAll(async () => {
    const port = await freePort()
    baseUrl = `http://127.0.0.1:${port}/v1`
    // In single precision its numbers do not depend on what was asked before.
    const exact = ['-fa', 'off', '-ctk', 'f32', '-ctv', 'f32']
    server = spawn(binary, ['-m', file, '--host', '127.0.0.1', '--port', String(port), '-c', '1024', ...exact], {
      stdio: 'ignore',
    })
    const healthy = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await healthy())) await sleep(50)
  })
  afterAll(() => {
    server.kill('SIGKILL')
  })

  it('scores given strings as torch does, within 1e-4 nats', async () => {
    const { text, logp } = JSON.parse(readFileSync(join(models, 'qwen2b.ref.json'), 'utf8')) as {
      text: string
      logp: number[]
    }
    const model = openCompletions('qwen2b', { baseUrl })
    for (const cut of [1, 21]) {
      const [tokens = []] = await model.score([{ context: text.slice(0, cut), text: text.slice(cut) }])
      expect(tokens).toHaveLength(text.length - cut)
      for (const [i, token] of tokens.entries()) expect(Math.abs(token.logprob - logp[cut - 1 + i]!)).toBeLessThan(1e-4)
    }
  })

  it('scores strings up to the end of its context, and refuses longer ones at once', async () => {
    const props = (await (await fetch(baseUrl.replace('/v1', '/props'))).json()) as {
      default_generation_settings: { n_ctx: number }
    }
    const { n_ctx: size } = props.default_generation_settings
    const model = openCompletions('qwen2b', { baseUrl })
    const of = (tokens: number) => model.score([{ context: '1'.repeat(tokens - 2), text: '23' }])
    expect((await of(size))[0]).toHaveLength(2)
    await expect(of(size + 1)).rejects.toThrow(`${size + 1} tokens with its context, and the server reads ${size}`)
  })

  it('scores characters that are spread over tokens', async () => {
    const model = openCompletions('qwen2b', { baseUrl })
    const text = 'é日本 x\n'
    const [tokens = []] = await model.score([{ context: '\nabc\n', text }])
    expect(tokens.map((token) => token.text).join('')).toBe(text)
    expect(tokens).toHaveLength(Buffer.byteLength(text))
  })
})
