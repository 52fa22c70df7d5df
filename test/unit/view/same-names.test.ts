import { expect, test } from 'vitest'
import { disambiguate } from '../../../src/view/client/parts/names.ts'

test('runs of one name are told apart by the end of the path, as much as differs, and the minute', () => {
  const run = (id: string, name: string, path: string) => ({ id, name, path, created: '2026-11-02T14:05:09' })
  const found = disambiguate([
    run('a', 'relic', '/r/one/x'),
    run('b', 'relic', '/r/two/x'),
    run('c', 'relic', '/r/three'),
    run('d', 'other', '/r/four'),
  ])
  expect(Object.fromEntries(found)).toEqual({
    a: 'one/x, 2026-11-02 14:05',
    b: 'two/x, 2026-11-02 14:05',
    c: 'three, 2026-11-02 14:05',
  })
})
