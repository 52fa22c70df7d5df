import {
  below,
  float,
  hex,
  labelKey,
  planHash,
  rootKey,
  sha256Hex,
  streamFromKey,
  streamKey,
} from '../../src/core/index.ts'
import { families } from '../../src/tasks/index.ts'
import { streamVectors } from '../unit/core/stream-vectors.ts'

/** What a platform makes of the stream vectors, in their form. */
export function streams() {
  return streamVectors.map(([task, version, split, seed, label, indices]) => {
    const key = streamKey(labelKey(rootKey(task, version, split, seed), label), indices)
    const words = streamFromKey(key)
    const dice = streamFromKey(key)
    return [
      hex(key).slice(0, 32),
      Array.from({ length: 3 }, () => words.u32().toString(16).padStart(8, '0')).join(' '),
      float(streamFromKey(key)),
      Array.from({ length: 5 }, () => below(dice, 1000)).join(' '),
    ]
  })
}

/** Every preset of every task. */
export const presets = (): { task: string; preset: string }[] =>
  families.flatMap(({ tasks }) =>
    tasks.flatMap((task) => Object.keys(task.presets).map((preset) => ({ task: task.name, preset }))),
  )

/**
 * Hashes of the plan and of some items and prompts of a preset: the first two, one in the middle and the last (or
 * 1,000,003 of an endless one).
 */
export function hashes(name: string, preset: string): { readonly [what: string]: string } {
  const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`there is no task ${name}`)
  const source = task.source(task.preset(preset).config, { split: 'test', seed: 'browser' })
  const { size } = source.layout
  const last = size === null ? 1_000_003 : size - 1
  const out: { [what: string]: string } = { plan: planHash(source.plan) }
  for (const index of new Set([0, Math.min(1, last), Math.floor(last / 2), last])) {
    const item = source.item(index)
    out[`item ${index}`] = `${item.kind} ${item.hash}`
    if (item.kind === 'hole') continue
    for (const style of task.styles)
      out[`prompt ${index} ${style}`] = sha256Hex(JSON.stringify(source.request(item, style)))
  }
  return out
}
