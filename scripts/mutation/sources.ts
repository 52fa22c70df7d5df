import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

interface Room {
  readonly room: string
  readonly files: readonly string[]
  /** Folders and files whose tests are asked, where they lead to the changed file. */
  readonly tests: readonly string[]
}

const ROOMS: { readonly [room: string]: { readonly paths: readonly string[]; readonly tests: readonly string[] } } = {
  core: { paths: ['src/core'], tests: ['test/unit/core'] },
  formal: {
    paths: [
      'src/libraries/grammars/grammar',
      'src/libraries/grammars/notation',
      'src/libraries/grammars/recognise',
      'src/libraries/grammars/sample',
      'src/libraries/grammars/negatives',
    ],
    tests: ['test/unit/grammars', 'test/unit/examples'],
  },
  pcfg: { paths: ['src/libraries/grammars/pcfg'], tests: ['test/unit/pcfg'] },
  rewriting: { paths: ['src/libraries/rewriting'], tests: ['test/unit/rewriting', 'test/unit/examples'] },
  graphs: { paths: ['src/libraries/graphs'], tests: ['test/unit/graphs'] },
  stats: { paths: ['src/libraries/statistics'], tests: ['test/unit/statistics', 'test/unit/examples'] },
  scoring: { paths: ['src/models/scoring'], tests: ['test/unit/scoring'] },
  money: {
    paths: ['src/runner/money', 'src/runner/limits/concurrency-limiter.ts', 'src/runner/limits/circuit-breaker.ts'],
    tests: ['money', 'cost', 'breaker', 'limiter'].map((name) => `test/unit/runner/${name}.test.ts`),
  },
  audit: { paths: ['src/datasets/audit'], tests: ['test/unit/datasets/audit'] },
}

function filesUnder(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The rooms whose tests are tried, with their files by their path from the project's root. */
export const sources = (root: string): readonly Room[] =>
  Object.entries(ROOMS).map(([room, { paths, tests }]) => ({
    room,
    tests,
    files: paths
      .flatMap((path) => filesUnder(join(root, path)))
      .map((path) => relative(root, path).split(sep).join('/')),
  }))
