import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { storedWords } from '../../../src/view/api/index.ts'
import {
  besideTruth,
  countWords,
  formatNumber,
  formatShare,
  formatValue,
  reasonWords,
  rounded,
  shellWord,
  signed,
  small,
  visible,
} from '../../../src/view/client/parts/format.ts'
import { modelName, setModels } from '../../../src/view/client/parts/names.ts'

it('what rounds to 0 is written without a sign, from either side', () => {
  for (const value of [0, -0, 0.04, -0.04]) expect([rounded(value, 1), signed(value, 1)]).toEqual(['0.0', '0.0'])
  expect([rounded(-1.25, 2), signed(-1.25, 2), signed(1.25, 2)]).toEqual(['−1.25', '−1.25', '+1.25'])
})

it('numbers below 0 have a true minus sign, wherever they stand; what only views like one is left', () => {
  expect([formatShare(-0.25), formatNumber(-3.5), formatNumber(-1200)]).toEqual(['−0.250', '−3.5', '−1\u202F200'])
  expect([-7, -0.123456789, -2e-7].map((value) => formatValue(value))).toEqual(['−7', '−0.123457', '−2e−7'])
  expect([formatShare(0.25), formatValue('gpt-4'), formatValue('-7')]).toEqual(['0.250', 'gpt-4', '-7'])
})

it('an answer beside its truth says what it says of the same things, and all of it where that is nothing', () => {
  const read = { order: [2, 0], work: { tried: 1 } }
  expect(besideTruth(read, { order: [0, 2] })).toEqual({ order: [2, 0] })
  expect(besideTruth(read, { rules: [] })).toEqual(read)
  expect(besideTruth('Yes', { order: [] })).toBe('Yes')
  expect(besideTruth([1], [2])).toEqual([1])
})

it('a number and its opposite differ by the sign alone', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.nat(3), (value, digits) => {
      const bare = (text: string): string => text.replace(/^[+−]/u, '')
      expect(bare(signed(value, digits))).toBe(bare(signed(-value, digits)))
      const off = Math.abs(Number(signed(value, digits).replace('−', '-')) - value)
      expect(off).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9)
    }),
  )
})

it('short names of the models of a run are distinct, whatever they begin with', () => {
  expect(modelName('baseline:gold')).toBe('gold (baseline)')
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', '/', ':'), minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      setModels(names)
      expect(new Set(names.map(modelName)).size).toBe(names.length)
    }),
  )
  setModels([])
})

it('what joins two pictures to one sign is part of it, and elsewhere a sign that can be seen', () => {
  const family = '\u{1F469}\u200D\u{1F467}, \u{1F469}\u{1F3FD}\u200D\u{1F4BB}, \u2764\uFE0F\u200D\u{1F525}'
  expect(visible(family)).toBe(family)
  expect(visible('a\u200Db \u{1F469}\u200D \u200C\u202E')).toBe('a‹U+200D›b \u{1F469}‹U+200D› ‹U+200C›‹U+202E›')
})

it('a word of a command line is one word to a shell, and runs nothing', () => {
  const names = [
    'baseline:cyk',
    "x'; echo owned; '",
    '$(echo owned)',
    '`echo owned`',
    'two words',
    '',
    '~',
    '-n',
    '*',
    '\\',
    '"',
  ]
  for (const name of names)
    expect(execFileSync('sh', ['-c', `printf '%s|' ${shellWord(name)}`], { encoding: 'utf8' })).toBe(`${name}|`)
})

it('what a response took is said in the singular of one, and long numbers in threes', () => {
  expect(countWords('output tokens', 1)).toBe('1 output token')
  expect(countWords('output tokens', 0)).toBe('0 output tokens')
  expect(countWords('reasoning tokens', 199722)).toBe('199\u202F722 reasoning tokens')
  expect(countWords('finished by', 'itself')).toBe('itself finished by')
})

it('a number near 0 holds no hyphen, at which a line would break', () => {
  expect(small(1.14e-11)).toBe('1.1e\u221211')
  expect(small(0)).toBe('<1e\u2212300')
})

it('a reason that counts one says so, and other counts stay', () => {
  expect(reasonWords('the language has 1 strings of length 2, up to renaming')).toContain('has 1 string of')
  for (const same of ['no more than 11 strings of length 1', 'has 0 strings']) expect(reasonWords(same)).toBe(same)
})

it('answers are said as a person writes them down, whatever a task makes of them', () => {
  expect(formatValue(['Silja'])).toBe('Silja')
  expect(
    formatValue(
      [
        ['wf', 'e'],
        ['f', ''],
      ],
      200,
    ),
  ).toBe('(wf, e), (f, "")')
  expect(formatValue({ order: [4, 3, 2], work: { relations: [], precedences: [] } })).toBe('order 4, 3, 2')
  expect(formatValue(['( ) ( )', '( )'])).toBe('( ) ( ) · ( )')
  expect(formatValue({ kind: 'uniform', low: -8, high: 24 })).toBe('kind uniform; low −8; high 24')
  expect([formatValue([]), formatValue({}), formatValue([true, null])]).toEqual(['nothing', 'nothing', 'yes, none'])
  expect([storedWords('{"order":[2,1]}'), storedWords('[1, 2'), storedWords('Yes')]).toEqual([
    'order 2, 1',
    '[1, 2',
    'Yes',
  ])
})
