import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'src/view/client')

/** One script with all it imports, and the style sheet it imports, if any: pages that open from a disk can load no modules. */
async function bundle(entry: string, name: string): Promise<{ script: string; style: string }> {
  const built = await build({
    configFile: false,
    root: client,
    logLevel: 'error',
    resolve: { conditions: ['touchstone-source', 'module', 'browser'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      write: false,
      target: 'es2024',
      lib: { entry: join(client, entry), formats: ['iife'], name, cssFileName: name },
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const outputs: Rolldown.RolldownOutput['output'][number][] = (Array.isArray(built) ? built : [built]).flatMap(
    (one) => ('output' in one ? one.output : []),
  )
  const chunks = outputs.filter((one) => one.type === 'chunk')
  const [chunk] = chunks
  if (chunk === undefined || chunks.length > 1) throw new Error(`${entry} is not one script`)
  const style = outputs.find((one) => one.type === 'asset' && one.fileName.endsWith('.css'))
  return { script: chunk.code, style: style?.type === 'asset' ? String(style.source) : '' }
}

/**
 * Builds the pages of the view into a folder: `client.js`, `client.css`, `drawing.js`, which the first picture asks for, and
 * `tasks.js`, the tasks for a worker.
 */
export async function buildView(folder: string): Promise<void> {
  const pages = await bundle('main.tsx', 'touchstoneView')
  const drawing = await bundle('drawing/library.ts', 'touchstoneDrawings')
  const tasks = await bundle('tasks/worker.ts', 'touchstoneTasks')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'client.js'), pages.script)
  writeFileSync(join(folder, 'client.css'), pages.style)
  writeFileSync(join(folder, 'drawing.js'), drawing.script)
  writeFileSync(join(folder, 'tasks.js'), tasks.script)
}
