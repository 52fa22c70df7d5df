import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Component {
  name: string
  readonly 'bom-ref': string
  readonly properties: readonly { readonly name: string }[]
}
interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Writes dist/sbom.cdx.json: what the package brings with it, in CycloneDX, by package-lock.json. */
const root = join(import.meta.dirname, '..')
const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
const options = {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
} as const
const bom = JSON.parse(execFileSync('npm', args, options)) as Bom
// --omit=dev also omits some packages of production that packages of development use.
const components = bom.components.filter(
  ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
)
const kept = new Set([bom.metadata.component, ...components].map((one) => one['bom-ref']))
const dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
// npm calls the package by its folder.
bom.metadata.component.name = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify({ ...bom, components, dependencies }, null, 1)}\n`)
