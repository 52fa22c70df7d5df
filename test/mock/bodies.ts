/** Bodies of responses as the providers write them, for mocks and tests of all wire formats. */

export interface MockCounts {
  readonly input: number
  readonly output: number
  readonly reasoning?: number
  readonly cached?: number
}

export interface MockResponse {
  readonly text: string
  readonly id?: string
  readonly model?: string
  /** In the words of the format. Default: an ordinary end. */
  readonly finish?: string
  readonly reasoning?: string
  /** Tokens; null: the server does not count. Another object is written as it is. */
  readonly usage?: MockCounts | object | null
  /** Further fields of the message or body. */
  readonly more?: object
}

type BodyOf = (response: MockResponse) => object

const isCounts = (usage: object): usage is MockCounts => 'input' in usage && 'output' in usage

const withUsage = (key: string, usage: MockResponse['usage'], write: (counts: MockCounts) => object): object =>
  usage == null ? {} : { [key]: isCounts(usage) ? write(usage) : usage }

export const chatBody: BodyOf = ({ text, id = 'c1', model = 'm', finish = 'stop', reasoning, usage, more }) => ({
  id,
  object: 'chat.completion',
  created: 1,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: text,
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
        ...more,
      },
      finish_reason: finish,
      logprobs: null,
    },
  ],
  ...withUsage('usage', usage, ({ input, output, reasoning: thought, cached }) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(thought === undefined ? {} : { completion_tokens_details: { reasoning_tokens: thought } }),
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  })),
})

/** @param response - its `finish` is the reason of an incomplete one. */
export const responsesBody: BodyOf = ({ text, id = 'resp1', model = 'm', finish, reasoning, usage, more }) => ({
  id,
  object: 'response',
  created_at: 1,
  model,
  status: finish === undefined ? 'completed' : 'incomplete',
  error: null,
  incomplete_details: finish === undefined ? null : { reason: finish },
  output: [
    ...(reasoning === undefined
      ? []
      : [{ type: 'reasoning', id: 'rs1', summary: [{ type: 'summary_text', text: reasoning }] }]),
    {
      type: 'message',
      id: 'msg1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  ...withUsage('usage', usage, ({ input, output, reasoning: thought, cached }) => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(thought === undefined ? {} : { output_tokens_details: { reasoning_tokens: thought } }),
    ...(cached === undefined ? {} : { input_tokens_details: { cached_tokens: cached } }),
  })),
  ...more,
})

export const anthropicBody: BodyOf = ({
  text,
  id = 'msg1',
  model = 'm',
  finish = 'end_turn',
  reasoning,
  usage,
  more,
}) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 's' }]),
    { type: 'text', text },
  ],
  stop_reason: finish,
  stop_sequence: null,
  ...withUsage('usage', usage, ({ input, output, reasoning: thought, cached = 0 }) => ({
    input_tokens: input - cached,
    ...(cached === 0 ? {} : { cache_read_input_tokens: cached }),
    output_tokens: output,
    ...(thought === undefined ? {} : { output_tokens_details: { thinking_tokens: thought } }),
  })),
  ...more,
})

export const googleBody: BodyOf = ({ text, id = 'r1', model = 'm', finish = 'STOP', reasoning, usage, more }) => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]), { text }],
      },
      finishReason: finish,
      index: 0,
    },
  ],
  ...withUsage('usageMetadata', usage, ({ input, output, reasoning: thought = 0, cached }) => ({
    promptTokenCount: input,
    candidatesTokenCount: output - thought,
    ...(thought === 0 ? {} : { thoughtsTokenCount: thought }),
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    totalTokenCount: input + output,
  })),
  modelVersion: model,
  responseId: id,
  ...more,
})
