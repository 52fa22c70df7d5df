import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { localLearner } from '../../../src/models/providers/local-learner.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'

const named = (name: string): Task => {
  const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`no ${name}`)
  return task
}

/** Share of test items whose choice the reader of a level picks. */
function accuracy(task: Task, preset: string, level: number, items: number): number {
  const { config } = task.preset(preset)
  const source = task.source(config, { split: 'test', seed: '1' })
  const read = localLearner(task, config, level)
  let [asked, right] = [0, 0]
  for (let index = 0; index < items; index++) {
    const item = source.item(index)
    const structure = item.kind === 'item' ? task.anonymize?.(item) : undefined
    if (item.kind !== 'item' || structure === undefined) continue
    const choices = task.choices?.(item) ?? []
    const found = task.parsers?.strict(choices[read(structure, choices.length) ?? 0] ?? '', item)
    asked++
    if (found?.kind === 'extracted' && task.grade?.(item, found.answer).value === 1) right++
  }
  return right / asked
}

const items = sample({ nightly: 300, otherwise: 50 })

describe('a reader of short range', () => {
  it('knows nothing below the proof radius, and all from there on', () => {
    const syllogism = named('recoglab/syllogism')
    expect(accuracy(syllogism, 'judge', 1, items)).toBeLessThan(0.6)
    expect(accuracy(syllogism, 'judge', 2, items)).toBeGreaterThan(0.97)
  })

  it('picks among the terms that are offered', () => {
    const social = named('recoglab/social')
    expect(accuracy(social, 'next-hop-tree-10', 2, items)).toBeGreaterThan(0.9)
    if (!nightly) return
    const below = accuracy(social, 'oldest-16', 0, items)
    expect(below).toBeGreaterThan(0.2)
    expect(below).toBeLessThan(0.47)
  })
})
