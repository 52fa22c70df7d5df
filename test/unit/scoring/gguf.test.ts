import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GgufOptions, openGguf } from '../../../src/models/scoring/index.ts'

/** A library of the same interface: a byte a token, logits that depend on every token before, and a log of its calls. */
const library = `
export const LlamaLogLevel = { error: 'error' }
export const calls = globalThis.llamaCalls
const logit = (before, token) => 2 * Math.sin(before.reduce((sum, t, i) => sum + t * (i + 1), 0) + 3 * token)
const sequence = () => {
  let held = []
  return {
    get contextTokens() { return held },
    async eraseContextTokenRanges(ranges) {
      calls.push(['erase', ranges])
      held = held.filter((_, i) => !ranges.some(({ start, end }) => start <= i && i < end))
    },
    async controlledEvaluate(input) {
      calls.push(['evaluate', input.length])
      return input.map((one) => {
        const [token, asked] = Array.isArray(one) ? one : [one]
        held = [...held, token]
        if (asked === undefined) return undefined
        const all = Array.from({ length: 256 }, (_, t) => [t, logit(held, t)])
        const most = all.reduce((a, b) => (b[1] > a[1] ? b : a))
        const wanted = asked.generateNext.logits.filter.tokens
        const logits = new Map([...all.filter(([t]) => wanted.includes(t)), most])
        const totalLogitWeight = all.reduce((sum, [, v]) => sum + Math.exp(v - most[1]), 0)
        return { next: { logits, totalLogitWeight } }
      })
    },
  }
}
export const getLlama = async (options) => (calls.push(['llama', options]), {
  async loadModel(options) {
    calls.push(['model', options])
    return {
      tokens: { bos: 1, shouldPrependBosToken: globalThis.llamaBegins },
      tokenize: (text) => [...(globalThis.llamaSpaces ? [32] : []), ...Buffer.from(text)],
      detokenize: (tokens) => Buffer.from(tokens).toString().replaceAll('#', ' #'),
      async createContext(options) {
        calls.push(['context', options])
        return { contextSize: options.contextSize, getSequence: sequence, async dispose() { calls.push(['closed', 'context']) } }
      },
      async dispose() { calls.push(['closed', 'model']) },
    }
  },
  async dispose() { calls.push(['closed', 'llama']) },
})
`
const logit = (before: readonly number[], token: number) =>
  2 * Math.sin(before.reduce((sum, t, i) => sum + t * (i + 1), 0) + 3 * token)
/** By definition, over all tokens. */
function logprobs(context: string, text: string): number[] {
  const before = [1, ...Buffer.from(context)]
  return [...Buffer.from(text)].map((token) => {
    const total = Array.from({ length: 256 }, (_, t) => Math.exp(logit(before, t))).reduce((a, b) => a + b)
    const found = logit(before, token) - Math.log(total)
    before.push(token)
    return found
  })
}

const calls: [name: string, value: unknown][] = []
const folder = mkdtempSync(join(tmpdir(), 'touchstone-gguf-'))
const file = join(folder, 'model.gguf')
const open = (gguf: GgufOptions = {}) => openGguf(file, { modules: folder, ...gguf })
const said = (name: string) => calls.filter(([one]) => one === name).map(([, value]) => value)

beforeAll(() => {
  Object.assign(globalThis, { llamaCalls: calls })
  const at = join(folder, 'node_modules/node-llama-cpp')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'node-llama-cpp', type: 'module', main: 'index.js' }))
  writeFileSync(join(at, 'index.js'), library)
  writeFileSync(file, '')
})
beforeEach(() => {
  calls.length = 0
  Object.assign(globalThis, { llamaBegins: true, llamaSpaces: false })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a GGUF file', () => {
  it('that is not there, or without its library, is missing in words', async () => {
    await expect(openGguf(`${folder}/none`)).rejects.toThrow(/no GGUF file at/)
    const without = mkdtempSync(join(tmpdir(), 'touchstone-gguf-'))
    await expect(open({ modules: without })).rejects.toThrow(/optional package node-llama-cpp.*Cannot find module/)
    rmSync(without, { recursive: true })
  })

  it('gives the log-probabilities that the definition gives, after any context, in any order', async () => {
    const model = await open()
    const requests = [
      { context: 'ab\n', text: 'cd\n' },
      { context: 'ab\n', text: 'c' },
      { context: 'ab\nx', text: 'cd\n' },
      { context: 'a', text: 'ab\nabc' },
      { context: '', text: 'q' },
      { context: 'ab\n', text: 'cd\n' },
    ]
    const found = await model.score(requests)
    for (const [i, { context, text }] of requests.entries()) {
      expect(found[i]?.map((token) => token.text).join('')).toBe(text)
      for (const [j, wanted] of logprobs(context, text).entries()) expect(found[i]?.[j]?.logprob).toBeCloseTo(wanted, 9)
    }
  })

  it('is not read again where two contexts begin alike', async () => {
    const model = await open()
    const context = 'abcdefgh'.repeat(20)
    await model.score([{ context, text: 'xy' }])
    await model.score([{ context, text: 'zw' }])
    expect(said('evaluate')).toEqual([64, 64, 32, 2, 2])
    expect(said('erase')).toEqual([[{ start: 160, end: 162 }]])
  })

  it('begins a string without context, though its tokenizer puts nothing first', async () => {
    Object.assign(globalThis, { llamaBegins: false })
    const [found] = await (await open()).score([{ context: '', text: 'q' }])
    expect(found?.[0]?.logprob).toBeCloseTo(logprobs('', 'q')[0] as number, 9)
  })

  it('holds 4096 tokens in one thread unless told otherwise, on the processor', async () => {
    await open()
    await open({ contextSize: 8, threads: 3 })
    expect(said('context')).toEqual([
      { contextSize: 4096, batchSize: 4096, sequences: 1, threads: 1 },
      { contextSize: 8, batchSize: 8, sequences: 1, threads: 3 },
    ])
    expect(said('llama')[0]).toMatchObject({ gpu: false, build: 'never', skipDownload: true })
    expect(said('model')[0]).toEqual({ modelPath: file, gpuLayers: 0 })
  })

  it('says so when a string does not fit, to the token', async () => {
    const model = await open({ contextSize: 8 })
    expect(await model.score([{ context: 'abcde', text: 'fg' }])).toHaveLength(1)
    await expect(model.score([{ context: 'abcdef', text: 'fg' }])).rejects.toThrow(/have 9 tokens, the context holds 8/)
  })

  it('says so when its tokenizer spells a string in another way', async () => {
    const model = await open()
    await expect(model.score([{ context: 'a', text: '#' }])).rejects.toMatchObject({ fault: 'boundary' })
  })

  it('scores every byte of characters that are spread over tokens', async () => {
    const [found] = await (await open()).score([{ context: 'ab\n', text: 'é€x' }])
    expect(found?.map(({ text }) => text).join('')).toBe('é€x')
    const wanted = logprobs('ab\n', 'é€x')
    expect(found).toHaveLength(wanted.length)
    for (const [i, token] of (found ?? []).entries()) expect(token.logprob).toBeCloseTo(wanted[i]!, 9)
  })

  it('scores the string that is given where its tokenizer puts a space before every text', async () => {
    Object.assign(globalThis, { llamaSpaces: true })
    const [found] = await (await open()).score([{ context: 'ab\n', text: '645 é\n' }])
    expect(found?.map(({ text }) => text).join('')).toBe('645 é\n')
    // The space before the context is the model's own way to begin.
    const wanted = logprobs(' ab\n', '645 é\n')
    for (const [i, token] of (found ?? []).entries()) expect(token.logprob).toBeCloseTo(wanted[i]!, 9)
  })

  it('stops between two strings, and closes all that it opened', async () => {
    const model = await open()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(model.score([{ context: 'a', text: 'b' }], signal)).rejects.toThrow('enough')
    expect(said('evaluate')).toEqual([])
    await model.close?.()
    expect(said('closed')).toEqual(['context', 'model', 'llama'])
  })
})
