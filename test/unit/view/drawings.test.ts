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
      const drawings = task.drawings?.({ shared, given, answer }) ?? []
      expect(drawings.length).toBeGreaterThan(0)
      for (const drawing of drawings) expect(drawingOf(drawing)).not.toBeNull()
      drawn++
    }
    expect(drawn).toBeGreaterThan(0)
  },
)

test.each([
  ['symbolic-distance', { network: 'chain' }],
  ['symbolic-distance', { ask: 'consistency' }],
])('statements that decide a comparison are a marked way along the arrows: %s %j', (preset, change) => {
  const task = tasks.find(({ name }) => name === 'recoglab/comparison')
  if (task === undefined) throw new Error('no recoglab/comparison')
  const source = task.source({ ...task.preset(preset).config, ...change } as never, { split: 'test', seed: 'ways' })
  const answers = new Set<string>()
  for (let index = 0; index < 8; index++) {
    const item = source.item(index)
    if (item.kind === 'hole') continue
    const { shared, given, answer } = item
    const drawing = drawingOf(task.drawings?.({ shared, given, answer })[0] ?? null)
    if (drawing?.kind !== 'graph') throw new Error('no graph')
    answers.add(String(answer))
    const way = drawing.edges.filter(({ marked }) => marked)
    const ends = drawing.nodes.filter(({ marked }) => marked).map(({ id }) => id)
    const balance = new Map<number, number>()
    for (const { from, to } of way) {
      balance.set(from, (balance.get(from) ?? 0) + 1)
      balance.set(to, (balance.get(to) ?? 0) - 1)
    }
    const open = [...balance].filter(([, more]) => more !== 0).map(([id]) => id)
    if (answer === 'Consistent') expect(way).toEqual([])
    else if (answer === 'Inconsistent') expect([way.length > 1, open]).toEqual([true, []])
    else expect(new Set(open)).toEqual(new Set(ends))
  }
  expect(answers.size).toBe(2)
})
