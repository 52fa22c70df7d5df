import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nightly } from '../../nightly.ts'

export const root = join(import.meta.dirname, '../../..')

/**
 * Packs this repository and installs the tarball, with another one beside it, in an empty folder outside of the
 * repository, where npm would otherwise find its package.json.
 */
export function installPackage(beside: string): { readonly folder: string; readonly files: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-package-'))
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const tarballs = join(folder, 'tarball')
  mkdirSync(tarballs)
  // What prepack prints would come before the JSON of `npm pack --json`, so the folder is listed instead.
  const here = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const pack = ['pack', '--silent', '--pack-destination', tarballs]
  if (nightly) here('npm', ...pack)
  else {
    // As prepack does, but on top of what the check of types has built.
    here(join(root, 'node_modules/.bin/tsc'), '-b', 'tsconfig.node.json')
    for (const script of ['scripts/build-view.ts', 'scripts/sbom.ts'])
      here(process.execPath, '--conditions=touchstone-source', script)
    here('npm', ...pack, '--ignore-scripts')
  }
  const [tarball, ...rest] = readdirSync(tarballs)
  if (tarball === undefined || rest.length > 0) throw new Error('npm pack made something else than one tarball')
  const files = execFileSync('tar', ['-tzf', join(tarballs, tarball)], { encoding: 'utf8' })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', join(tarballs, tarball), beside)
  return {
    folder,
    files: files
      .trim()
      .split('\n')
      .map((name) => name.replace(/^package\//, '')),
  }
}

/** Puts the consumer's program and a task of its own into the folder, with what a TypeScript project has. */
export function addConsumer(folder: string, module: 'nodenext' | 'preserve'): void {
  const program = readFileSync(join(root, 'test/e2e/package/consumer.ts'), 'utf8')
  writeFileSync(join(folder, 'consumer.ts'), program.replace('../../../examples/', './'))
  cpSync(join(root, 'examples/parity.ts'), join(folder, 'parity.ts'))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  const types = join(folder, 'node_modules/@types/node')
  if (!readdirSync(join(folder, 'node_modules/@types')).includes('node'))
    symlinkSync(join(root, 'node_modules/@types/node'), types)
  const compilerOptions = {
    target: 'es2024',
    module,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    // The declarations of the package are checked too, and those of its dependencies where they are reached.
    skipLibCheck: false,
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
}
