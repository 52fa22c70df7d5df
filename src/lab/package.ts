import { readFileSync } from 'node:fs'

interface Package {
  readonly name: string
  readonly version: string
}

// Two levels up from src/cli and from dist/cli alike.
const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package

export const version = own.version
export const packageName = own.name
