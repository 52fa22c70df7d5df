import { describe, expect, it } from 'vitest'
import { fillerOf, flavour, impliedFlavour } from '../../../src/libraries/language/filler.ts'
import { lenientList, parseArrows, parseList, strictList } from '../../../src/libraries/language/lists.ts'
import { lenientNumber, strictNumber } from '../../../src/libraries/language/numbers.ts'
import { sources, things } from '../../../src/libraries/language/objects.ts'
import {
  firstNames,
  nonsense,
  randomStrings,
  streets,
  surnames,
  towns,
} from '../../../src/libraries/language/people.ts'
import { branchOf, isKindOf, readTaxonomy, taxonomy } from '../../../src/libraries/language/taxonomy.ts'
import { wordBucket } from '../../../src/libraries/language/word-partition.ts'

/** Train, validation, test and every custom split, as masks of regions. */
const splits = [0b1111, 0b10000, 0b1100000, 0b10000000]

const KINDS = ['prose', 'person', 'thing', 'kind'] as const

describe('word lists', () => {
  it.each([
    ['first names', firstNames],
    ['surnames', surnames],
    ['towns', towns],
    ['streets', streets],
    ['codes', randomStrings],
    ['nonsense', nonsense],
  ])('%s are distinct, sorted, and divided among the splits', (_, list) => {
    expect(new Set(list.all).size).toBe(list.all.length)
    expect(list.all).toEqual([...list.all].sort())
    const parts = splits.map((mask) => list.of(mask))
    expect(parts.reduce((sum, part) => sum + part.length, 0)).toBe(list.all.length)
    for (const part of parts) expect(part.length).toBeGreaterThan(70)
  })

  it('has more than 500 things with sources and proper intervals', () => {
    expect(things.all.length).toBeGreaterThan(500)
    for (const { name, size, weight, source } of things.all) {
      expect(size[0] > 0 && size[0] < size[1], name).toBe(true)
      expect(weight[0] > 0 && weight[0] < weight[1], name).toBe(true)
      expect(sources[source]).toBeTypeOf('string')
    }
  })

  it('has eighty flavours of each relation, each with both people once', () => {
    for (const sentences of Object.values(flavour)) {
      expect(new Set(sentences).size).toBeGreaterThanOrEqual(80)
      for (const sentence of sentences) {
        expect(sentence.split('{a}').length).toBe(2)
        expect(sentence.split('{b}').length).toBe(2)
      }
    }
    const filler = KINDS.map((kind) => new Set(fillerOf(kind).flat()).size)
    expect(filler).toEqual([130 + 24 * 18 * 18, ...[30, 20, 12].map((written) => written + 16 ** 3)])
  })

  it('says outright who is whose parent, and no age', () => {
    const outright =
      /parents? (of|to) \{b\}|child of \{a\}|their (\w+ )?child \{b\}|their parent \{a\}|parent and \{b\} as their child/
    for (const sentence of flavour.parent) {
      expect(sentence).toMatch(outright)
      expect(sentence).not.toMatch(
        /newborn|infant|baby|unborn|expected|(only|first|second|youngest|oldest) child|\bago\b/,
      )
    }
  })

  it('says in a word what people are to each other', () => {
    for (const sentence of flavour.friend) expect(sentence).toMatch(/friend/i)
    for (const sentence of flavour.class) expect(sentence).toMatch(/class/i)
    for (const sentence of flavour.enemies) expect(sentence).toMatch(/enem(y|ies)|enmity/i)
  })

  it('lets a relation be seen without a word for it', () => {
    const told =
      /friend|mate\b|buddy|enem(y|ies)|rival|foe|\bhate|mother|father|parent|\bsons?\b|daughter|child|brother|sister|sibling|twin|famil(y|ies)|relat(ed|ive)/i
    for (const sentences of Object.values(impliedFlavour)) {
      expect(new Set(sentences).size).toBeGreaterThanOrEqual(10)
      for (const sentence of sentences) {
        expect(sentence).not.toMatch(told)
        expect(sentence).toMatch(/\{a\}.*\{b\}|\{b\}.*\{a\}/)
      }
    }
  })

  it('leaves articles and capitals to whoever names the thing in a remark', () => {
    for (const sentence of fillerOf('thing').flat()) {
      expect(sentence.split('{a}').length).toBe(2)
      expect(sentence).not.toMatch(/^\{a\}|\b(a|an|the) \{a\}/i)
    }
  })

  it('names nobody in filler and flavour', () => {
    const names = new Set(firstNames.all)
    const filler = KINDS.flatMap((kind) => fillerOf(kind).flat())
    for (const sentence of [...filler, ...Object.values(flavour).flat(), ...Object.values(impliedFlavour).flat()])
      for (const [word] of sentence.slice(1).matchAll(/\b[A-Z][a-z]+\b/g)) expect(names.has(word), sentence).toBe(false)
  })

  it('has a taxonomy of more than 400 nouns in every split, and that is a forest', () => {
    taxonomy.parent.forEach((p, i) => {
      expect(p).toBeLessThan(i)
    })
    expect(new Set(taxonomy.names).size).toBe(taxonomy.names.length)
    const counts = splits.map(
      (mask) => taxonomy.names.filter((name) => ((mask >>> wordBucket(branchOf(name))) & 1) === 1).length,
    )
    for (const count of counts) expect(count).toBeGreaterThan(400)
    expect(() => readTaxonomy({ a: { b: 'c, c' } })).toThrow(/twice/)
    expect(() => readTaxonomy({ a: 'b, , c' })).toThrow(/no name/)
  })

  it('knows what is what', () => {
    const is = (a: string, b: string) => isKindOf(taxonomy, taxonomy.names.indexOf(a), taxonomy.names.indexOf(b))
    expect(is('beagles', 'mammals')).toBe(true)
    expect(is('mammals', 'beagles')).toBe(false)
    expect(is('beagles', 'cobras')).toBe(false)
    expect(is('beagles', 'beagles')).toBe(true)
  })

  it('has a thousand first names in every split', () => {
    for (const mask of splits) expect(firstNames.of(mask).length).toBeGreaterThan(1000)
    for (const name of firstNames.all) expect(name).toMatch(/^[A-Z][a-z]{2,9}$/)
    const other = new Set([...surnames.all, ...towns.all])
    expect(firstNames.all.filter((name) => other.has(name))).toEqual([])
  })
})

describe('lists in responses', () => {
  it.each([
    ['[\'a\', "b", c]', ['a', 'b', 'c']],
    ['path = ["a"]', ['a']],
    ['[]', []],
    ["['it\\'s', 'b',]", ["it's", 'b']],
    ['[a', null],
    ['["a" "b"]', null],
    ['text [a]', null],
    ['[["a"]]', null],
  ])('%s', (text, list) => {
    expect(parseList(text)).toEqual(list)
  })
  it('reads arrows', () => {
    expect(parseArrows('**Ann** -> Bob → Carl.')).toEqual(['Ann', 'Bob', 'Carl'])
    expect(parseArrows('Ann, Bob')).toBeNull()
  })
  it('is strict about the last block and lenient about the rest', () => {
    const text = 'So:\n```python\n["a", "b"]\n```\nThat is the way.'
    expect(strictList(text)).toMatchObject({ answer: ['a', 'b'], rule: 'fenced-list' })
    expect(strictList('<think>```\n["a"]\n```')).toMatchObject({ kind: 'unparsed' })
    expect(strictList('```python\nprint(1)\n```')).toMatchObject({ kind: 'unparsed' })
    expect(strictList('Answer: a -> b')).toMatchObject({ answer: ['a', 'b'], rule: 'final-line-arrows' })
    expect(lenientList('I take ["a", "b"] and go.')).toMatchObject({ answer: ['a', 'b'], rule: 'last-list' })
  })
  it.each([
    ['Answer: [a, b] (not [a, c])\nsee [9]', ['a', 'b']],
    ['Answer: a -> b, not a -> c', ['a', 'b']],
    ['Way: [a, b]\nThe note [1] says x -> y.', ['a', 'b']],
    ['a -> b\nThat is it.', ['a', 'b']],
    ['[a, b]<think>[a]</think>', ['a', 'b']],
  ])('lenient reads %j', (text, list) => {
    const accepts = (names: readonly string[]) => names.every((name) => 'abc'.includes(name))
    expect(lenientList(text, accepts)).toMatchObject({ answer: list })
  })
})

describe('numbers in responses', () => {
  it.each([
    ['Answer: 5', '5'],
    ['It is\n**Five hops.**', '5'],
    ['Answer: 5 hops', '5'],
    ['1,024', '1024'],
    ['3.0', '3'],
  ])('%j', (text, value) => {
    expect(strictNumber(text, ['hops'])).toMatchObject({ answer: value })
  })
  it.each(['3.5', 'five or six', '-2 hops', '5 people', '5\nDone'])('strict does not read %j', (text) => {
    expect(strictNumber(text, ['hops']).kind).toBe('unparsed')
  })
  it.each([
    ['It takes 3 hand-overs, and there is no shorter one.', '3'],
    ['From 2 to 3.\nAnswer: 5.0', '5'],
    ['Step 1, step 2.\nAnswer: 1,000', '1000'],
    ['Answer: 3 (2 + 1)\n\nWith 1 step fewer it fails.', '3'],
    ['Answer:\n4\n\n(3 would not do)', '4'],
    ['Answer: one, as they are friends', '1'],
    ['Answer: 2 + 1 = 3 hops, in 1 way', '3'],
    ['In one hop. One may check that.', '1'],
    ['It takes 12,345 or so', '12345'],
    ['<think>Answer: 7</think>\nperhaps 2', '2'],
  ])('lenient reads %j as %s', (text, value) => {
    expect(lenientNumber(text, ['hops', 'hop', 'handovers'])).toMatchObject({ answer: value })
  })
  it('lenient takes the last one', () => {
    expect(lenientNumber('from 3 to 4 there is one step', ['step'])).toMatchObject({ answer: '1' })
    expect(lenientNumber('no idea').kind).toBe('unparsed')
  })
})
