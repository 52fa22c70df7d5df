import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nightly } from '../../nightly.ts'
import { type Example, ofComments, ofMarkdown } from './extract.ts'

const root = join(import.meta.dirname, '../../..')
const find = (pattern: string) => globSync(pattern, { cwd: root }).filter((path) => !path.includes('node_modules'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const examples: readonly Example[] = [
  ...[...find('*.md'), ...find('{docs,examples,src,web}/**/*.md')].flatMap((path) => ofMarkdown(path, read(path))),
  ...find('{src,web/src}/**/*.{ts,tsx}').flatMap((path) => ofComments(path, read(path))),
]

describe('examples in comments and pages', () => {
  // Inside the repository, so that the package's own name resolves; the folder is ignored by git.
  let folder: string
  beforeAll(() => {
    mkdirSync(join(root, '.touchstone'), { recursive: true })
    folder = mkdtempSync(join(root, '.touchstone/examples-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('there are some', () => expect(examples.length).toBeGreaterThan(0))

  test('all of them are well typed', () => {
    for (const [index, { code }] of examples.entries())
      writeFileSync(join(folder, `example-${index}.ts`), `${code}\nexport {}\n`)
    const config = {
      extends: relative(folder, join(root, 'tsconfig.test.json')),
      compilerOptions: {
        noUnusedLocals: false,
        noUnusedParameters: false,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      // What the platform of the sources declares, which no import names.
      include: ['*.ts', join(root, 'src/formal/wasm/platform.d.ts')],
      references: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const run = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder, encoding: 'utf8' })
    const problems = `${run.stdout}${run.stderr}`.replace(/^example-(\d+)\.ts\((\d+),/gm, (_, index, line) => {
      const example = examples[Number(index)]
      return `${example?.path}:${(example?.line ?? 0) + Number(line)} (`
    })
    expect(problems).toBe('')
    expect(run.status).toBe(0)
  })
})

describe.skipIf(!existsSync(join(root, 'examples')))('examples/', () => {
  // A series of checkpoints is trained for long.
  const soon = find('examples/*.ts').filter((path) => nightly || path !== 'examples/proficiency-training.ts')
  test.each(soon)('%s runs', (path) => {
    const run = spawnSync(process.execPath, ['--conditions=touchstone-source', path], { cwd: root, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
})
