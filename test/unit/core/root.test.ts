import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { itemsRoot } from '../../../src/core/index.ts'
import necklace from '../../toys/necklace.ts'

const of = (...bytes: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of bytes) hash.update(typeof part === 'string' ? Buffer.from(part, 'hex') : part)
  return hash.digest()
}
const open = (preset: string) => necklace.source(necklace.preset(preset).config, { split: 'test', seed: 1 })

it('the root of items is that of RFC 9162 over their hashes, holes and all', () => {
  const source = open('small')
  const leaf = (index: number) => of('00', source.item(index).hash)
  expect(itemsRoot(source, 0)).toBe(createHash('sha256').digest('hex'))
  expect(itemsRoot(source, 1)).toBe(leaf(0).toString('hex'))
  expect(itemsRoot(source, 3)).toBe(of('01', of('01', leaf(0), leaf(1)), leaf(2)).toString('hex'))
  expect(itemsRoot(source)).toBe(itemsRoot(source, 96))
  expect(() => source.item(96)).toThrow()
})

it('an endless source has a root only of so many', () => {
  expect(itemsRoot(open('endless'), 5)).toHaveLength(64)
  expect(() => itemsRoot(open('endless'))).toThrow('the source is endless: pass a count')
})
