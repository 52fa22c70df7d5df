import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf, sampleOf } from './mutation/mutants.ts'
import { relatedTests } from './mutation/related.ts'
import { sources } from './mutation/sources.ts'
import { root } from './testing/step.ts'

/**
 * `npm run mutation [-- --count 10] [--seed 1] [--room core,..] [--at FILE:LINE,..]`: changes one place of the source at a
 * time in a copy of the project and asks the unit tests of its room that lead to the changed file, and those elsewhere that
 * import it. A mutant that no test objects to survives. Prints a line a mutant and a score a room; exit 0 whatever it is.
 * Nightly, not in `npm test`.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    /** Of those drawn only these, as FILE:LINE,.. : survivors once more. */
    at: { type: 'string' },
    /** A mutant that runs on for so long is counted apart: it may loop, or the machine is slow. */
    seconds: { type: 'string', default: '120' },
  },
})

const copy = mkdtempSync(join(tmpdir(), 'touchstone-mutation-'))
for (const name of ['src', 'test', 'scripts', 'package.json', 'vitest.config.ts'])
  cpSync(join(root, name), join(copy, name), { recursive: true })
for (const name of ['node_modules', 'examples', 'docs', 'bench', 'experiments', 'bin'])
  symlinkSync(join(root, name), join(copy, name))

type Fate = 'killed' | 'timeout' | 'survived'

const related = relatedTests(root)

function fateOf({ file, from, to, by }: Mutant, rooms: readonly string[]): Fate {
  const tests = related(file, rooms)
  if (tests.length === 0) return 'survived'
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, from) + by + text.slice(to))
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--project=unit', '--pool=threads', ...tests]
  const { status } = spawnSync(process.execPath, args, {
    cwd: copy,
    timeout: 1000 * Number(values.seconds),
    killSignal: 'SIGKILL',
    stdio: 'ignore',
  })
  writeFileSync(path, text)
  if (status === null) return 'timeout'
  return status === 0 ? 'survived' : 'killed'
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100)

try {
  const asked = values.room?.split(',')
  for (const { room, files, tests } of sources(root)) {
    if (asked !== undefined && !asked.includes(room)) continue
    const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    const drawn = sampleOf(all, Number(values.count), values.seed)
    const places = values.at?.split(',')
    const tried = drawn.filter(({ file, line }) => places?.includes(`${file}:${line}`) ?? true)
    const fates = tried.map((mutant) => {
      const fate = fateOf(mutant, tests)
      process.stdout.write(`${fate} ${mutant.file}:${mutant.line} ${oneLine(mutant.was)} -> ${oneLine(mutant.by)}\n`)
      return fate
    })
    const count = (fate: Fate) => fates.filter((one) => one === fate).length
    process.stdout.write(
      `${room}: ${count('killed')} killed, ${count('survived')} survived, ${count('timeout')} out of time, of ${all.length}\n`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
