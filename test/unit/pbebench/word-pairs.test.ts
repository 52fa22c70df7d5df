import { describe, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { type Config, languagesOf } from '../../../src/tasks/pbebench/sound-laws/config.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import { alignedPairs } from '../../../src/tasks/pbebench/sound-laws/word-pairs.ts'

const configOf = (source: object) =>
  soundLaws.configure({ languages: [{ name: 'own', ...source }] }) as unknown as Config

describe('word pairs', () => {
  it('come as pairs and as aligned texts alike', () => {
    const pairs: [string, string][] = [
      ['aso', 'aro'],
      ['tʃ', 'ʃ'],
    ]
    expect(languagesOf(configOf({ pairs }))).toEqual([{ name: 'own', pairs, laws: null }])
    expect(alignedPairs('own', 'aso\ntʃ\n', 'aro\r\nʃ\n')).toEqual(pairs)
    expect(() => alignedPairs('own', 'a\nb', 'a')).toThrow(/same number of lines, got 2 and 1/)
  })

  it.each([
    ['an earlier word that is empty', { pairs: [['', 'b']] }, /own, line 1: the earlier word is empty/],
    [
      'a line break in a word',
      {
        pairs: [
          ['a', 'b'],
          ['c\nd', 'e'],
        ],
      },
      /own, line 2: a word must not hold a line break/,
    ],
    ['a letter above U+FFFF', { pairs: [['𐌰', 'b']] }, /own, line 1: letters above U\+FFFF/],
  ])('with %s are refused, the place named', (_, source, message) => {
    let thrown: unknown = null
    try {
      languagesOf(configOf(source))
    } catch (error) {
      thrown = error
    }
    expect(isUsageError(thrown)).toBe(true)
    expect((thrown as Error).message).toMatch(message)
  })
})
