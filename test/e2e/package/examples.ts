import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Example, ofComments, ofMarkdown } from '../examples/extract.ts'

/** The examples of all comments and pages of the repository at `root`, those of pages first. */
function examplesOf(root: string): readonly Example[] {
  const find = (pattern: string) => globSync(pattern, { cwd: root }).filter((path) => !path.includes('node_modules'))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return [
    ...[...find('*.md'), ...find('{docs,examples}/**/*.md')].flatMap((path) => ofMarkdown(path, read(path))),
    ...find('src/**/*.{ts,tsx}').flatMap((path) => ofComments(path, read(path))),
  ]
}

/**
 * Puts every example of the repository into a project of its own under `folder`, where the package is installed.
 *
 * @returns where the project is, and what turns a complaint of the compiler about one of its files into one about the
 * page or comment that the example stands in.
 */
export function addExamples(folder: string, root: string): { readonly project: string; readonly told: Told } {
  const project = join(folder, 'examples')
  mkdirSync(project)
  const examples = examplesOf(root)
  for (const [index, { code }] of examples.entries())
    writeFileSync(join(project, `example-${index}.ts`), `${code}\nexport {}\n`)
  const compilerOptions = {
    composite: false,
    declaration: false,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  const told = (complaints: string): string =>
    complaints.replace(/^\S*example-(\d+)\.ts\((\d+),/gm, (_, index: string, line: string) => {
      const { path, line: first } = examples[Number(index)] as Example
      return `${path}:${first + Number(line)} (`
    })
  return { project, told }
}

type Told = (complaints: string) => string
