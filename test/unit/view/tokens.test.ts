import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { viewRun } from '../../../src/view/server/open-runs.ts'
import { findPlaces } from '../../../src/view/server/places.ts'
import { tokensOf } from '../../../src/view/server/tokens.ts'
import { thinkingFolder, toyFolder } from './toy-run.ts'

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

test('means, distributions and the items that took most are those of the lines', async () => {
  const { folder, thoughts } = await thinkingFolder()
  const [place] = (await findPlaces([folder])).filter(({ kind }) => kind === 'run')
  const viewed = await viewRun(place?.path ?? '', [])
  try {
    const asked = { measure: null, x: 'distance', task: null }
    const tokens = await tokensOf(viewed, asked)
    expect(tokens.measures).toEqual(expect.arrayContaining(['reasoning', 'answer', 'prompt']))
    expect(tokens.measure).toBe('reasoning')
    const of = (model: string) => thoughts.filter((one) => one.model === model)
    const config = (model: string) => tokens.configs.find((one) => one.model === model)
    const thinker = of('thinker').map(({ reasoningTokens = 0 }) => reasoningTokens)
    expect(config('thinker')).toMatchObject({ cells: 40, known: 40 })
    expect(config('thinker')?.means.reasoning).toBeCloseTo(mean(thinker), 9)
    // What was thought is a part of the output, and no part of the answer; who says nothing of thinking only answers.
    expect(config('thinker')?.means.answer).toBe(12)
    expect(config('talker')?.means).toMatchObject({ answer: 7, reasoning: null })
    expect(config('talker')?.means.prompt).toBeCloseTo(mean(of('talker').map(({ inputTokens }) => inputTokens)), 9)
    const [spread, ...others] = tokens.spread?.models ?? []
    expect(others).toEqual([])
    expect(spread).toMatchObject({ model: 'thinker', n: 40 })
    expect(spread?.bins.reduce((sum, n) => sum + n, 0)).toBe(40)
    for (const [bin, n] of (spread?.bins ?? []).entries()) {
      const [low = 0, high = 0] = tokens.spread?.edges.slice(bin, bin + 2) ?? []
      const last = bin === (spread?.bins.length ?? 0) - 1
      expect(thinker.filter((one) => one >= low - 1e-6 && (last || one < high - 1e-6))).toHaveLength(n)
    }
    const sorted = thinker.toSorted((a, b) => b - a)
    const named = tokens.dearest.map(({ models }) => models.find(({ model }) => model === 'thinker')?.means.reasoning)
    expect(named).toEqual(sorted)
    // Longer chains are thought about for longer, and the intervals hold their means.
    const levels = tokens.levels.toSorted((a, b) => Number(a.x) - Number(b.x))
    expect(levels.map(({ mean: one }) => one.value)).toEqual(
      levels.map(({ mean: one }) => one.value).toSorted((a, b) => a - b),
    )
    expect(levels.every(({ mean: one }) => one.low <= one.value && one.value <= one.high)).toBe(true)
    const answers = await tokensOf(viewed, { ...asked, measure: 'answer' })
    expect(answers.spread?.models.map(({ model, middle }) => [model, middle])).toEqual([
      ['talker', 7],
      ['thinker', 12],
    ])
    await expect(tokensOf(viewed, { ...asked, x: 'nothing' })).rejects.toThrow('no feature "nothing"')
    expect((await tokensOf(viewed, { ...asked, task: 'recoglab/comparison' })).configs).toEqual(tokens.configs)
    expect((await tokensOf(viewed, { ...asked, task: "x' OR 1=1 --" })).measure).toBeNull()
  } finally {
    await viewed.close()
    rmSync(folder, { recursive: true })
  }
})

test('a run whose models count nothing has only its times', async () => {
  const folder = await toyFolder()
  const [place] = (await findPlaces([folder])).filter(({ kind }) => kind === 'run')
  const viewed = await viewRun(place?.path ?? '', [])
  try {
    const tokens = await tokensOf(viewed, { measure: 'reasoning', x: null, task: null })
    for (const counted of ['reasoning', 'answer', 'prompt'] as const) expect(tokens.measures).not.toContain(counted)
    expect(tokens.measure).not.toBe('reasoning')
  } finally {
    await viewed.close()
    rmSync(folder, { recursive: true })
  }
})
