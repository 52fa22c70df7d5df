import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Converter, JSX, ReflectionKind } from 'typedoc'

const root = resolve(import.meta.dirname, '../..')
const pages = join(root, 'docs')
const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Specifier by source file, for each entry point of package.json. */
const specifiers = new Map(
  Object.entries(exports).flatMap(([path, target]) => {
    const source = target['touchstone-source']
    return source === undefined ? [] : [[join(root, source), path.replace(/^\./, name)]]
  }),
)
const VALUES = ReflectionKind.Function | ReflectionKind.Class | ReflectionKind.Variable
/** Folders of pages, in the order of the menu, and their titles there. */
const FOLDERS = { docs: 'Guide', families: 'Families', papers: 'Papers', decisions: 'Decisions' }
const documents = Object.keys(FOLDERS).flatMap((folder) => {
  const path = folder === 'docs' ? pages : join(pages, folder)
  return readdirSync(path)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => join(path, file))
})

/** `docs/write-a-task.md` -> `Write a task` */
const titleOf = (path) =>
  basename(path, '.md')
    .replaceAll('-', ' ')
    .replace(/^./u, (first) => first.toUpperCase())

/**
 * Names modules by what one imports, groups pages by folder, links the gallery, and warns of exported functions, classes and
 * constants without an example.
 */
function touchstone(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return
    reflection.name = specifiers.get(context.project.files.getReflectionPath(reflection)) ?? reflection.name
  })
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const path = document.project.files.getReflectionPath(document)
    document.name = titleOf(path)
    document.frontmatter.group = FOLDERS[basename(dirname(path))]
  })
  app.converter.on(Converter.EVENT_END, ({ project }) => {
    for (const exported of project.children.flatMap((module) => module.children ?? [])) {
      if (exported.kindOf(ReflectionKind.Reference)) continue
      const comment = exported.comment ?? exported.signatures?.[0]?.comment
      if (!comment?.hasVisibleComponent()) app.logger.warn(`${exported.getFullName()} has no comment`)
      else if (exported.kindOf(VALUES) && !comment.getTag('@example'))
        app.logger.warn(`${exported.getFullName()} has no @example`)
    }
  })
  app.renderer.hooks.on('sidebar.begin', (context) =>
    JSX.createElement('a', { href: context.relativeURL('gallery/index.html') }, 'Gallery: make items here'),
  )
}

export default {
  name: 'Touchstone',
  entryPoints: [...specifiers.keys()],
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  basePath: root,
  readme: join(pages, 'README.md'),
  projectDocuments: documents,
  out: join(root, 'site'),
  plugin: [touchstone],
  customJs: join(import.meta.dirname, 'diagrams.js'),
  customCss: join(import.meta.dirname, 'site.css'),
  headings: { readme: false, document: false },
  groupOrder: [...Object.values(FOLDERS), '*'],
  sortEntryPoints: false,
  navigation: { includeGroups: true },
  searchInComments: true,
  searchInDocuments: true,
  highlightLanguages: ['bash', 'console', 'json', 'typescript', 'javascript', 'python', 'r', 'sql', 'yaml', 'markdown'],
  ignoredHighlightLanguages: ['mermaid'],
  disableGit: true,
  disableSources: true,
  validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false },
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
}
