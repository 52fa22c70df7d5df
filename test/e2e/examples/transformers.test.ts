import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from '../cli/cli.ts'

const root = join(import.meta.dirname, '../../..')
const folder = scratch()
afterAll(() => folder.remove())
const python = spawnSync('python3', ['--version']).status === 0

interface Reply {
  readonly id: string
  readonly logprobs?: readonly { readonly text: string; readonly logprob: number; readonly mass: number }[]
  readonly error?: string
}

let count = 0

/** Asks the program about all pairs, one process. @returns its replies, and how many tokens it read at each step. */
async function ask(
  pairs: readonly (readonly [string, string])[],
  env: { readonly [name: string]: string } = {},
  ...flags: readonly string[]
) {
  const read = folder.path(`read-${count++}`)
  const program = join(root, 'examples/exec/transformers_model.py')
  const child = spawn('python3', [program, 'some/model', '--revision', 'step1000', ...flags], {
    env: { ...process.env, PYTHONPATH: join(root, 'test/mock/transformers'), FAKE_READ: read, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const lines = createInterface({ input: child.stdout })
  for (const [i, [context, text]] of pairs.entries())
    child.stdin.write(`${JSON.stringify({ id: `${i}`, context, text, settings: {} })}\n`)
  child.stdin.end()
  const replies: Reply[] = []
  for await (const line of lines) replies.push(JSON.parse(line) as Reply)
  return { replies, complaints, read: readFileSync(read, 'utf8').trim().split('\n').map(Number) }
}

// A stand-in for Transformers and torch, with no weights: what is tested is the program's own part.
describe.skipIf(!python)('the adapter for Hugging Face Transformers', () => {
  it('reads each context once, and scores as if it had read all anew', async () => {
    const together = await ask([
      ['x y\n', 'cd\n'],
      ['x y\n', 'abd\n'],
      ['x y\n', 'q'],
      ['other\n', 'cd\n'],
      ['x y\n', 'cd\n'],
    ])
    // The context and its first token; then only what is between the first and the last token of each text.
    expect(together.read).toEqual([5, 2, 2, 7, 2, 5, 2])
    for (const [i, pair] of (
      [
        ['x y\n', 'abd\n'],
        ['other\n', 'cd\n'],
      ] as const
    ).entries()) {
      const [alone] = (await ask([pair])).replies
      const other = together.replies[i === 0 ? 1 : 3]
      expect(other?.logprobs).toEqual(alone?.logprobs)
      expect(alone?.logprobs?.map(({ text }) => text).join('')).toBe(pair[1])
    }
    expect(together.replies[1]?.logprobs?.map(({ text }) => text)).toEqual(['ab', 'd', '\n'])
    expect(together.replies[0]?.logprobs).toEqual(together.replies[4]?.logprobs)
    expect(together.complaints).toContain('loaded some/model step1000')
    for (const { logprobs = [] } of together.replies)
      for (const { logprob } of logprobs) expect(logprob).toBeLessThan(0)
  })

  it.each(['nan', '-inf'])('has no score where the model has none: %s', async (loss) => {
    const { replies } = await ask([['x y\n', 'cd\n']], { FAKE_LOSS: loss })
    expect(replies[0]?.error).toContain('no numbers')
  })

  it('says where a token straddles the start of a text, and goes on', async () => {
    const { replies } = await ask([
      ['xa', 'bc'],
      ['', 'bc'],
    ])
    expect(replies[0]?.error).toContain('straddles')
    expect(replies[1]?.logprobs?.length).toBe(2)
  })

  it('takes each character as one token where it is told to', async () => {
    const [reply] = (await ask([['xab;', 'ab']], {}, '--one-each')).replies
    expect(reply?.logprobs?.map(({ text }) => text)).toEqual(['a', 'b'])
    for (const { logprob, mass } of reply?.logprobs ?? []) {
      expect(mass).toBeGreaterThan(Math.exp(logprob))
      expect(mass).toBeLessThan(1)
    }
  })

  it('gives a letter of several tokens to the last of them', async () => {
    const [reply] = (await ask([['x\n', 'a\u00e9\u4f60\n']])).replies
    expect(reply?.logprobs?.map(({ text }) => text)).toEqual(['a', '', '\u00e9', '', '', '\u4f60', '\n'])
  })

  it('refuses what is too long for the model, and outlives a call that breaks', async () => {
    const { replies } = await ask([
      ['x\n', 'c'.repeat(100)],
      [`${'x'.repeat(100)}\n`, 'c\n'],
      ['x\n', 'c\0c\n'],
      ['x\n', 'cd\n'],
    ])
    expect(replies.map(({ error }) => error)).toEqual([
      '103 tokens, and this model reads 64 at most',
      '102 tokens, and this model reads 64 at most',
      'RuntimeError: out of memory',
      undefined,
    ])
    expect(replies[3]?.logprobs?.length).toBe(3)
  })
})
