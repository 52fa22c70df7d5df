import { expect, test } from 'vitest'
import { families } from '../../../src/tasks/index.ts'
import { drawingOf } from '../../../src/view/client/truth/kinds.ts'

const tasks = families.flatMap((family) => family.tasks)

test.each(tasks.map((task) => [task.name, task] as const))(
  'every drawing of %s is of a kind that the view draws',
  (_, task) => {
    const names = Object.keys(task.presets)
    // A preset for a look, where a task has one: the sets of others may take seconds to plan.
    const preset = names.find((name) => name.endsWith('-demo')) ?? names[0] ?? ''
    const source = task.source(task.preset(preset).config, { split: 'test', seed: 'drawings' })
    let drawn = 0
    for (let index = 0; index < Math.min(4, source.layout.size ?? 4); index++) {
      const item = source.item(index)
      if (item.kind === 'hole') continue
      const { shared, given, answer } = item
      const drawings = task.view?.({ shared, given, answer }) ?? []
      expect(drawings.length).toBeGreaterThan(0)
      for (const drawing of drawings) expect(drawingOf(drawing)).not.toBeNull()
      drawn++
    }
    expect(drawn).toBeGreaterThan(0)
  },
)
