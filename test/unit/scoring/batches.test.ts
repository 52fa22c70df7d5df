import { describe, expect, it } from 'vitest'
import { batched, type ScorePrompts } from '../../../src/models/scoring/batches.ts'
import { ScoringError } from '../../../src/models/scoring/error.ts'

/** A server that answers when told to. */
function slow() {
  const calls: { prompts: readonly string[]; signal: AbortSignal | undefined; answer: () => void }[] = []
  const score: ScorePrompts = (prompts, signal) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('cut')))
      const answer = () => resolve(prompts.map((text) => [{ text, logprob: -text.length }]))
      calls.push({ prompts, signal, answer })
    })
  return { calls, score }
}
const until = async (met: () => boolean) => {
  while (!met()) await new Promise((done) => setTimeout(done, 1))
}
const prompts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']

describe('batches of prompts', () => {
  it('hold what is asked for together, and no more than the width is in flight', async () => {
    const { calls, score } = slow()
    const ask = batched(score, { size: 2, width: 2 })
    const asked = Promise.all(prompts.map((prompt) => ask(prompt)))
    await until(() => calls.length === 2)
    expect(calls.map((call) => call.prompts)).toEqual([
      ['a', 'bb'],
      ['ccc', 'dddd'],
    ])
    for (const call of calls) call.answer()
    await until(() => calls.length === 3)
    calls[2]?.answer()
    expect(await asked).toEqual(prompts.map((text) => [{ text, logprob: -text.length }]))
  })

  it('are given up when nobody waits for them any more, and not before', async () => {
    const { calls, score } = slow()
    const ask = batched(score, { size: 2, width: 1 })
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
    const a = ask('a', first.signal)
    const b = ask('b', second.signal)
    const c = ask('c', third.signal)
    await until(() => calls.length === 1)
    first.abort(new Error('gone'))
    third.abort(new Error('gone too'))
    await expect(a).rejects.toThrow('gone')
    await expect(c).rejects.toThrow('gone too')
    expect(calls[0]?.signal?.aborted).toBe(false)
    second.abort(new Error('gone as well'))
    await expect(b).rejects.toThrow('gone as well')
    expect(calls[0]?.signal?.aborted).toBe(true)
    await new Promise((done) => setTimeout(done, 20))
    expect(calls).toHaveLength(1)
  })

  it('are sent in halves until the answer is not too large', async () => {
    const sizes: number[] = []
    const ask = batched(
      (batch) => {
        sizes.push(batch.length)
        return batch.length > 2
          ? Promise.reject(new ScoringError('too-large', 'too large'))
          : Promise.resolve(batch.map((text) => [{ text, logprob: -1 }]))
      },
      { size: 5, width: 1 },
    )
    expect(await Promise.all(prompts.map((prompt) => ask(prompt)))).toHaveLength(5)
    expect(sizes).toEqual([5, 3, 2, 1, 2])
  })

  it('are not taken apart where another try may mend what went wrong', async () => {
    let calls = 0
    const busy = new ScoringError('http', 'busy', { status: 503, retryable: true })
    const ask = batched(() => Promise.reject(++calls > 0 ? busy : null), { size: 4, width: 1 })
    const settled = await Promise.allSettled(['a', 'b'].map((prompt) => ask(prompt)))
    expect(settled.map((one) => one.status === 'rejected' && one.reason === busy)).toEqual([true, true])
    expect(calls).toBe(1)
  })
})
