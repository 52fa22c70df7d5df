import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')

/** What runs the command line from the sources: arguments of Node before those of the command. */
export const COMMAND = ['--conditions=touchstone-source', join(root, 'src/cli/main.ts')] as const

/** Its environment: types are stripped from the sources once and not at every start, as by `./touchstone`. */
export const ENVIRONMENT = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/node'),
}
