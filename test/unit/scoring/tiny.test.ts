import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { streamFromKey } from '../../../src/core/index.ts'
import {
  openScoringModel,
  readWeights,
  shippedWeights,
  tuneHead,
  writeWeights,
} from '../../../src/models/scoring/index.ts'
import { TinyTransformer } from '../../../src/models/scoring/tiny/transformer.ts'
import reference from './tiny.ref.json' with { type: 'json' }

describe('the tiny transformer', () => {
  it('equals the reference log-probabilities of torch within 1e-4', async () => {
    const model = await openScoringModel('tiny')
    const [tokens] = await model.score([{ context: reference.text[0] as string, text: reference.text.slice(1) }])
    expect(tokens).toHaveLength(reference.logp.length)
    for (const [i, token] of (tokens ?? []).entries())
      expect(Math.abs(token.logprob - (reference.logp[i] as number))).toBeLessThan(1e-4)
  })

  it('is a proper distribution over bytes', async () => {
    const model = new TinyTransformer(await shippedWeights())
    for (const byte of Buffer.from('\n1234\n')) {
      model.read(byte)
      expect(model.logprobs?.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 10)
    }
  })

  it('scores a string the same whatever it read before', async () => {
    const fresh = await openScoringModel('tiny')
    const used = await openScoringModel('tiny')
    const context = `\n${'12345\n'.repeat(60)}`
    await used.score([
      { context: '', text: 'abc' },
      { context, text: '12345\n' },
      { context: context.slice(0, 100), text: '54321\n' },
    ])
    const request = { context: context.slice(0, 70), text: '1234x\n' }
    expect(await used.score([request])).toEqual(await fresh.score([request]))
  })

  it('gives one token a character, of however many bytes', async () => {
    const model = await openScoringModel('tiny')
    const [tokens] = await model.score([{ context: '\n', text: 'aé✓\n' }])
    expect(tokens?.map((t) => t.text)).toEqual(['a', 'é', '✓', '\n'])
  })

  it('learns in context: a repeated string becomes likely', async () => {
    const model = await openScoringModel('tiny')
    const nats = async (context: string) => {
      const [tokens] = await model.score([{ context, text: '7315926\n' }])
      return -(tokens ?? []).reduce((sum, t) => sum + t.logprob, 0)
    }
    expect(await nats(`\n${'7315926\n'.repeat(6)}`)).toBeLessThan(0.4 * (await nats('\n')))
  })
})

describe('tuning the output layer', () => {
  const strings = ['731592', '731529', '317592', '317529'].flatMap((s) => [s, s])
  const loss = async (spec: string) => {
    const model = await openScoringModel(spec)
    const scored = await model.score(strings.map((s) => ({ context: '\n', text: `${s}\n` })))
    return -scored.flat().reduce((sum, t) => sum + t.logprob, 0) / strings.length
  }

  it('on some strings makes them likelier, and a checkpoint file keeps it', async () => {
    const tuned = tuneHead(await shippedWeights(), strings, { stream: streamFromKey(new Uint8Array(16)), epochs: 40 })
    const folder = mkdtempSync(join(tmpdir(), 'tiny-'))
    try {
      const file = join(folder, 'tuned.bin')
      writeFileSync(file, writeWeights(tuned))
      expect(await loss(`tiny:${file}`)).toBeLessThan(0.8 * (await loss('tiny')))
      expect(readWeights(writeWeights(tuned)).tensors['out.weight']).toEqual(tuned.tensors['out.weight'])
      writeFileSync(file, 'junk')
      await expect(openScoringModel(`tiny:${file}`)).rejects.toThrow(/holds no weights of the tiny transformer/u)
      await expect(openScoringModel(`tiny:${folder}/none`)).rejects.toThrow(/cannot read the weights/u)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is the same for the same stream, and needs strings', async () => {
    const weights = await shippedWeights()
    const once = () => tuneHead(weights, ['121'], { stream: streamFromKey(new Uint8Array(16)), epochs: 2 })
    expect(once().tensors['out.weight']).toEqual(once().tensors['out.weight'])
    expect(() => tuneHead(weights, [], { stream: streamFromKey(new Uint8Array(16)) })).toThrow(/at least one string/u)
  })
})
