import { expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { type ModelCall, type ModelResponse, openModel, providers } from '../../../src/models/index.ts'
import { parityCall } from '../../contract/parity-call.ts'
import { parity } from '../../mock/parity.ts'

const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
const signal = AbortSignal.timeout(20_000)

/** Questions whose solution has this many steps. */
const ofSteps = (steps: number): Partial<ModelCall> => ({
  task: { ...parity, solution: () => Array.from({ length: steps }, (_, k) => `step ${k}`) } as Task,
})

async function asked(spec: string, more: Partial<ModelCall>, calls = 100) {
  const model = await openModel(spec, {}, providers, around)
  const replies = await Promise.all(
    Array.from({ length: calls }, async (_, k) => {
      const call = parityCall(k, more)
      const reply = (await model.call(call, signal)) as ModelResponse
      const right = call.task.gold?.(call.problem()) === reply.text
      return { reply, right }
    }),
  )
  const mean = (of: (one: (typeof replies)[number]) => number) => replies.reduce((sum, one) => sum + of(one), 0) / calls
  return {
    replies: replies.map(({ reply }) => reply),
    accuracy: mean(({ right }) => Number(right)),
    thought: mean(({ reply }) => reply.usage.reasoningTokens ?? 0),
    cut: mean(({ reply }) => Number(reply.finish === 'truncated')),
  }
}

it('is right less often the longer the solution, and guesses in the end', async () => {
  const [short, middle, long] = await Promise.all(
    [1, 10, 200].map((steps) => asked('simulated:10x100000', ofSteps(steps))),
  )
  expect(short?.accuracy).toBeGreaterThan(0.9)
  // Half are solved and half of the others guessed.
  expect(middle?.accuracy).toBeGreaterThan(0.6)
  expect(middle?.accuracy).toBeLessThan(0.9)
  expect(long?.accuracy).toBeLessThan(0.7)
})

it('is right less often the longer the prompt', async () => {
  const long = { request: { kind: 'chat', messages: [{ role: 'user', content: 'word '.repeat(3000) }] } } as const
  const [few, many] = await Promise.all([asked('simulated:1000x1000', {}), asked('simulated:1000x1000', long)])
  expect(few.accuracy - many.accuracy).toBeGreaterThan(0.2)
})

it('thinks longer and errs less with more effort, and has no answer where the limit ends its thought', async () => {
  const of = (settings: ModelCall['settings']) => asked('simulated:10x100000', { ...ofSteps(12), settings })
  const [none, low, high, cut] = await Promise.all([
    of({ effort: 'none' }),
    of({ effort: 'low' }),
    of({ effort: 'high' }),
    of({ effort: 'high', maxTokens: 2000 }),
  ])
  expect(none.thought).toBe(0)
  expect(high.thought / low.thought).toBeCloseTo(4, 1)
  expect(high.accuracy).toBeGreaterThan(low.accuracy)
  expect(low.accuracy).toBeGreaterThan(none.accuracy)
  expect(cut.cut).toBeGreaterThan(0.9)
  expect(cut.replies.every(({ finish, text }) => finish === 'stop' || text === '')).toBe(true)
})

it('gives the same response to the same call', async () => {
  const [one, two] = await Promise.all([
    asked('simulated:5x500', ofSteps(6), 40),
    asked('simulated:5x500', ofSteps(6), 40),
  ])
  expect(one.replies).toEqual(two.replies)
})

it('guesses by a rule that the task has, and refuses one that it lacks', async () => {
  const model = await openModel('simulated:5x5:nonsense', {}, providers, around)
  expect(() => model.check?.(parity)).toThrow(/has none of nonsense to guess by/)
})

it.each(['simulated:5', 'simulated:0x5', 'simulated:x', 'simulated:5x5:'])(
  '%s is refused with what is expected',
  (spec) => expect(openModel(spec, {}, providers, around)).rejects.toThrow(/expects STEPSxWORDS/),
)
