import { describe, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { type Config, languagesOf } from '../../../src/tasks/pbebench/sound-laws/config.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'

const configOf = (source: object) =>
  soundLaws.configure({ languages: [{ name: 'own', ...source }] }) as unknown as Config

describe('word pairs', () => {
  it('come as pairs, as aligned texts and as CSV alike', () => {
    const pairs = [
      ['aso', 'aro'],
      ['tʃ', 'ʃ'],
    ]
    const texts = [
      { pairs },
      { earlier: 'aso\ntʃ\n', later: 'aro\r\nʃ\n' },
      { csv: 'earlier,later\naso,aro\n"tʃ",ʃ\n' },
    ]
    for (const source of texts) expect(languagesOf(configOf(source))).toEqual([{ name: 'own', pairs, laws: null }])
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
    ['texts that do not line up', { earlier: 'a\nb', later: 'a' }, /same number of lines, got 2 and 1/],
    ['a line of three fields', { csv: 'a,b\nc,d,e' }, /own, line 2: expected two fields, got 3/],
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
