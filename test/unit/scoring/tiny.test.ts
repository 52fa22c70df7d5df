import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { streamFromKey } from '../../../src/core/index.ts'
import { openTiny, readWeights, shippedWeights } from '../../../src/models/scoring/index.ts'
import { TinyTransformer } from '../../../src/models/scoring/tiny/transformer.ts'
import { addGradient, type Parameters } from '../../../tools/lm/gradient.ts'
import { trainTiny, writeWeights } from '../../../tools/lm/train.ts'
import { nightly } from '../../nightly.ts'
import series from './series.ref.json' with { type: 'json' }
import reference from './tiny.ref.json' with { type: 'json' }

describe('the tiny transformer', () => {
  it('equals the reference log-probabilities of torch within 1e-4', async () => {
    const model = await openTiny()
    const [tokens] = await model.score([{ context: reference.text[0] as string, text: reference.text.slice(1) }])
    expect(tokens).toHaveLength(reference.logp.length)
    for (const [i, token] of (tokens ?? []).entries())
      expect(Math.abs(token.logprob - (reference.logp[i] as number))).toBeLessThan(1e-4)
  })

  it.each(Object.keys(series.logp))('equals torch within 1e-3 at every size and checkpoint: %s', async (name) => {
    const model = await openTiny(name)
    const [tokens] = await model.score([{ context: series.text[0] as string, text: series.text.slice(1) }])
    const wanted = (series.logp as { readonly [name: string]: readonly number[] })[name] ?? []
    expect(tokens).toHaveLength(wanted.length)
    for (const [i, { logprob }] of (tokens ?? []).entries())
      expect(Math.abs(logprob - (wanted[i] as number))).toBeLessThan(1e-3)
  })

  it('is the last of a size where no step is named, and says what there is', async () => {
    const request = { context: '\n', text: '123\n' }
    const [last, same] = [await openTiny('10k'), await openTiny('10k@1280')]
    expect(await last.score([request])).toEqual(await same.score([request]))
    await expect(openTiny('10k@7')).rejects.toThrow(/Built in: 10k@20, @80/u)
    await expect(openTiny('11k')).rejects.toThrow(/For a file of that name write \.\/11k/u)
  })

  it('is a proper distribution over bytes', async () => {
    const model = new TinyTransformer(await shippedWeights())
    for (const byte of Buffer.from('\n1234\n')) {
      model.read(byte)
      expect(model.logprobs?.reduce((sum, logprob) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 10)
    }
  })

  it('scores a string the same whatever it read before', async () => {
    const fresh = await openTiny()
    const used = await openTiny()
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
    const model = await openTiny()
    const [tokens] = await model.score([{ context: '\n', text: 'aé✓\n' }])
    expect(tokens?.map((t) => t.text)).toEqual(['a', 'é', '✓', '\n'])
  })

  it('learns in context: a repeated string becomes likely', async () => {
    const model = await openTiny()
    const nats = async (context: string) => {
      const [tokens] = await model.score([{ context, text: '7315926\n' }])
      return -(tokens ?? []).reduce((sum, t) => sum + t.logprob, 0)
    }
    expect(await nats(`\n${'7315926\n'.repeat(6)}`)).toBeLessThan(0.4 * (await nats('\n')))
  })
})

describe('training the whole network', () => {
  const bytes = Buffer.from('\n312654987312645987\n312654\n')
  const parametersOf = async (): Promise<Parameters> =>
    Object.fromEntries(
      Object.entries((await shippedWeights()).tensors).map(([name, values]) => [
        name,
        { values: Float64Array.from(values), gradient: new Float64Array(values.length) },
      ]),
    )
  const unchanged = (parameters: Parameters): Parameters =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, { values }]) => [name, { values, gradient: values.map(() => 0) }]),
    )

  it('has the loss of the scoring model, which reads byte by byte', async () => {
    const weights = await shippedWeights()
    const model = new TinyTransformer(weights)
    let nats = 0
    for (const [i, byte] of bytes.entries()) {
      if (i > 0) nats -= model.logprobs?.[byte] as number
      model.read(byte)
    }
    // The scoring model keeps its keys and values in single precision.
    expect(addGradient(weights.shape, await parametersOf(), bytes)).toBeCloseTo(nats, 5)
  })

  it('has the gradient that finite differences give, in every tensor', async () => {
    const { shape } = await shippedWeights()
    const parameters = await parametersOf()
    addGradient(shape, parameters, bytes)
    const step = 1e-5
    for (const [name, { values, gradient }] of Object.entries(parameters)) {
      const steepest = gradient.reduce((best, g, i) => (Math.abs(g) > Math.abs(gradient[best] as number) ? i : best), 0)
      // The steepest is where a wrong gradient shows most.
      for (const i of [steepest, ...(nightly ? [Math.floor(values.length / 3), values.length - 1] : [])]) {
        const at = (value: number) => {
          const kept = values[i] as number
          values[i] = value
          const loss = addGradient(shape, unchanged(parameters), bytes)
          values[i] = kept
          return loss
        }
        const middle = values[i] as number
        const difference = (at(middle + step) - at(middle - step)) / (2 * step)
        expect(Math.abs(difference - (gradient[i] as number)), `${name}[${i}]`).toBeLessThan(1e-7)
      }
    }
  })

  const stream = () => streamFromKey(new Uint8Array(16))
  /** Strings over 1 to 3 where 1 is followed by 2: no string of one set is in the other. */
  const strings = ['12', '3', '123', '312', '1212', '3312', '12123', '31233']
  const held = ['33', '1233', '3123', '31212']
  const loss = async (file?: string) => {
    const model = await openTiny(file)
    const scored = await model.score(held.map((s) => ({ context: '\n', text: `${s}\n` })))
    return -scored.flat().reduce((sum, t) => sum + t.logprob, 0) / held.length
  }

  it('makes other strings of the language likelier, and a checkpoint file keeps it', async () => {
    const trained = trainTiny(await shippedWeights(), strings, { stream: stream() })
    const folder = mkdtempSync(join(tmpdir(), 'tiny-'))
    try {
      const file = join(folder, 'trained.bin')
      writeFileSync(file, writeWeights(trained))
      expect(await loss(file)).toBeLessThan(0.6 * (await loss()))
      expect(readWeights(writeWeights(trained)).tensors).toEqual(trained.tensors)
      writeFileSync(file, 'junk')
      await expect(openTiny(file)).rejects.toThrow(/holds no weights of the tiny transformer/u)
      await expect(openTiny(`${folder}/none`)).rejects.toThrow(/cannot read the weights/u)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is the same for the same stream, leaves the old weights, and needs strings', async () => {
    const weights = await shippedWeights()
    const before = writeWeights(weights)
    const once = () => trainTiny(weights, ['121', '22', '1'], { stream: stream(), strings: 24 })
    expect(writeWeights(once())).toEqual(writeWeights(once()))
    expect(writeWeights(weights)).toEqual(before)
    const changed = Object.entries(once().tensors).filter(([name, values]) =>
      values.some((v, i) => v !== weights.tensors[name]?.[i]),
    )
    expect(changed).toHaveLength(Object.keys(weights.tensors).length)
    expect(() => trainTiny(weights, [], { stream: stream() })).toThrow(/at least one string/u)
  })
})
