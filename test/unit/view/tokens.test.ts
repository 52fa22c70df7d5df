import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loglikelihood } from '../../../src/view/api/index.ts'
import { findFolders } from '../../../src/view/server/folders.ts'
import { viewRun } from '../../../src/view/server/open-runs.ts'
import { loglikelihoodOf } from '../../../src/view/server/overview.ts'
import { configsOf, levelsOf, tokensOf } from '../../../src/view/server/tokens.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { scoredFolder, thinkingFolder, toyFolder } from './toy-run.ts'

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

test('means, distributions and the items that took most are those of the lines', async () => {
  const { folder, thoughts } = await thinkingFolder()
  const [place] = (await findFolders([folder])).filter(({ kind }) => kind === 'run')
  const viewed = await viewRun(place?.path ?? '', [])
  try {
    const asked = { measure: null, x: 'distance', task: null, parser: 'strict', modelPage: 0, subset: null }
    const tokens = await tokensOf(viewed, asked)
    expect(tokens.measures).toEqual(expect.arrayContaining(['reasoning', 'answer', 'prompt']))
    expect(tokens.measure).toBe('reasoning')
    const of = (model: string) => thoughts.filter((one) => one.model === model)
    const config = (model: string) => tokens.configs.find((one) => one.model === model)
    const thinker = of('thinker').map(({ reasoningTokens = 0 }) => reasoningTokens)
    expect(config('thinker')).toMatchObject({ cells: 40, known: 40 })
    expect(config('thinker')?.means.reasoning).toMatchObject({ value: expect.closeTo(mean(thinker), 9), n: 40 })
    // What was thought is a part of the output, and no part of the answer; who says nothing of thinking only answers.
    expect(config('thinker')?.means.answer?.value).toBe(12)
    expect(config('talker')?.means).toMatchObject({ answer: { value: 7 }, reasoning: null })
    expect(config('talker')?.means.prompt?.value).toBeCloseTo(
      mean(of('talker').map(({ inputTokens }) => inputTokens)),
      9,
    )
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
    // Every answer of theirs is "Yes": half of the items say so, and none is unread.
    const thought = (outcome: string) =>
      tokens.outcomes.find((one) => one.model === 'thinker' && one.outcome === outcome)?.mean
    expect(tokens.outcomes.map(({ outcome }) => outcome)).toEqual(['correct', 'incorrect'])
    const [right, wrong] = [thought('correct'), thought('incorrect')]
    expect((right?.n ?? 0) + (wrong?.n ?? 0)).toBe(40)
    expect(((right?.value ?? 0) * (right?.n ?? 0) + (wrong?.value ?? 0) * (wrong?.n ?? 0)) / 40).toBeCloseTo(
      mean(thinker),
      9,
    )
    expect((await tokensOf(viewed, { ...asked, parser: 'no-such-parser' })).outcomes).toEqual([])
    const answers = await tokensOf(viewed, { ...asked, measure: 'answer' })
    // Whatever lies across, the rest is the same.
    expect(await tokensOf(viewed, { ...asked, x: null })).toEqual({ ...tokens, x: null, levels: [] })
    expect(answers.spread?.models.map(({ model, middle }) => [model, middle])).toEqual([
      ['thinker', 12],
      ['talker', 7],
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
  const [place] = (await findFolders([folder])).filter(({ kind }) => kind === 'run')
  const viewed = await viewRun(place?.path ?? '', [])
  try {
    const tokens = await tokensOf(viewed, {
      measure: 'reasoning',
      x: null,
      task: null,
      parser: 'strict',
      modelPage: 0,
      subset: null,
    })
    for (const counted of ['reasoning', 'answer', 'prompt'] as const) expect(tokens.measures).not.toContain(counted)
    expect(tokens.measure).not.toBe('reasoning')
  } finally {
    await viewed.close()
    rmSync(folder, { recursive: true })
  }
})

test('scored tasks bring the tables of their own for the page, number for number as in the report', async () => {
  const folder = await scoredFolder()
  const [place] = (await findFolders([folder])).filter(({ kind }) => kind === 'run')
  const viewed = await viewRun(place?.path ?? '', [])
  try {
    const scored = await loglikelihoodOf(viewed)
    expect(scored.tasks).toEqual(['proficiency/discriminate'])
    const [auc, roc] = scored.analyses.flatMap(({ tables }) => tables)
    const ofAuc = auc?.rows.filter(({ distance }) => distance === '1') ?? []
    expect(ofAuc.map(({ model, k, chance }) => [model, k, chance])).toEqual([
      ['baseline:oracle', 4, 0.5],
      ['baseline:ppm', 4, 0.5],
      ['length only', 4, 0.5],
    ])
    expect(ofAuc[0]?.['auc']).toMatchObject({ value: 1, n: 8 })
    expect(roc?.rows.every(({ chance, falseAlarms }) => chance === falseAlarms)).toBe(true)
    expect(loglikelihood.parse(JSON.parse(JSON.stringify(scored)))).toEqual(scored)
  } finally {
    await viewed.close()
    rmSync(folder, { recursive: true })
  }
})

test('means that are too many to be seen are counted, and the page has the others', async () => {
  const rows = Array.from({ length: 2001 }, (_, i) => ({
    model: 'one',
    item: `item ${i}`,
    group: `group ${i}`,
    seconds: i,
    feature_many: i,
    feature_few: i % 2,
  }))
  const frames = await framesFromRows(rows)
  expect(levelsOf(frames, 'seconds', 'many')).toEqual({ levels: [], crowded: 2001 })
  expect(levelsOf(frames, 'seconds', 'few')).toMatchObject({
    levels: [{ mean: { n: 1001 } }, { mean: { n: 1000 } }],
    crowded: null,
  })
})

test('an interval of what is counted ends at 0, and a single group is one group', async () => {
  const at = { task: 't', config: 'c', style: 's', model: 'one' }
  const rows = [0, 0, 0, 0, 90].map((seconds, i) => ({
    ...at,
    item: `item ${i}`,
    group: `g ${i}`,
    seconds,
    feature_x: 1,
  }))
  const [level] = levelsOf(await framesFromRows(rows), 'seconds', 'x').levels
  expect(level).toMatchObject({ mean: { value: 18, low: 0 }, groups: 5 })
  const alone = await framesFromRows(rows.slice(4))
  const frame = alone.frame('strict')
  expect(frame === null ? [] : configsOf(frame, 0.95)).toMatchObject([{ ...at, means: { seconds: null }, groups: 1 }])
})
