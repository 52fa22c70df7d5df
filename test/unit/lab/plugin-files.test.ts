import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { contentHash, filesOf } from '../../../src/lab/plugin-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'plugin-files-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function write(folder: string, files: { readonly [path: string]: string }): string {
  for (const [path, text] of Object.entries(files)) {
    const at = join(scratch, folder, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
  return join(scratch, folder)
}

const namesOf = (folder: string, entry: string, isPackage: boolean): readonly string[] =>
  filesOf(pathToFileURL(join(folder, entry)).href, isPackage)
    .map(({ path }) => relative(folder, path))
    .sort()

describe('the files of a plugin', () => {
  const text = (value: string): string => `export const x = ${value}`
  const files = {
    'task.js': [
      "import lib from './lib.js'",
      "import table from './table.json' with { type: 'json' }",
      "import z from 'zod'",
      "const words = new URL('words.txt', import.meta.url)",
      "const lists = new URL('./lists/', import.meta.url)",
      "const more = join(import.meta.dirname, 'data/more.csv')",
      `const most = \`\${import.meta.dirname}/data/most.csv\``,
      "const gone = new URL('./gone.txt', import.meta.url)",
      "const all = new URL('..', import.meta.url)",
      "const web = new URL('https://example.org/', import.meta.url)",
      "const later = () => import('./later.js')",
    ].join('\n'),
    'lib.js': text("import.meta.resolve('./deep.bin')"),
    'later.js': text('1'),
    'table.json': '{}',
    'words.txt': 'a',
    'deep.bin': 'b',
    'lists/one.txt': '1',
    'lists/in/two.txt': '2',
    'lists/.hidden': '3',
    'data/more.csv': '4',
    'data/most.csv': '5',
    'unnamed.txt': '6',
  }

  it('of one file are what it imports, at once or later, and what its modules name in so many words', () => {
    const folder = write('file', files)
    const all = Object.keys(files).filter((name) => !['unnamed.txt', 'lists/.hidden'].includes(name))
    expect(namesOf(folder, 'task.js', false)).toEqual(all.sort())
  })

  it('change its hash, each of them', () => {
    const folder = write('hashed', files)
    const hash = () => contentHash(filesOf(pathToFileURL(join(folder, 'task.js')).href, false))
    const before = hash()
    for (const path of ['words.txt', 'lists/in/two.txt', 'table.json', 'data/most.csv', 'deep.bin', 'later.js']) {
      write('hashed', { [path]: 'other' })
      expect(hash(), path).not.toBe(before)
      write('hashed', { [path]: files[path as keyof typeof files] })
    }
    write('hashed', { 'unnamed.txt': 'other' })
    expect(hash()).toBe(before)
  })

  it('of a package are what it publishes too, the same in its folder and installed', () => {
    const described = JSON.stringify({
      name: 'x',
      exports: './dist/task.js',
      files: ['dist', 'words/*.txt', '!dist/*.map'],
    })
    const published = {
      'package.json': described,
      'dist/task.js': "import '../../zod/index.js'",
      'dist/package.json': '{"type":"module"}',
    }
    const data = { 'words/a.txt': 'a', 'words/b.txt': 'b' }
    const own = write('own', {
      ...published,
      ...data,
      'dist/task.js.map': '',
      'README.md': '',
      'test/task.test.js': '',
    })
    write('node_modules/zod', { 'index.js': text('4') })
    const installed = write('node_modules/x', { ...published, ...data, 'README.md': '' })
    for (const folder of [own, installed])
      expect(namesOf(folder, 'dist/task.js', true)).toEqual([...Object.keys(published), ...Object.keys(data)].sort())
  })

  it('of a package that does not say what it publishes are all, but for what touchstone wrote there', () => {
    const folder = write('all', {
      'package.json': '{"name":"y","exports":"./task.js"}',
      'task.js': text('3'),
      'words.txt': 'a',
      '.git/HEAD': '',
      'node_modules/z/index.js': '',
      'package-lock.json': '{}',
      'data/manifest.json': '{"schema":"touchstone/manifest/1"}',
      'data/items-0.parquet': '',
    })
    expect(namesOf(folder, 'task.js', true)).toEqual(['package.json', 'task.js', 'words.txt'])
  })
})
