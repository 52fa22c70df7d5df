import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'

/** A file of the built pages. */
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

/** Their names. */
export const CLIENT_FILES = FILES.map(({ name }) => name)

/** Where the build puts the pages: beside the compiled server, or in `dist` where it runs from its sources. */
const folders = [join(import.meta.dirname, '../client'), join(import.meta.dirname, '../../../dist/view/client')]

/** The folder of the built pages. @throws UsageError where they are not built. */
export function clientFolder(): string {
  const found = folders.find((folder) => existsSync(join(folder, 'client.js')))
  if (found === undefined) throw new UsageError('the pages of the view are not built yet: npm run build:view')
  return found
}

export async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>([['/', { body: PAGE_HTML, type: 'text/html; charset=utf-8' }]])
  for (const { name, type } of FILES) assets.set(`/${name}`, { body: await readFile(join(folder, name), 'utf8'), type })
  return assets
}
