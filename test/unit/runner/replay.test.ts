import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openReplay } from '../../../src/runner/index.ts'
import { scratch } from '../../mock/context.ts'

const { folder, remove } = await scratch()
afterAll(remove)
const file = join(folder, 'answers.jsonl')

/** Opens a file of these lines. */
async function opened(lines: readonly (object | string)[], model = '') {
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return openReplay(`${file}${model}`)
}

const line = (item: string, text: string, model = 'm') => ({ item, text, model })
const cell = { style: '', sample: 0, settings: '{}' }

describe('replay of a file', () => {
  it('answers from it, whatever stands twice in it', async () => {
    const replay = await opened([line('a', 'yes'), '', line('b', 'no'), line('a', 'yes')])
    expect(await replay.find({ item: 'a', ...cell })).toMatchObject({ text: 'yes' })
    expect(await replay.find({ item: 'c', ...cell })).toBeNull()
  })

  it('names the line that is none', async () => {
    await expect(opened([line('a', 'yes'), '', { item: 'b' }])).rejects.toThrow(/line 3: a response line is/u)
    await expect(opened([line('a', 'yes'), '{'])).rejects.toThrow(/line 2 is not JSON/u)
  })

  it('is refused where two lines answer one cell otherwise', async () => {
    await expect(opened([line('a', 'yes'), line('b', 'no'), line('a', 'no')])).rejects.toThrow(
      /line 3 answers a in style "", sample 0, as line 1 does, and otherwise/u,
    )
  })

  it('takes one of several models, by name', async () => {
    const both = [line('a', 'yes', 'm'), line('a', 'no', 'n')]
    await expect(opened(both)).rejects.toThrow('#MODEL with one of m, n')
    await expect(opened(both, '#o')).rejects.toThrow('#MODEL with one of m, n')
    const replay = await opened(both, '#n')
    expect(await replay.find({ item: 'a', ...cell })).toMatchObject({ text: 'no' })
  })
})
