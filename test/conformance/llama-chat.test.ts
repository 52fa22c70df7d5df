import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../src/models/index.ts'
import { openLlama } from '../../src/models/providers/llama.ts'
import { parityCall } from '../contract/parity-call.ts'

/** Chat with a small GGUF file that knows no language: what is tested is the way there and back. */
const file = join(process.env['TOUCHSTONE_SHARED'] ?? '../shared', 'lm/models/qwen2b.gguf')
const modules = resolve(process.env['TOUCHSTONE_LLAMA'] ?? 'tools/llama')
const ready = existsSync(file) && existsSync(join(modules, 'node_modules/node-llama-cpp'))
if (!ready) console.warn('llama: is not tested here: node-llama-cpp or the model file is absent')

const asking = (content: string, settings: object = {}) =>
  parityCall(0, { request: { kind: 'chat', messages: [{ role: 'user', content }] }, settings })
const signal = new AbortController().signal

describe.skipIf(!ready)('llama: a GGUF file that chats', () => {
  let model: Model
  beforeAll(async () => {
    model = await openLlama(file, { modules, contextSize: 1024 })
  })
  afterAll(() => model.close?.())

  it('says the same to the same, whatever came between, and counts tokens', async () => {
    const first = await model.call(asking('123123', { maxTokens: 20 }), signal)
    await model.call(asking('something else', { maxTokens: 5 }), signal)
    expect(await model.call(asking('123123', { maxTokens: 20 }), signal)).toEqual(first)
    expect(first).toMatchObject({ kind: 'answer', finish: 'truncated', reasoning: null, usage: { outputTokens: 20 } })
    expect(first.kind === 'answer' && first.usage.inputTokens).toBeGreaterThan(6)
  })

  it('draws by its seed where there is a temperature', async () => {
    const text = async (seed: number): Promise<string> => {
      const reply = await model.call(asking('123123', { maxTokens: 20, temperature: 1, seed }), signal)
      return reply.kind === 'answer' ? reply.text : reply.message
    }
    expect(await text(1)).toBe(await text(1))
    expect(await text(1)).not.toBe(await text(2))
  })

  it('never forgets the beginning of a prompt: what does not fit is told', async () => {
    const fits = await model.call(asking('1'.repeat(900), { temperature: 1, seed: 1 }), signal)
    expect(fits.kind).toBe('answer')
    const long = await model.call(asking('1'.repeat(2000)), signal)
    expect(long).toMatchObject({ kind: 'failure', code: 'too-long', free: true, retry: 'never' })
  })

  it('is broken off in the middle of an answer, and answers the next call as if nothing had been', async () => {
    const call = asking('123123', { maxTokens: 900, temperature: 1, seed: 3 })
    const before = await model.call(asking('123123', { maxTokens: 9 }), signal)
    const stop = new AbortController()
    const broken = model.call(call, stop.signal)
    const queued = model.call(call, stop.signal)
    setTimeout(() => stop.abort(new DOMException('stop', 'AbortError')), 30)
    expect(await broken).toMatchObject({ kind: 'failure', code: 'aborted' })
    expect(await queued).toMatchObject({ kind: 'failure', code: 'aborted' })
    expect(await model.call(asking('123123', { maxTokens: 9 }), signal)).toEqual(before)
  })

  it('leaves given strings to gguf:', async () => {
    const reply = await model.call(parityCall(0, { request: { kind: 'score', context: 'a', text: 'b' } }), signal)
    expect(reply).toMatchObject({ kind: 'failure', code: 'not-supported' })
  })
})
