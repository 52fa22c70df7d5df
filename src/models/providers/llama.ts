import { type Message, UsageError } from '../../core/index.ts'
import { thrownFailure } from '../failures.ts'
import { failure, LOCAL, type Model, type ModelCall, type ModelReply, plainAnswer } from '../model.ts'
import type { Provider } from '../provider.ts'
import { ScoringError } from '../scoring/error.ts'
import { ggufSpec } from '../scoring/gguf.ts'
import { type ChatItem, type GgufOptions, readGguf } from '../scoring/llama.ts'
import { serialize } from '../scoring/serialize.ts'
import { type Settings, writeSettings } from '../settings.ts'

/** A GGUF file that chats, on this machine: the chat template is the file's own. */
export const llama: Provider = {
  name: 'llama',
  argument: 'FILE',
  summary:
    'a GGUF file that chats, run here by the optional package node-llama-cpp; FILE?contextSize=8192&threads=4&gpu=auto',
  needs: (argument) => ({ file: argument }),
  async open(argument) {
    try {
      const { file, asked } = ggufSpec(argument)
      return await openLlama(file, asked)
    } catch (error) {
      // Found out before a run, by the person who named the model.
      if (error instanceof ScoringError) throw new UsageError(`llama:${argument}: ${error.message}`)
      throw error
    }
  },
}

/** Prompt tokens that are read at once: an abort takes effect between two segments. */
const SEGMENT = 64

/**
 * Without a temperature the likeliest token is taken, and the same settings and seed give the same text. Nothing is taken over from one
 * call to the next. `thinkingBudget` ends a thought where the template has thoughts.
 *
 * @throws ScoringError where the file or the package is absent.
 */
export async function openLlama(file: string, options: GgufOptions): Promise<Model> {
  const gguf = await readGguf(file, options, SEGMENT)
  const { model, sequence, size } = gguf
  const chat = new gguf.module.LlamaChat({ contextSequence: sequence })

  const answer = serialize(
    async (messages: readonly Message[], settings: Settings, signal: AbortSignal): Promise<ModelReply> => {
      signal.throwIfAborted()
      const history = historyOf(messages)
      const prompt = chat.chatWrapper
        .generateContextState({ chatHistory: history })
        .contextText.tokenize(model.tokenizer)
      // Beyond the end of its context the library would forget the beginning without a word.
      const room = size - prompt.length - SPARE
      if (room < 1)
        return failure(
          'too-long',
          `the prompt has ${prompt.length} tokens, the context holds ${size}: llama:FILE?contextSize=N takes more`,
          'never',
          { free: true },
        )
      const { fields, ignored } = writeSettings(settings, 'llama')
      await sequence.clearHistory()
      const before = sequence.tokenMeter.getState()
      const { fullResponse, metadata } = await chat.generateResponse(history, {
        signal,
        maxTokens: Math.min(settings.maxTokens ?? room, room),
        // Plain sampling unless settings say otherwise: the library's own defaults truncate and penalise.
        temperature: 0,
        topK: 0,
        topP: 1,
        minP: 0,
        repeatPenalty: false,
        ...fields,
        ...(settings.thinkingBudget === undefined ? {} : { budgets: { thoughtTokens: settings.thinkingBudget } }),
      })
      const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before)
      const parts = fullResponse.map((part) => (typeof part === 'string' ? { segmentType: '', text: part } : part))
      const thought = textOf(parts.filter(({ segmentType }) => segmentType !== ''))
      return plainAnswer(textOf(parts.filter(({ segmentType }) => segmentType === '')), {
        finish: metadata.stopReason === 'maxTokens' ? 'truncated' : 'stop',
        reasoning: thought === '' ? null : thought,
        usage: { inputTokens: usedInputTokens, outputTokens: usedOutputTokens },
        ignored,
      })
    },
  )

  return {
    name: `llama:${file}`,
    kind: 'chat',
    route: `llama:${file}`,
    concurrency: LOCAL,
    reusesContext: false,
    isLocal: true,
    async call({ request, settings }: ModelCall, signal) {
      if (request.kind !== 'chat')
        return failure('not-supported', `llama: chats; gguf:${file} scores given strings`, 'never', {
          boundary: 'runner',
          free: true,
        })
      try {
        return await answer(request.messages, settings, signal)
      } catch (error) {
        return signal.aborted ? thrownFailure(signal.reason) : failure('llama-threw', String(error), 'never')
      }
    },
    async close() {
      await gguf[Symbol.asyncDispose]()
    },
  }
}

/** Tokens that a template may put behind an answer. */
const SPARE = 8

const textOf = (parts: readonly { readonly text: string }[]): string => parts.map(({ text }) => text).join('')

/** The messages as the library has them; an answer that was begun is gone on with. */
function historyOf(messages: readonly Message[]): readonly ChatItem[] {
  const items = messages.map(
    ({ role, content }): ChatItem =>
      role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content },
  )
  return items.at(-1)?.type === 'model' ? items : [...items, { type: 'model', response: [] }]
}
