import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How Node begins the stack of an error that it can place: `/path/file.ts:2`. */
const PLACED = /^(?<place>(?:file:\/\/|\/|[A-Z]:\\)[^\n]*:\d+)\n/u
/** A line of a stack that is in a file. */
const FRAME = /(?:at |\()(?<place>(?:file:\/\/|\/|[A-Z]:\\)[^\s)]+:\d+):\d+/u

/**
 * What went wrong as a module was loaded, with the file and the line: Node does not say them of JavaScript that cannot be read.
 *
 * @param modules - the files that may be meant.
 */
export function whereThrown(error: unknown, modules: readonly string[]): string {
  if (!(error instanceof Error)) return String(error)
  const place =
    PLACED.exec(error.stack ?? '')?.groups?.['place'] ??
    (error.name === 'SyntaxError' ? unreadable(modules) : FRAME.exec(error.stack ?? '')?.groups?.['place'])
  return place === undefined ? error.message : `${asPath(place)}: ${error.message}`
}

/** The place of the first module that cannot be read, as Node says it where it is asked to read and do nothing else. */
function unreadable(modules: readonly string[]): string | undefined {
  for (const path of modules) {
    const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', env: {} })
    const place = PLACED.exec(stderr)?.groups?.['place']
    if (place !== undefined) return place
  }
  return undefined
}

function asPath(place: string): string {
  const [, url, line] = /^(file:.*):(\d+)$/u.exec(place) ?? []
  return url === undefined ? place : `${fileURLToPath(url)}:${line}`
}
