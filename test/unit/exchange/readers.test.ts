import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readResponses, responseReaders } from '../../../src/extras/exchange/imports.ts'
import { anthropicLine, geminiLine, openAiLine } from '../../../src/extras/exchange/read-batches.ts'
import { csvResponse } from '../../../src/extras/exchange/read-others.ts'
import { responsesOf } from './responses-of.ts'

/** What a provider answered that failed is told in its words; it is never an empty answer. */
describe('a request that failed', () => {
  it.each([
    [
      openAiLine({
        custom_id: 'k',
        response: { status_code: 400, body: { error: { message: 'too long' } } },
        error: null,
      }),
      'the request failed there: too long',
    ],
    [
      openAiLine({ custom_id: 'k', response: null, error: { code: 'batch_expired', message: 'expired' } }),
      'the request failed there: expired',
    ],
    [openAiLine({ custom_id: 'k', response: { body: { choices: [] } } }), 'the request failed there: no choice'],
    [
      anthropicLine({
        custom_id: 'k',
        result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request', message: 'no model' } } },
      }),
      'the request errored there: no model',
    ],
    [anthropicLine({ custom_id: 'k', result: { type: 'expired' } }), 'the request expired there'],
    [geminiLine({ key: 'k', error: { code: 13, message: 'internal' } }), 'the request failed there: internal'],
    [geminiLine({ key: 'k', response: {} }), 'the request failed there: nothing where a response would be'],
    [
      geminiLine({ key: 'k', response: { candidates: [] } }),
      'the request failed there: no candidate, and no reason why',
    ],
  ])('%j', (read, missing) => {
    expect(read).toEqual({ key: 'k', missing })
  })

  it('is not one whose prompt was blocked, or that was cut off', () => {
    const blocked = { candidates: [], promptFeedback: { blockReason: 'SAFETY' } }
    expect(geminiLine({ key: 'k', response: blocked })).toMatchObject({ text: '', finish: 'refused' })
    const message = { model: 'm', content: [], stop_reason: 'model_context_window_exceeded' }
    expect(anthropicLine({ custom_id: 'k', result: { type: 'succeeded', message } })).toMatchObject({
      finish: 'truncated',
    })
  })
})

describe('a line of an OpenAI batch', () => {
  it('is read whatever endpoint it was for', () => {
    const body = {
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'even?' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
      ],
      usage: { input_tokens: 10, output_tokens: 5, output_tokens_details: { reasoning_tokens: 2 } },
    }
    expect(openAiLine({ custom_id: 'k', response: { status_code: 200, body } })).toEqual({
      key: 'k',
      model: 'm',
      text: 'Yes',
      reasoning: 'even?',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 2 },
    })
  })
})

describe('logs of Inspect', () => {
  it('that were made with different settings are told apart by them', async () => {
    const settingsIn = async (model_generate_config: object) => {
      const samples = [{ id: 'k', epoch: 1, output: { choices: [{ message: { content: 'Yes' } }] } }]
      const log = JSON.stringify({ eval: { model: 'm', model_generate_config }, samples })
      return (await responsesOf(log))[0]?.settings
    }
    expect(await settingsIn({ reasoning_effort: 'low', temperature: null })).toEqual({ effort: 'low' })
    expect(await settingsIn({ reasoning_effort: 'max', max_connections: 9 })).toEqual({ effort: 'max' })
    expect(await settingsIn({ top_k: 20, reasoning_tokens: 1024, seed: 1 })).toEqual({
      topK: 20,
      thinkingBudget: 1024,
      seed: 1,
    })
  })
})

describe('a row of a CSV file', () => {
  it('without a text has no answer', () => {
    expect(csvResponse({ item: 'a', text: '' })).toMatchObject({ missing: 'the text is empty' })
    expect(csvResponse({ item: 'a', output: 'x' })).toMatchObject({
      missing: 'no column "text"; there are item, output',
    })
    expect(csvResponse({ item: 'a', answer: 'x' })).toMatchObject({ text: 'x' })
  })
})

describe('what is wrong with a file', () => {
  const all = async (tool: string, text: string) => {
    const path = join(await mkdtemp(join(tmpdir(), 'touchstone-')), 'file')
    await writeFile(path, text)
    const reader = responseReaders[tool]
    if (reader === undefined) throw new Error(`no reader ${tool}`)
    const lines: object[] = []
    for await (const batch of readResponses(reader, [path], new Map(), null)) lines.push(...batch)
    return lines
  }

  it('has its line, whatever the lines of texts', async () => {
    expect(await all('csv', 'item,text\n\na,"x\ny"\nb,\n')).toMatchObject([
      { number: 3 },
      { number: 5, missing: expect.stringContaining('empty') },
    ])
    expect(await all('openai-batch', '\n{"custom_id":1}\n{')).toMatchObject([
      { number: 2, missing: 'custom_id: expected a text, got 1' },
      { number: 3, missing: expect.stringContaining('JSON') },
    ])
    await expect(all('csv', 'item,text\na,"x')).rejects.toThrow(
      /file: the table cannot be read: .*Quote Not Closed.* line 2/u,
    )
    await expect(all('jspsych', 'part,participant,item\ncheck,p,a')).rejects.toThrow(
      /file: line 2 is not a trial of a jspsych export: expected: expected a text/u,
    )
    await expect(all('promptfoo', '{')).rejects.toThrow(/file: the file is not JSON/u)
    await expect(all('promptfoo', '{}')).rejects.toThrow(/file does not have the form of this tool: results: expected/u)
  })
})

describe('a log of Inspect with numbers that JSON has not', () => {
  const log = (text: string) => ({
    eval: { model: 'm' },
    samples: [{ id: 'k', epoch: 1, score: 'HERE', output: { choices: [{ message: { content: text } }] } }],
  })
  const read = (text: string) => {
    const written = JSON.stringify(log(text)).replace('"HERE"', '{"a": NaN, "b": [-Infinity,NaN]}')
    return responsesOf(written)
  }

  it('is read, and what its model said stays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.constantFrom('NaN', ', ', ': NaN, ', '[-Infinity]', '"', '\\', 'x', '\n'), { maxLength: 8 })
          .map((parts) => parts.join('')),
        async (text) => {
          expect(await read(text)).toMatchObject([{ key: 'k', text }])
        },
      ),
    )
  })

  it('is read in time', async () => {
    expect(await read('"\\'.repeat(200_000))).toHaveLength(1)
  })
})
