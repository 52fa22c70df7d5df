import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execute, root } from './testing/step.ts'

/**
 * `npm run docs`: the documentation as a site in `site/`, for any file host or a disk: the pages of `docs`, the reference of the
 * library, and the gallery. Fails where a link leads nowhere, or an exported name has no comment or example.
 */
const modules = join(root, 'tools/docs/node_modules')
const site = join(root, 'site')

async function docs(): Promise<number> {
  if (!existsSync(modules)) {
    const installed = await execute('npm', [
      'ci',
      '--prefix',
      'tools/docs',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ])
    if (installed !== 0) return installed
  }
  rmSync(site, { recursive: true, force: true })
  const made = await execute(process.execPath, [
    join(modules, 'typedoc/bin/typedoc'),
    '--options',
    'tools/docs/typedoc.config.mjs',
  ])
  if (made !== 0) return made
  cpSync(join(modules, '@mermaid-js/tiny/dist/mermaid.tiny.js'), join(site, 'assets/mermaid.js'))
  return execute('npm', ['run', 'gallery', '--', '--out', join(site, 'gallery')])
}

process.exitCode = await docs()
