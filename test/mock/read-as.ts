import { type ModelCall, type ModelReply, openModel, providers, type Settings } from '../../src/models/index.ts'

const QUESTION = 'Is it?'

async function wireOf(spec: string) {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }
  const openReplay = () => Promise.reject(new Error('no'))
  const { wire } = await openModel(spec, { baseUrl: 'http://127.0.0.1:1/v1' }, providers, { env, openReplay })
  if (wire === undefined) throw new Error(`${spec} has no wire format`)
  return wire
}

const callOf = (settings: Settings, prompt: string): ModelCall => {
  const request = { kind: 'chat', messages: [{ role: 'user', content: prompt }] }
  return { settings, request, attemptId: 'a' } as unknown as ModelCall
}

/** What the model of a spec makes of a response to a chat with these settings. */
export async function readAs(
  spec: string,
  status: number,
  body: string,
  settings: Settings = {},
  prompt = QUESTION,
): Promise<ModelReply> {
  return (await wireOf(spec)).decode(callOf(settings, prompt), { status, headers: {}, body })
}

/** The body that the model of a spec sends for a chat with these settings. */
export async function encodedAs(spec: string, settings: Settings): Promise<{ readonly [field: string]: unknown }> {
  const body = await (await wireOf(spec)).encode(callOf(settings, QUESTION))
  if (typeof body !== 'string') throw new Error('nothing is sent')
  return JSON.parse(body) as { readonly [field: string]: unknown }
}
