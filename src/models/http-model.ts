import { type ChatRequest, type Codec, encodeRequest } from './codecs/index.ts'
import { thrownFailure } from './failures.ts'
import { type Endpoint, isTransportError, MAX_BODY, send, urlOf } from './http.ts'
import { type Failure, failure, type Model, type ModelCall, REMOTE, type WireModel } from './model.ts'
import { readReply } from './read-reply.ts'

/** A chat model behind a server of one wire format; retries are the runner's. */
export function httpModel(
  name: string,
  model: string,
  route: string,
  codec: Codec,
  endpoint: Endpoint,
): Model & { readonly wire: WireModel } {
  const chatOf = ({ request, settings }: ModelCall): ChatRequest => ({
    model,
    messages: request.kind === 'chat' ? request.messages : [],
    settings,
  })
  return {
    name,
    kind: 'chat',
    route,
    concurrency: REMOTE,
    remote: true,
    reusesContext: false,
    wire: {
      endpoint,
      model,
      encode: async (call) => unsupported(name, call) ?? JSON.stringify(encodeRequest(codec, chatOf(call)).body),
      decode: async (call, response) => readReply(chatOf(call), encodeRequest(codec, chatOf(call)), response),
    },
    async call(call, signal) {
      const refused = unsupported(name, call)
      if (refused !== null) return refused
      const asked = chatOf(call)
      const encoded = encodeRequest(codec, asked)
      try {
        const response = await send({
          url: urlOf(endpoint, encoded.path),
          headers: {
            'content-type': 'application/json',
            ...endpoint.headers,
            'x-client-request-id': call.attemptId,
          },
          body: JSON.stringify(encoded.body),
          maxBytes: MAX_BODY,
          signal,
        })
        return readReply(asked, encoded, response)
      } catch (error) {
        const { status = null, body = null } = (isTransportError(error) ? error.received : null) ?? {}
        return { ...thrownFailure(error), http: status, body }
      }
    },
  }
}

const unsupported = (name: string, { request }: ModelCall): Failure | null =>
  request.kind === 'chat'
    ? null
    : failure('not-supported', `${name} chats; it cannot score given strings`, 'never', {
        boundary: 'runner',
        free: true,
      })
