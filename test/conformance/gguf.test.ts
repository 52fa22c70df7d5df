import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auc } from '../../src/libraries/statistics/index.ts'
import { openGguf, ScoringError } from '../../src/models/scoring/index.ts'
import { discriminate, itemsOf, rowsOf } from '../unit/proficiency/run.ts'
import { sentencePieceBigrams } from './sentencepiece.ts'

/** node-llama-cpp against torch's log-probabilities of a small GGUF file; scripts/testing/llama.ts installs it. */
const models = join(process.env['TOUCHSTONE_SHARED'] ?? '../shared', 'lm/models')
const file = join(models, 'qwen2b.gguf')
const modules = resolve(process.env['TOUCHSTONE_LLAMA'] ?? 'tools/llama')
const ready = existsSync(file) && existsSync(join(modules, 'node_modules/node-llama-cpp'))

describe.skipIf(!ready)('gguf: (skipped where node-llama-cpp or the model file is absent)', () => {
  it('scores given strings as torch does, within 2e-3 nats, with and without a kept context', async () => {
    const reference = JSON.parse(readFileSync(join(models, 'qwen2b.ref.json'), 'utf8')) as {
      text: string
      logp: number[]
    }
    const model = await openGguf(file, { modules, contextSize: 512 })
    const cut = 21
    const request = { context: reference.text.slice(0, cut), text: reference.text.slice(cut) }
    for (let round = 0; round < 2; round++) {
      const [tokens] = await model.score([request])
      expect(tokens?.map((t) => t.text).join('')).toBe(request.text)
      for (const [i, token] of (tokens ?? []).entries())
        expect(Math.abs(token.logprob - (reference.logp[cut - 1 + i] as number))).toBeLessThan(2e-3)
      await model.score([{ context: request.context, text: '999\n' }])
    }
    const [first] = await model.score([{ context: '', text: '12\n' }])
    expect(first).toHaveLength(3)
    await expect(model.score([{ context: '1'.repeat(600), text: '2' }])).rejects.toThrow(/the context holds 512/u)
    await model.close?.()
  })

  it('scores strings of a SentencePiece vocabulary whole, first words and all', async () => {
    const bigrams = sentencePieceBigrams()
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-spm-'))
    const path = join(folder, 'bigrams.gguf')
    writeFileSync(path, bigrams.bytes)
    const model = await openGguf(path, { modules, contextSize: 256 })
    try {
      for (const [context, text] of [
        ['12 645\n7 12\n', '645 12 7\n'],
        ['6451264512\n', '64512\n'],
        ['12 645\n', ' 645 1\n'],
        ['7\n', '8'],
      ] as const) {
        const [tokens = []] = await model.score([{ context, text }])
        expect(tokens.map((token) => token.text).join('')).toBe(text)
        for (const [i, token] of tokens.entries())
          expect(token.logprob).toBeCloseTo(bigrams.logprob(tokens[i - 1]?.text ?? '\n', token.text), 3)
      }
    } finally {
      await model.close?.()
      rmSync(folder, { recursive: true })
    }
  })

  it('tells strings of a language from strings outside after some examples', async () => {
    const model = await openGguf(file, { modules, contextSize: 1024 })
    const items = itemsOf(discriminate, {
      languages: ['g1'],
      repetitions: 1,
      examples: [4],
      tests: 12,
      distances: [0, 'unrelated'],
    })
    const rows = await rowsOf(items, { gguf: model })
    const found = auc(
      rows.map((row) => -(row['metric_natsPerToken'] as number)),
      rows.map((row) => row['feature_kind'] === 'inside'),
    )
    expect(found).toBeGreaterThan(0.9)
    await model.close?.()
  })
})

it.skipIf(existsSync('node_modules/node-llama-cpp') || !existsSync(file))(
  'without node-llama-cpp says how to install it',
  async () => {
    const opened = openGguf(file)
    await expect(opened).rejects.toThrow(ScoringError)
    await expect(openGguf(file)).rejects.toThrow(/npm install node-llama-cpp/u)
  },
)
