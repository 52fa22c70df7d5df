import { copyFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { makeFolder } from '../../store/index.ts'
import { folders, itemsPage, MODELS_SHOWN, outline } from '../api/index.ts'
import { viewApp } from './app.ts'
import { CLIENT_FILES, clientFolder, PAGE_HTML } from './assets.ts'
import { PAGE } from './items.ts'
import { OpenRuns } from './open-runs.ts'

/** What is written as files. */
export interface ExportOptions {
  /** Run or dataset folders, or folders that hold some. */
  readonly paths: readonly string[]
  /** The folder to make: new or empty. */
  readonly out: string
  /** Modules with tasks of your own: paths, or names of installed packages. */
  readonly plugins: readonly string[]
  /** The folder with the built pages; left out: that of the package. */
  readonly client?: string
  /** Items of one run that get a page of their own; left out: 2,000. */
  readonly most?: number
}

/** A view written as files. */
export interface Exported {
  readonly out: string
  readonly documents: number
  /** Runs of which not every item has a page, with how many have. */
  readonly incomplete: readonly { readonly run: string; readonly items: number; readonly of: number }[]
}

const MAX = 2000
/** Pairs of models that are compared by feature: those of ten models. */
const PAIRS = 45

/** Where pages lie that open from a disk: no server asks for them, so what they may do is said in the page. */
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
 * @throws UsageError where the folder holds something.
 */
export async function exportView(options: ExportOptions): Promise<Exported> {
  const { paths, out, plugins, client = clientFolder(), most = MAX } = options
  if ((await readdir(out).catch(() => [])).length > 0)
    throw new UsageError(`${out} is not empty: give a new or an empty folder for the exported view`)
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
    // A script's text: what JSON writes is an expression, and no end of a script stands in a file of its own.
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
  await bring(`/api/runs/${id}/overview`)
  await bring(`/api/runs/${id}/references`)
  const parsed = outline.safeParse(await bring(`/api/runs/${id}/outline`))
  const features = (parsed.success ? parsed.data.features : []).filter(({ levels }) => levels.length > 1)
  const names = parsed.success ? parsed.data.run.models.map(({ name }) => name) : []
  // The pages ask for every feature and every page of models of models; measures, parsers and two features are chosen where a server answers.
  const modelPages = Array.from({ length: Math.max(1, Math.ceil(names.length / MODELS_SHOWN)) }, (_, page) => page)
  const several = parsed.success && parsed.data.run.tasks.length > 1
  const asked = (x: string | null, page: number, task: string | null = null): string => {
    const query = new URLSearchParams({
      ...(x === null ? {} : { x }),
      ...(task === null ? {} : { task }),
      ...(page === 0 ? {} : { models: String(page) }),
    }).toString()
    return query === '' ? '' : `?${query}`
  }
  for (const page of modelPages) {
    for (const { name, tasks } of features)
      for (const task of several ? tasks : [null])
        for (const what of ['by-feature', 'references-by-feature'])
          await bring(`/api/runs/${id}/${what}${asked(name, page, task)}`)
    for (const x of [null, ...features.map(({ name }) => name)]) await bring(`/api/runs/${id}/tokens${asked(x, page)}`)
  }
  await bring(`/api/runs/${id}/loglikelihood`)
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => new URLSearchParams({ a, b })))
  for (const query of pairs.slice(0, PAIRS)) await bring(`/api/runs/${id}/compare?${query}`)
  let shown = 0
  let of = 0
  for (let offset = 0; offset < most; offset += PAGE) {
    const page = itemsPage.safeParse(await bring(`/api/runs/${id}/items?offset=${offset}`))
    if (!page.success) break
    of = page.data.total
    for (const item of new Set(page.data.rows.map((row) => row.item)))
      await bring(`/api/runs/${id}/item?id=${encodeURIComponent(item)}`)
    shown += page.data.rows.length
    if (page.data.rows.length < PAGE) break
  }
  return { shown, of }
}
