import { expect, it } from 'vitest'
import type { Outline } from '../../../src/view/api/index.ts'
import { firstFeature, layable } from '../../../src/view/client/parts/features.ts'

const feature = (name: string, tasks: readonly string[], levels = [1, 2, 3]): Outline['features'][number] => ({
  name,
  type: 'number',
  levels,
  more: false,
  tasks: [...tasks],
  hard: [],
})
const outline = (tasks: readonly string[], features: Outline['features']) =>
  ({ run: { tasks }, features }) as unknown as Pick<Outline, 'run' | 'features'>
const names = (features: Outline['features']) => features.map(({ name }) => name)

it('lays numbers of one task over what its items differ in, and those of all over what is of one task alone', () => {
  const two = outline(['toy/a', 'toy/b'], [feature('size', ['toy/a', 'toy/b']), feature('hops', ['toy/b'])])
  expect(names(layable(two, null))).toEqual(['hops'])
  expect(names(layable(two, 'toy/a'))).toEqual(['size'])
  expect(names(layable(two, 'toy/b'))).toEqual(['size', 'hops'])
  expect(firstFeature(layable(outline(two.run.tasks, [feature('size', ['toy/a', 'toy/b'])]), null))).toBeNull()
})

it('lays those of a run of one task over whatever has several levels', () => {
  const one = outline(['toy/a'], [feature('size', ['toy/a']), feature('kind', [], [1])])
  expect(names(layable(one, null))).toEqual(['size'])
  expect(names(layable(one, 'toy/a'))).toEqual(['size'])
})

it('lays them first over a number that makes items hard, as their task says, of more than two values where there is one', () => {
  const [size, hops, depth] = ['size', 'hops', 'depth'].map((name) => feature(name, ['toy/a'])) as [
    Outline['features'][number],
    Outline['features'][number],
    Outline['features'][number],
  ]
  const two = { ...hops, levels: [1, 2], hard: ['toy/a'] }
  expect(firstFeature([size, two, { ...depth, hard: ['toy/a'] }])).toBe('depth')
  expect(firstFeature([size, two, depth])).toBe('hops')
  expect(firstFeature([size, hops])).toBe('size')
})
