import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', '{docs,examples,src,bench,tools}/**/*.md'], { cwd: root }).filter(
  (page) => !page.includes('node_modules'),
)

/** Anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [
      ...read(page)
        .replace(/```[\s\S]*?```/g, '')
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Does a file exist and, of a page, the section? */
function leads(path: string, anchor: string | undefined): boolean {
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(path).has(anchor)
}

/** The local links of a page: path from the root, anchor. */
const linksOf = (page: string): readonly (readonly [string, string | undefined])[] =>
  [
    ...read(page)
      .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|mailto:)/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#')
      return [path === '' ? page : normalize(join(dirname(page), decodeURI(path))), anchor] as const
    })

test.each(pages)('every link of %s leads to a file and a section', (page) => {
  expect(linksOf(page).filter(([path, anchor]) => !leads(path, anchor))).toEqual([])
})

test('comments and texts of the sources name pages and sections that exist', () => {
  const sources = globSync('{src,test,scripts,bench,examples}/**/*.{ts,tsx,mjs,sh,yaml}', { cwd: root })
  const broken = sources.flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/([\w/-]+\.md)(?:#([\w-]+))?/g)]
      .filter(([, page = '', anchor]) => !leads(`docs/${page}`, anchor))
      .map(([text]) => `${source}: ${text}`),
  )
  expect(broken).toEqual([])
})

test('every page of the docs is linked from another', () => {
  const linked = new Set(
    pages.flatMap((page) => linksOf(page).flatMap(([path]) => (path === page ? [] : [path.split('\\').join('/')]))),
  )
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).toEqual([])
})

test('every picture is on a page', () => {
  const used = new Set(pages.flatMap((page) => linksOf(page).map(([path]) => path)))
  expect(globSync('docs/images/**/*.{svg,png}', { cwd: root }).filter((image) => !used.has(image))).toEqual([])
})

/** Longer ones mix what shapes the architecture with what belongs to a family's page. */
const MAX_DECISION_LINES = 60

test('a decision is short', () => {
  const decisions = globSync('docs/decisions/*.md', { cwd: root }).filter((page) => !page.endsWith('dependencies.md'))
  expect(decisions.filter((page) => read(page).split('\n').length > MAX_DECISION_LINES)).toEqual([])
})
