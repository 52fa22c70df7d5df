import { describe, expect, it } from 'vitest'
import type { Imported } from '../../../src/core/index.ts'
import { applyLaws, parseLaw, printLaw, wordOf, wordText } from '../../../src/libraries/rewriting/sounds/index.ts'
import { realWords } from '../../../src/tasks/pbebench/import/real-words.ts'
import { importSoundChange } from '../../../src/tasks/pbebench/import/sound-laws.ts'
import { knownLaws } from '../../../src/tasks/pbebench/import/word-forms.ts'
import { importCldf, importEdictor } from '../../../src/tasks/pbebench/import/word-lists.ts'
import type { Given } from '../../../src/tasks/pbebench/sound-change/question.ts'
import { soundChange as task } from '../../../src/tasks/pbebench/sound-change/task.ts'
import { soundLaws } from '../../../src/tasks/pbebench/sound-laws/task.ts'
import { importTexts as read, treeOf } from '../importing.ts'

const itemsIn = (entries: readonly Imported[]) => entries.filter((entry) => entry.kind === 'item')
const problemsIn = (entries: readonly Imported[]) =>
  entries.flatMap((entry) => (entry.kind === 'problem' ? [entry.problem] : []))

/** Thirty words; the younger language has b for p and no final vowel. */
const WORDS = ['p', 't', 'k', 'm', 'n'].flatMap((a) => ['a', 'e', 'i', 'o', 'u', 'aː'].map((b) => [a, b, 'l', 'o']))
const YOUNGER = WORDS.map((word) => word.slice(0, -1).map((sound) => (sound === 'p' ? 'b' : sound)))

const forms = [
  'ID,Language_ID,Parameter_ID,Form,Segments,Loan',
  ...WORDS.map((word, i) => `a${i},pro,c${i},x,${word.join(' ')},`),
  ...YOUNGER.map((word, i) => `b${i},you,c${i},x,${word.join(' + ')},${i === 29 ? 'true' : ''}`),
  'z,other,c1,pata,p a,',
].join('\n')
const languages = 'ID,Name\npro,Proto-Toy\nyou,"Young, Toy"\nother,Far'
const cognates = [
  'ID,Form_ID,Cognateset_ID',
  ...WORDS.flatMap((_, i) => [`x${i},a${i},s${i}`, `y${i},b${i},${i === 28 ? 'alone' : `s${i}`}`]),
].join('\r\n')
const metadata = JSON.stringify({ 'dc:license': 'CC-BY-4.0', 'dc:bibliographicCitation': 'Somebody (2020)' })

describe('a CLDF folder', () => {
  const folder = {
    'toy/cldf/forms.csv': forms,
    'toy/cldf/languages.csv': languages,
    'toy/cldf/cognates.csv': cognates,
    'toy/cldf/cldf-metadata.json': metadata,
  }

  it('gives an item for each younger language with its source and licence, without loans and words of other origin', async () => {
    const entries = await read(importCldf, folder)
    const [item, ...more] = itemsIn(entries)
    expect(more).toEqual([])
    expect(item?.features).toMatchObject({
      language: 'Proto-Toy to Young Toy',
      source: 'Somebody (2020)',
      licence: 'CC-BY-4.0',
    })
    const given = item?.given as unknown as Given
    expect(given.words.length + given.unseen.length).toBe(28)
    expect(given.words[0]).toEqual({ older: 'p a l o', younger: ['b a l'] })
    expect(problemsIn(entries)).toEqual(['few-words'])
    expect(entries).toContainEqual({ kind: 'count', name: 'loansLeftOut', add: 1 })
  })

  it('is a source of replace rules beside released words: letters joined, words in order', async () => {
    const { task: name, config } = await realWords(
      treeOf({ ...folder, 'real/atr_x/words.in': 'pata\npuna\n', 'real/atr_x/words.out': 'bata\nbuna\n' }),
    )
    const [released, toy] = config['languages'] as unknown as { name: string; pairs: [string, string][] }[]
    expect(name).toBe('pbebench/sound-laws')
    expect(released).toEqual({
      name: 'atr_x',
      pairs: [
        ['pata', 'bata'],
        ['puna', 'buna'],
      ],
    })
    expect([toy?.name, toy?.pairs.length]).toEqual(['Proto-Toy to Young Toy', 28])
    expect(toy?.pairs).toContainEqual(['palo', 'bal'])
    const source = soundLaws.source(soundLaws.configure(config), { split: 'test', seed: '1' })
    expect([source.layout.size, source.item(1).kind]).toEqual([2, 'item'])
    await expect(realWords(treeOf({ 'notes.txt': 'no words' }))).rejects.toThrow('words.in and words.out')
  })

  it('pairs no words of which nobody says that they are of one origin, where it is said of others', async () => {
    const told = cognates.split('\r\n').filter((line) => !/^[xy](?:3|4|5),/u.test(line))
    const entries = await read(importCldf, { ...folder, 'toy/cldf/cognates.csv': told.join('\n') })
    const given = itemsIn(entries)[0]?.given as unknown as Given
    expect(given.words.length + given.unseen.length).toBe(25)
    // Three words in each of two languages, and one of a language apart.
    expect(entries).toContainEqual({ kind: 'count', name: 'unjudgedLeftOut', add: 7 })
  })

  it('without any word on origin pairs words of one meaning, and says so', async () => {
    const { 'toy/cldf/cognates.csv': _, ...bare } = folder
    const entries = await read(importCldf, bare)
    const given = itemsIn(entries)[0]?.given as unknown as Given
    expect(given.words.length + given.unseen.length).toBe(29)
    expect(problemsIn(entries)).toContain('no-cognates')
  })

  it('is asked and graded like any item', async () => {
    const [item] = itemsIn(await read(importCldf, folder))
    const question = { shared: null, given: item?.given ?? null, answer: item?.answer ?? null }
    const prompt = task.request(question as never, 'standard', undefined as never)
    expect(JSON.stringify(prompt)).toContain('p a l o | Young Toy: b a l')
    const found = task.parsers?.strict('```\nYoung Toy:\np > b\nV > ∅ / _ #\n```', question)
    expect(found?.kind === 'extracted' && task.grade?.(question, found.answer)).toMatchObject({ value: 1 })
    const search = task.baselines?.['shortest-description']
    const text = search?.kind === 'chat' ? search.answer(question, undefined as never) : ''
    const own = task.parsers?.strict(text, question)
    expect(own?.kind === 'extracted' && task.grade?.(question, own.answer).value).toBe(1)
  })

  it('without metadata, older language or whole quotes says so', async () => {
    const { 'toy/cldf/cldf-metadata.json': _, ...bare } = folder
    expect(problemsIn(await read(importCldf, bare))).toContain('licence')
    const renamed = { ...folder, 'toy/cldf/languages.csv': languages.replace('Proto-Toy', 'Toy') }
    expect(problemsIn(await read(importCldf, renamed))).toEqual(['no-older-language'])
    expect(problemsIn(await read(importCldf, { 'forms.csv': 'ID,Form\n1,"p a' }))).toEqual(['malformed'])
  })
})

describe('the older language', () => {
  /** A folder with languages of a table; every one has the younger words, the first the older ones. */
  const folder = (table: string) => {
    const [first, ...others] = table
      .split('\n')
      .slice(1)
      .map((row) => row.split(',')[0])
    const words = [first, ...others].flatMap((id) =>
      (id === first ? WORDS : YOUNGER).map((word, i) => `${id}${i},${id},c${i},x,${word.join(' ')},`),
    )
    return {
      'languages.csv': table,
      'forms.csv': ['ID,Language_ID,Parameter_ID,Form,Segments,Loan', ...words].join('\n'),
    }
  }
  const pairs = async (table: string, ...ancestors: string[]) => {
    const entries = await read(importCldf, folder(table), ancestors)
    return [
      ...itemsIn(entries).map(({ features }) => String(features['language'])),
      ...entries.flatMap((entry) =>
        entry.kind === 'problem' && entry.problem === 'no-older-language' ? [entry.message] : [],
      ),
    ]
  }
  const grouped =
    'ID,Name,Family,Clade\nl,Latin,IE,Italic;Roman\nf,Old French,IE,Italic;Roman\no,Oscan,IE,Italic;Sabellic\ng,Gothic,IE,Germanic'

  it('is never one that is only called old', async () => {
    expect(await pairs('ID,Name\na,Old Toy\nb,Toy')).toEqual([
      'no language is called Proto-... or *...: name the one that the others descend from, --ancestor NAME. There are Old Toy, Toy',
    ])
    expect(await pairs('ID,Name\na,Old Toy\nb,Toy\nc,New Toy', 'old toy')).toEqual([
      'Old Toy to Toy',
      'Old Toy to New Toy',
    ])
  })

  it('has the descendants that its group has, or that the user names', async () => {
    expect(
      await pairs('ID,Name,Family,SubGroup\np,Proto-Romance,IE,\nf,French,IE,Romance\ng,Gothic,IE,Germanic'),
    ).toEqual(['Proto-Romance to French'])
    expect(
      await pairs(
        'ID,Name,Family,Glottolog_Name\np,Proto-Tucano,Tucanoan,Tucanoan\nf,Tuyuca,Tucanoan,Tuyuca\ng,Cubeo,Tucanoan,Cubeo',
      ),
    ).toEqual(['Proto-Tucano to Tuyuca', 'Proto-Tucano to Cubeo'])
    expect(await pairs(grouped, 'l=Roman')).toEqual(['Latin to Old French'])
    expect(await pairs(grouped, 'Latin=f,oscan')).toEqual(['Latin to Old French', 'Latin to Oscan'])
    expect(await pairs(grouped, 'Latin=Italic', 'Gothic=Latin')).toEqual([
      'Latin to Old French',
      'Latin to Oscan',
      'Gothic to Latin',
    ])
  })

  it('is refused in words where the list does not say what descends from it', async () => {
    expect(await pairs(grouped, 'Latin')).toEqual([
      'the list does not say which languages descend from Latin: --ancestor "Latin=A,B,..." with names or groups; "Latin=Roman" for Old French',
    ])
    expect(await pairs('ID,Name,Family,Glottolog_Name\na,Proto-Aztecan,UA,Aztec\nb,Pipil,UA,Pipil')).toEqual([
      'the list does not say which languages descend from Proto-Aztecan: --ancestor "Proto-Aztecan" if all others do; --ancestor "Proto-Aztecan=A,B,..." with names or groups; "Proto-Aztecan=UA" for Pipil',
    ])
    expect(await pairs('ID,Name,Family\na,Proto-Aztecan,UA\nb,Pipil,UA', 'Proto-Aztecan')).toEqual([
      'Proto-Aztecan to Pipil',
    ])
    expect(await pairs(grouped, 'Latin=Frenhc')).toEqual([
      'no language "Frenhc" in the list; there are Latin, Old French, Oscan, Gothic',
    ])
    expect(await pairs(grouped, 'Latni')).toEqual([
      'no language "Latni" in the list (did you mean "Latin"?); there are Latin, Old French, Oscan, Gothic',
    ])
  })
})

describe('an EDICTOR file', () => {
  const tsv = [
    '# wordlist',
    '#@source=Field notes',
    '#@licence=CC0',
    'ID\tDOCULECT\tCONCEPT\tTOKENS\tCOGID\tLOAN',
    ...WORDS.map((word, i) => `${i + 1}\tProto-Toy\tc${i}\t${word.join(' ')}\t${i + 1}\t`),
    ...YOUNGER.map((word, i) => `${i + 50}\tToy\tc${i}\t${word.join(' ')}\t${i + 1}\t${i === 0 ? '1' : ''}`),
    'broken line',
  ].join('\n')

  it('gives items with cognates, loans left out', async () => {
    const entries = await read(importEdictor, { 'toy.tsv': tsv })
    const [item] = itemsIn(entries)
    expect(item?.features).toMatchObject({ source: 'Field notes', licence: 'CC0', languages: 1 })
    const given = item?.given as unknown as Given
    expect(given.words.length + given.unseen.length).toBe(29)
    expect(problemsIn(entries)).toEqual([])
  })

  it('without the columns is no word list, and says what its head is', async () => {
    for (const [text, message] of [
      ['a\tb\n1\t2', 'expected a head with DOCULECT, got a, b'],
      ['ID\tDOCULECT\n1\t2', 'expected a head with TOKENS, SEGMENTS, IPA or FORM, got ID, DOCULECT'],
    ] as const)
      expect(await read(importEdictor, { 'x.tsv': text })).toMatchObject([{ problem: 'malformed', message }])
  })

  it('of LingPy has facts, remarks and blocks between its lines, other names of columns, and line ends of Windows', async () => {
    const [head = '', ...rows] = tsv.split('\n').slice(3)
    const qlc = [
      '# Wordlist',
      '@title:Invented',
      '@licence:CC0',
      '<json id="x">',
      'ID\tDOCULECT\tIPA',
      '</json>',
      '<msa id="1" ref="cogid">',
      '1\tProto-Toy\tp\ta',
      '</msa>',
      head.replace('DOCULECT', 'Language').replace('COGID', 'COGID\tCOGIDS').replace('TOKENS', 'Segments'),
      '#',
      ...rows.map((row) => row.replace(/(\d+)\t(1?)$/u, '\t$1\t$2').replace(/\t(\S)(?= \S+ l)/u, '\t*$1')),
    ].join('\r\n')
    const [plain, other] = await Promise.all([
      read(importEdictor, { 'toy.tsv': tsv }),
      read(importEdictor, { 'toy.qlc': qlc }),
    ])
    expect(problemsIn(other)).toEqual([])
    expect(itemsIn(other)[0]?.given).toEqual(itemsIn(plain)[0]?.given)
    expect(itemsIn(other)[0]?.features).toMatchObject({ licence: 'CC0' })
  })
})

describe('published word lists', () => {
  const lines = (words: readonly (readonly string[])[]) => words.map((word) => word.join('')).join('\n')
  const folder = (name: string) => ({
    [`${name}/words.in`]: lines(WORDS),
    [`${name}/words.out`]: lines(YOUNGER),
  })

  it('give every word to an item, with the laws that are known of the language, and say where no licence is named', async () => {
    const entries = await read(importSoundChange, { ...folder('data/real_sli/atr_hawaiian'), ...folder('own/old_toy') })
    expect(itemsIn(entries)).toMatchObject([
      { answer: { laws: [expect.arrayContaining(['k > ʔ', 't > k'])] }, features: { words: 20, unseen: 10, laws: 8 } },
      { answer: { laws: [[]] }, features: { words: 20, unseen: 10, language: 'old to Toy', licence: 'not said' } },
    ])
    expect(problemsIn(entries)).toEqual(['licence'])
  })

  it('are told of laws that can be run, each in an order that matters where it is said to', () => {
    const outcomes = (texts: readonly string[]) => {
      const laws = texts.map(parseLaw).flatMap((one) => (one.kind === 'law' ? [one.law] : []))
      expect(laws.map(printLaw)).toEqual(texts)
      return ['h a ʔ a k a', 't a k i', 'f a s a'].map((word) => wordText(applyLaws(laws, wordOf(word)) ?? []))
    }
    for (const { laws, order } of knownLaws) {
      const same = outcomes(laws).join() === outcomes(laws.toReversed()).join()
      expect([laws, same]).toEqual([laws, order === 'they do not meet'])
    }
  })
})
