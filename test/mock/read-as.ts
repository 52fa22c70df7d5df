import { type ModelCall, type ModelReply, openModel, providers, type Settings } from '../../src/models/index.ts'

/** What the model of a spec makes of a response to a chat with these settings. */
export async function readAs(spec: string, status: number, body: string, settings: Settings = {}): Promise<ModelReply> {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }
  const openReplay = () => Promise.reject(new Error('no'))
  const { wire } = await openModel(spec, { baseUrl: 'http://127.0.0.1:1/v1' }, providers, { env, openReplay })
  if (wire === undefined) throw new Error(`${spec} has no wire format`)
  const request = { kind: 'chat', messages: [{ role: 'user', content: 'Is it?' }] }
  const call = { settings, request, attemptId: 'a' } as unknown as ModelCall
  return wire.decode(call, { status, headers: {}, body })
}
