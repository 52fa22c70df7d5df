import { expect, it } from 'vitest'
import { follow } from '../../../src/cli/commands/view.ts'

it('brings copies up to date until told to stop, and tells the same trouble once', async () => {
  const stop = new AbortController()
  const brought: string[] = []
  const told: string[] = []
  const troubles = [null, 'away', 'away', null, 'away', 'gone']
  const bring = (path: string): Promise<void> => {
    brought.push(path)
    const trouble = path === 'b' ? (troubles.shift() ?? null) : null
    if (troubles.length === 0) stop.abort()
    return trouble === null ? Promise.resolve() : Promise.reject(new Error(trouble))
  }
  await follow(['a', 'b'], bring, (trouble) => told.push(trouble), stop.signal, 1)
  expect(brought.join('')).toBe('ab'.repeat(6))
  expect(told).toEqual(['away', 'away', 'gone'])
})

it('has nothing to do where nothing is in a store', async () => {
  await follow([], () => Promise.reject(new Error('asked')), expect.unreachable, new AbortController().signal, 1)
})
