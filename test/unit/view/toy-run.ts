import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLab } from '../../../src/index.ts'

/** A folder with a run of two embedded baselines and a dataset of the same items. */
export async function toyFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-view-'))
  const lab = await openLab()
  const content = { task: 'recoglab/comparison', preset: 'people', seed: '1' }
  const experiment = { items: [{ ...content, count: 12 }], models: ['baseline:oracle', 'baseline:random'] }
  await lab.run({ experiment, out: join(folder, 'run') })
  await lab.generate({ ...content, count: 12, out: join(folder, 'set') })
  return folder
}

/** What one model thought, answered and read of one item of {@link thinkingFolder}. */
export interface Thought {
  readonly item: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** Left out: the model does not say. */
  readonly reasoningTokens?: number
}

/** A folder with a run of two models that say how many tokens they took; the one of them thinks, the more the longer the chain. */
export async function thinkingFolder(): Promise<{ readonly folder: string; readonly thoughts: readonly Thought[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-thinking-'))
  const lab = await openLab()
  const content = { task: 'recoglab/comparison', preset: 'people', seed: '1', count: 40 }
  const task = lab.task(content.task)
  const source = task.source(task.preset(content.preset).config, { split: 'test', seed: content.seed })
  const thoughts = Array.from({ length: content.count }, (_, index) => source.item(index)).flatMap((item, index) => {
    if (item.kind === 'hole') return []
    const prompt = 200 + index
    const thought = 50 * (1 + Number(item.features['distance'] ?? 0)) + index
    return [
      { item: item.id, model: 'thinker', inputTokens: prompt, outputTokens: thought + 12, reasoningTokens: thought },
      { item: item.id, model: 'talker', inputTokens: prompt, outputTokens: 7 },
    ]
  })
  const models = ['thinker', 'talker'].map((model) => {
    const lines = thoughts
      .filter((one) => one.model === model)
      .map(({ item, inputTokens, outputTokens, reasoningTokens }) => {
        const usage = { inputTokens, outputTokens, reasoningTokens }
        return JSON.stringify({ item, style: 'answer-line', model: 'x', sample: 0, text: 'Answer: Yes', usage })
      })
    const file = join(folder, `${model}.jsonl`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { model: `replay:${file}`, name: model }
  })
  await lab.run({ experiment: { items: [content], models }, out: join(folder, 'run') })
  return { folder, thoughts }
}

/** A folder with a run of two baselines that score strings of a small language after one example and after four. */
export async function scoredFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-scored-'))
  const lab = await openLab()
  const config = { languages: ['g3'], repetitions: 1, examples: [1, 4], distances: [0, 1], tests: 4 }
  const items = [{ task: 'proficiency/discriminate', config, seed: '1' }]
  await lab.run({ experiment: { items, models: ['baseline:oracle', 'baseline:ppm'] }, out: join(folder, 'run') })
  return folder
}
