import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type ModelCall, type ModelOptions, openModel, providers } from '../../../src/models/index.ts'
import { chatBody, googleBody } from '../../mock/bodies.ts'

/** Requests to platforms, in the shapes that the page on running documents. */

let close = (): void => undefined
afterEach(() => close())

/** What a server sees of a call, at an address below it. */
async function seenOf(spec: string, path: string, options: ModelOptions & { readonly byVariable?: boolean }) {
  const seen: { url?: string | undefined; headers?: object } = {}
  const server = createServer(({ url, headers }, response) => {
    Object.assign(seen, { url, headers })
    response.setHeader('content-type', 'application/json')
    const reply = { text: 'Yes', usage: { input: 9, output: 1 } }
    response.end(JSON.stringify(spec.startsWith('google') ? googleBody(reply) : chatBody(reply)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const { byVariable = false, ...given } = options
  const env = {
    AZURE_OPENAI_API_KEY: 'azure-key',
    AWS_BEARER_TOKEN_BEDROCK: 'aws-key',
    VERTEX_TOKEN: 'ya29',
    AZURE_URL: baseUrl,
  }
  const address = byVariable ? { baseUrlEnv: 'AZURE_URL' } : { baseUrl }
  const openReplay = () => Promise.reject(new Error('no'))
  const model = await openModel(spec, { ...given, ...address }, providers, { env, openReplay })
  const request = { kind: 'chat', messages: [{ role: 'user', content: 'Is it?' }] }
  const call = { settings: {}, request, attemptId: 'a' } as unknown as ModelCall
  expect(await model.call(call, AbortSignal.timeout(5000))).toMatchObject({ kind: 'answer', text: 'Yes' })
  return seen
}

const byKey = { headers: { 'api-key': `\${AZURE_OPENAI_API_KEY}` } }

it('Azure OpenAI is asked by its key, at its address of today and at those with a date', async () => {
  const headers = expect.objectContaining({ 'api-key': 'azure-key' }) as object
  expect(await seenOf('openai-compatible:d', '/openai/v1', byKey)).toEqual({
    url: '/openai/v1/chat/completions',
    headers,
  })
  const dated = '/openai/deployments/d'
  const seen = await seenOf('openai-compatible:d', `${dated}?api-version=2024-10-21`, { ...byKey, byVariable: true })
  expect(seen).toEqual({ url: `${dated}/chat/completions?api-version=2024-10-21`, headers })
  expect(seen.headers).not.toHaveProperty('authorization')
})

it('Bedrock is asked with its API key', async () => {
  expect(await seenOf('openai-compatible:m', '/openai/v1', { apiKeyEnv: 'AWS_BEARER_TOKEN_BEDROCK' })).toMatchObject({
    url: '/openai/v1/chat/completions',
    headers: { authorization: 'Bearer aws-key' },
  })
})

it('Gemini on Vertex is asked by a token, without the key of the other API', async () => {
  const path = '/v1/projects/p/locations/global/publishers/google'
  const seen = await seenOf('google:gemini-2.5-pro', path, { headers: { authorization: `Bearer \${VERTEX_TOKEN}` } })
  expect(seen).toMatchObject({
    url: `${path}/models/gemini-2.5-pro:generateContent`,
    headers: { authorization: 'Bearer ya29' },
  })
  expect(seen.headers).not.toHaveProperty('x-goog-api-key')
})
