import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/**
 * A small project with the real launcher and an npm that only writes down how it was called, in an empty folder.
 * `npm` is the body of its shell script.
 */
export function project(npm = ':') {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = (path: string) => join(folder, path)
  for (const path of ['tools/node', 'path', 'src/cli']) mkdirSync(file(path), { recursive: true })
  for (const path of ['scripts/with-node.mjs', 'scripts/node', 'touchstone'])
    cpSync(join(root, path), file(path), { recursive: true })
  writeFileSync(file('package-lock.json'), '{}')
  writeFileSync(file('tools/node/package-lock.json'), '{}')
  cpSync(join(root, 'tools/node/package.json'), file('tools/node/package.json'))
  const script = `#!/bin/sh
echo "$PWD $*" >> "${file('calls')}"
echo 'noise of npm'
${npm}
mkdir -p node_modules
`
  writeFileSync(file('path/npm'), script)
  chmodSync(file('path/npm'), 0o755)
  return {
    folder,
    file,
    env: { ...process.env, PATH: `${file('path')}${delimiter}${process.env['PATH']}` },
    /** The folders in which `npm ci` was run. */
    calls(): string[] {
      try {
        return readFileSync(file('calls'), 'utf8').trim().split('\n')
      } catch {
        return []
      }
    },
  }
}
