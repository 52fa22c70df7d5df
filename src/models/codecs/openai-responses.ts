import { writeSettings } from '../settings.ts'
import { type Codec, contentFault, finishOf, type JsonObject, joined, listOf, objectOf, stringOf } from './codec.ts'
import { isReasoningModel, withoutSampling } from './openai-chat.ts'

/** OpenAI's Responses, the only route of some models. */
export const openAiResponses: Codec = {
  encode({ model, messages, settings }) {
    const { fields, ignored } = writeSettings(settings, 'openai-responses')
    const { effort } = settings
    // Whoever asks for an effort knows that the model reasons, whatever its name.
    const reasons = effort !== undefined || isReasoningModel(model)
    if (reasons && effort !== 'none') withoutSampling(fields, ignored)
    const reasoning =
      effort === undefined ? {} : { reasoning: effort === 'none' ? { effort } : { effort, summary: 'detailed' } }
    const input = messages.map(({ role, content }) => {
      if (role === 'system') return { role: reasons ? 'developer' : 'system', content }
      return { role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: content }] }
    })
    return { path: '/responses', body: { model, ...fields, ...reasoning, input }, ignored }
  },

  matches: (body) => 'output' in body || body['object'] === 'response',

  decode(body) {
    const status = stringOf(body['status'])
    if (status !== null && !['completed', 'incomplete'].includes(status)) return `a response that is ${status}`
    if (body['output'] != null && !Array.isArray(body['output'])) return 'an output that is not a list'
    const items = listOf(body['output']).map(objectOf)
    const messages = items.filter(({ type }) => type !== 'reasoning')
    const fault = messages.map(({ content }) => contentFault(content)).find((found) => found !== null)
    if (fault !== undefined) return fault
    const parts = messages.flatMap(({ content }) =>
      typeof content === 'string' ? [{ text: content } as JsonObject] : listOf(content).map(objectOf),
    )
    const refused = joined(parts.map(({ refusal }) => stringOf(refusal)))
    const thoughts = items
      .filter(({ type }) => type === 'reasoning')
      .flatMap(({ summary, content }) => [...listOf(listOf(summary).length > 0 ? summary : content)])
    const { reason } = objectOf(body['incomplete_details'])
    const { effort } = objectOf(body['reasoning'])
    return {
      text: joined(parts.map(({ text, refusal }) => stringOf(text) ?? stringOf(refusal))) ?? '',
      reasoning: joined(
        thoughts.map((part) => stringOf(objectOf(part)['text'])),
        '\n\n',
      ),
      finish: refused === null ? (finishOf(reason) ?? (status === 'incomplete' ? 'truncated' : 'stop')) : 'refused',
      ...(typeof effort === 'string' ? { effort } : {}),
    }
  },
}
