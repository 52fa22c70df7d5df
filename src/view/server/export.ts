import { copyFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { makeFolder } from '../../store/index.ts'
import { documentPath, folders, itemsPage, MODELS_SHOWN, outline } from '../api/index.ts'
import { runDocuments, viewApp } from './app.ts'
import { CLIENT_FILES, clientFolder, PAGE_HTML } from './assets.ts'
import { findFolders } from './folders.ts'
import { PAGE } from './items.ts'
import { OpenRuns } from './open-runs.ts'
import type { ExportedRun } from './run-document.ts'

/** Options of {@link exportView}. */
export interface ExportOptions {
  /** Run or dataset folders, or folders that hold some. */
  readonly paths: readonly string[]
  /** The folder to write: new or empty. */
  readonly out: string
  /** Plugin modules: paths, or names of installed packages. */
  readonly plugins: readonly string[]
  /** The folder with the built pages. Default: that of the package. */
  readonly client?: string
  /** Most items of one run that get a page. Default: 2,000. */
  readonly most?: number
}

/** A view written as files. */
export interface Exported {
  readonly out: string
  readonly documents: number
  /** Runs with pages for only some of their items. */
  readonly incomplete: readonly { readonly run: string; readonly items: number; readonly of: number }[]
}

const MAX = 2000

/** Policy of exported pages; it stands in the page because no server sends headers. */
const POLICY =
  "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; worker-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'"

/**
 * Writes the view as files that open from a disk or from any file host: the same documents that the server gives, as scripts. One
 * parser (the chosen one) and no search of texts; all else is there.
 *
 * @example
 * import { exportView } from '@touchstone-eval/touchstone/node'
 *
 * const { documents, incomplete } = await exportView({ paths: ['runs/first'], out: 'site', plugins: [] })
 * console.log(documents, incomplete)
 *
 * @throws UsageError where the folder holds something, and for a missing path.
 */
export async function exportView(options: ExportOptions): Promise<Exported> {
  const { paths, out, plugins, client = await clientFolder(), most = MAX } = options
  if ((await readdir(out).catch(() => [])).length > 0)
    throw new UsageError(`${out} is not empty: give a new or an empty folder for the exported view`)
  await findFolders(paths)
  await makeFolder(join(out, 'data'))
  const runs = new OpenRuns(plugins)
  const token = 'export'
  const app = viewApp({ paths, token, assets: new Map(), runs })
  const files: { [path: string]: string } = {}
  const bring = async (path: string): Promise<unknown> => {
    const headers = { host: '127.0.0.1', authorization: `Bearer ${token}` }
    const response = await app.request(`http://127.0.0.1${path}`, { headers })
    const document: unknown = await response.json()
    if (!response.ok) return null
    const file = `data/${Object.keys(files).length}.js`
    files[path] = file
    // JSON is a valid expression, and a separate file cannot contain an end tag of a script.
    const text = `touchstoneExport.documents.set(${JSON.stringify(path)}, ${JSON.stringify(document)})\n`
    await writeFile(join(out, file), text)
    return document
  }
  try {
    const incomplete = []
    for (const folder of folders.parse(await bring('/api/folders')).folders) {
      if (folder.kind === 'dataset') await bring(`/api/datasets/${folder.id}`)
      if (folder.kind !== 'run') continue
      const items = await exportRun(folder.id, bring, most)
      if (items.shown < items.of) incomplete.push({ run: folder.path, items: items.shown, of: items.of })
    }
    await writeFile(
      join(out, 'data.js'),
      `touchstoneExport = { files: ${JSON.stringify(files)}, documents: new Map() }\n`,
    )
    const head = `<meta http-equiv="content-security-policy" content="${POLICY}">`
    const html = PAGE_HTML.replace('<title>', `${head}\n<title>`).replace(
      '<script src="./client.js">',
      '<script src="./data.js"></script>\n<script src="./client.js">',
    )
    await writeFile(join(out, 'index.html'), html)
    for (const name of CLIENT_FILES) copyFileSync(join(client, name), join(out, name))
    return { out, documents: Object.keys(files).length, incomplete }
  } finally {
    await runs.close()
  }
}

async function exportRun(
  id: string,
  bring: (path: string) => Promise<unknown>,
  most: number,
): Promise<{ readonly shown: number; readonly of: number }> {
  const parsed = outline.safeParse(await bring(documentPath(id, outline)))
  if (!parsed.success) return { shown: 0, of: 0 }
  const { data } = parsed
  let shown = 0
  let of = 0
  const items = new Set<string>()
  for (let offset = 0; offset < most; offset += PAGE) {
    const page = itemsPage.safeParse(await bring(documentPath(id, itemsPage, [['offset', String(offset)]])))
    if (!page.success) break
    of = page.data.total
    for (const { item } of page.data.rows) items.add(item)
    shown += page.data.rows.length
    if (page.data.rows.length < PAGE) break
  }
  const models = data.run.models.map(({ name }) => name)
  const pages = Array.from({ length: Math.max(1, Math.ceil(models.length / MODELS_SHOWN)) }, (_, page) => page)
  const run: ExportedRun = {
    outline: data,
    features: data.features.filter(({ levels }) => levels.length > 1),
    models,
    modelPages: pages.map((page) => (page === 0 ? null : String(page))),
    items: [...items],
  }
  for (const { schema, exported } of runDocuments)
    for (const query of exported?.(run) ?? []) await bring(documentPath(id, schema, query))
  return { shown, of }
}
