import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes dist/sbom.cdx.json: what the package brings with it, in CycloneDX, by package-lock.json. */
const root = join(import.meta.dirname, '..')
const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx']
const bom = JSON.parse(
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' }),
) as {
  readonly metadata: { readonly component: { name: string } }
}
// npm calls the package by its folder.
bom.metadata.component.name = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(bom, null, 1)}\n`)
