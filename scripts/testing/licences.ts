import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, failed, passed, root } from './step.ts'

/** Licences whose code a package under the MIT licence may bring with it unchanged. */
const COMPATIBLE = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0', 'Unlicense']

interface Lock {
  readonly packages: { readonly [path: string]: { readonly license?: string; readonly dev?: boolean } }
}

/** Packages that users install whose licence is none of these, or missing. */
export const unlicensed = ({ packages }: Lock): readonly string[] =>
  Object.entries(packages)
    .filter(([path, { dev, license }]) => path !== '' && dev !== true && !COMPATIBLE.includes(license ?? ''))
    .map(([path, { license }]) => `${path}: ${license ?? 'no licence'}`)

export function checkLicences(): Counts {
  const found = unlicensed(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock)
  for (const line of found) process.stdout.write(`${line}. Expected one of ${COMPATIBLE.join(', ')}\n`)
  return found.length === 0 ? passed : failed
}
