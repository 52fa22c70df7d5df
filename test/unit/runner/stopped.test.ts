import { expect, it } from 'vitest'
import { loadStopped } from '../../../src/runner/limits/circuit-breaker.ts'

const holding = (text: string | null) => ({ ledger: { meta: () => Promise.resolve(text) } }) as never

it.each(['garbage', '5', '{"m":5}', '{"m":{"kind":"bored","message":"","next":""}}'])(
  'a note of models given up that somebody else wrote is refused in words: %s',
  async (text) => {
    await expect(loadStopped(holding(text))).rejects.toThrow('not what this program writes')
  },
)

it('a run without the note gave no model up', async () => {
  expect(await loadStopped(holding(null))).toEqual({})
})
