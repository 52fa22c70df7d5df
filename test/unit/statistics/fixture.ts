import { readFileSync } from 'node:fs'

/** A fixture made by fixtures/make.py; the caller states its shape. */
export const fixture = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as T
