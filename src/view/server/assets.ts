import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from '../../core/index.ts'

export interface Asset {
  readonly body: string
  readonly type: string
}

/** The page itself; its script and style are files beside it. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Touchstone</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./client.css">
</head>
<body>
<div id="view"></div>
<noscript>The view needs JavaScript.</noscript>
<script src="./client.js"></script>
</body>
</html>
`

/** The built files: the pages, what the first picture asks for, and the tasks, which a worker runs. */
const FILES = [
  { name: 'client.js', type: 'text/javascript; charset=utf-8' },
  { name: 'drawing.js', type: 'text/javascript; charset=utf-8' },
  { name: 'client.css', type: 'text/css; charset=utf-8' },
  { name: 'tasks.js', type: 'text/javascript; charset=utf-8' },
] as const

export const CLIENT_FILES = FILES.map(({ name }) => name)

const root = join(import.meta.dirname, '../../..')
/** The pages of the package, beside the compiled server; those of a clone, which are built from its sources. */
const [PACKED, BUILT] = [join(import.meta.dirname, '../client'), join(root, 'dist/view/client')]
const SCRIPT = join(root, 'scripts/build-view.ts')

/** The folder of the built pages. A clone builds them first where they are missing or older than its sources. @throws UsageError where that fails */
export async function clientFolder(): Promise<string> {
  if (existsSync(join(PACKED, 'client.js'))) return PACKED
  const built = await stat(join(BUILT, 'client.js')).catch(() => null)
  if (built !== null && !(await isNewer(join(root, 'src'), built.mtimeMs))) return BUILT
  process.stderr.write('building the pages of the view ...\n')
  const condition = '--conditions=touchstone-source'
  await promisify(execFile)(process.execPath, [condition, SCRIPT]).catch((error: Error) => {
    throw new UsageError(
      `cannot build the pages of the view: ${error.message.slice(0, 2000)}. Install the dependencies: npm ci`,
    )
  })
  return BUILT
}

/** Is a source below a folder newer than a time? */
async function isNewer(folder: string, than: number): Promise<boolean> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && /\.(?:tsx?|css|json)$/u.test(file.name))
  const times = await Promise.all(sources.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return times.some(({ mtimeMs }) => mtimeMs > than)
}

export async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>([['/', { body: PAGE_HTML, type: 'text/html; charset=utf-8' }]])
  for (const { name, type } of FILES) assets.set(`/${name}`, { body: await readFile(join(folder, name), 'utf8'), type })
  return assets
}
