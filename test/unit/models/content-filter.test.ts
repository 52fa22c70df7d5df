import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ModelReply } from '../../../src/models/index.ts'
import { createRun, executeRun, parseExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { readAs } from '../../mock/read-as.ts'

const read = (spec: string, http: number, body: unknown): Promise<ModelReply> =>
  readAs(spec, http, JSON.stringify(body))

const fault = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', code: null, ...more },
})
const azure = fault(
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  {
    code: 'content_filter',
    type: null,
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
  },
)

describe('a prompt that a filter keeps from the model', () => {
  it.each<[string, string, number, object, string]>([
    ['Azure', 'openai-compatible:m', 400, azure, 'Azure OpenAI'],
    ['Azure, on the Responses route', 'openai-responses:m', 400, azure, 'Azure OpenAI'],
    ['OpenAI', 'openai:m', 400, fault('our safety system', { code: 'content_policy_violation' }), 'safety system'],
    [
      'OpenAI, of a model that reasons',
      'openai-responses:m',
      400,
      fault('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', {
        code: 'invalid_prompt',
      }),
      'usage policy',
    ],
    ['DashScope', 'openai-compatible:m', 400, fault('bad data', { code: 'data_inspection_failed' }), 'bad data'],
    ['DeepSeek', 'openai-compatible:m', 400, fault('Content Exists Risk'), 'Content Exists Risk'],
    ['Anthropic', 'anthropic:m', 400, fault('Output blocked by content filtering policy'), 'Output blocked'],
    [
      'OpenRouter',
      'openai-compatible:m',
      403,
      { error: { code: 403, message: 'it was flagged', metadata: { reasons: ['hate'], flagged_input: 'Is' } } },
      'it was flagged',
    ],
  ])('is a response that was refused, with its reason: %s', async (_, spec, http, body, why) => {
    const reply = await read(spec, http, body)
    expect(reply).toMatchObject({ kind: 'answer', finish: 'refused', text: '', usage: {}, http })
    expect(reply).toMatchObject({ raw: JSON.stringify(body), refusal: expect.stringContaining(why) as string })
  })

  it.each<[string, string, object, string]>([
    ['Google', 'google:m', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'PROHIBITED_CONTENT'],
    [
      'Anthropic',
      'anthropic:m',
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: 'cyber', explanation: 'declined' },
        usage: { input_tokens: 9, output_tokens: 1 },
      },
      'cyber: declined',
    ],
  ])('or an answer that %s gives the reason for', async (_, spec, body, refusal) => {
    expect(await read(spec, 200, body)).toMatchObject({ kind: 'answer', finish: 'refused', refusal })
  })

  it.each<[string, number, object, string]>([
    ['a prompt that is too long', 400, fault('too long', { code: 'context_length_exceeded' }), 'http-400'],
    ['a prompt that is none', 400, fault('Invalid prompt: messages', { code: 'invalid_prompt' }), 'http-400'],
    ['a key that may not', 403, fault('no access'), 'http-403'],
  ])('is not %s', async (_, http, body, code) => {
    expect(await read('openai:m', http, body)).toMatchObject({ kind: 'failure', code })
  })

  it('is asked once, and told', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(JSON.stringify(azure)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { folder, remove } = await scratch()
    try {
      const context = mockContext({
        env: { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      })
      const experiment = parseExperiment({
        items: { task: 'mock/parity', preset: 'small', count: 30 },
        models: [{ model: 'openai-compatible:m', price: { input: 1, output: 10 }, settings: { maxTokens: 100 } }],
      })
      await using run = await createRun({ dir: `${folder}/run`, experiment }, context)
      const { warnings, counts, stoppedModels } = await executeRun(run)
      expect(counts).toMatchObject({ done: 30, failed: 0 })
      expect(stoppedModels).toEqual({})
      expect(warnings).toEqual([expect.stringMatching(/^openai-compatible:m refused: filtered: The response was/u)])
      const rows = run.ledger.query('SELECT COUNT(*) AS attempts FROM attempt')
      expect(rows[0]?.['attempts']).toBe(30)
      expect(run.ledger.bookedUsd()).toBeGreaterThan(0.03)
    } finally {
      await remove()
      server.close()
      server.closeAllConnections()
    }
  })
})
