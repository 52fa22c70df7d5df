import { describe, expect, it } from 'vitest'
import { type Beyond, depthOf } from '../../../../bench/locality.ts'
import { kinship } from '../../../../src/tasks/clutrr/kinship/task.ts'
import { comparison } from '../../../../src/tasks/recoglab/comparison/task.ts'
import { social } from '../../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../../src/tasks/recoglab/syllogism/task.ts'
import { sample } from '../../../nightly.ts'

/**
 * The law of depth: whatever lies within r statements of what is asked tells nothing of items whose proof needs more. The
 * best of five learners is taken; `npm run bench -- locality` asks it of all presets.
 */

const count = sample({ nightly: 3000, otherwise: 400 })

/** Standard errors above chance. */
const excess = ({ accuracy, chance, n }: Beyond): number => (accuracy - chance) / Math.sqrt((chance * (1 - chance)) / n)

describe('readers of fewer statements than the proof needs', () => {
  // Last: whether learners of counts find the answer where the proof lies within what they read.
  it.each([
    ['people', comparison, true],
    ['tree', comparison, true],
    ['oldest-16', social, false],
    ['hops-chain-10', social, true],
    ['hops-6', kinship, false],
    ['judge', syllogism, true],
  ] as const)('are at chance: %s', async (preset, task, isFound) => {
    const { reads, beyond } = await depthOf(task, preset, count)
    expect(beyond.length).toBeGreaterThan(1)
    for (const one of beyond) expect(one).toSatisfy((found: Beyond) => excess(found) < 4)
    const within = reads.filter(({ level, radius }) => level >= radius).map(({ accuracy }) => accuracy)
    if (isFound) expect(Math.max(...within)).toBeGreaterThan(0.6)
  })

  it('are not where a shortcut was published', async () => {
    const { beyond } = await depthOf(comparison, 'feasibility-published', count)
    expect(Math.max(...beyond.map(excess))).toBeGreaterThan(6)
  })
})
