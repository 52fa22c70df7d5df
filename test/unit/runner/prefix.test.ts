import { describe, expect, it } from 'vitest'
import { groupCoverage } from '../../../src/runner/plan/group-coverage.ts'
import { families } from '../../../src/tasks/index.ts'

const layoutOf = (name: string, preset: string) => {
  const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  return task.source(task.preset(preset).config, { split: 'test', seed: '1' }).layout
}

describe('a prefix', () => {
  const layout = layoutOf('relic/recognize', 'relic-demo')

  it('tells how many groups it covers, as the indices say', () => {
    for (const count of [1, 75, 100, 200]) {
      const groups = new Set<number>()
      for (let index = 0; index < count; index++) {
        const place = layout.at(index)
        if ('group' in place) groups.add(place.group)
      }
      expect(groupCoverage(layout, count)).toEqual(groups.size === 4 ? null : { groups: groups.size, of: 4 })
    }
  })

  it('is none where it is the whole, or the set has no end', () => {
    expect(groupCoverage(layout, layout.size ?? 0)).toBeNull()
    expect(groupCoverage(layoutOf('recoglab/comparison', 'people'), 10)).toBeNull()
  })
})
