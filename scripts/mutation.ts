import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wilson } from '../src/libraries/statistics/wilson.ts'
import { reasonOf } from './mutation/equivalent.ts'
import { type Mutant, mutantsOf, sampleOf } from './mutation/mutants.ts'
import { relatedTests } from './mutation/related.ts'
import { type Fate, fatesOf } from './mutation/room.ts'
import { sources } from './mutation/sources.ts'
import { root } from './testing/step.ts'

/**
 * `npm run mutation [-- --count 40] [--seed 1] [--room core,..] [--file PART] [--at FILE:LINE,..]`: changes one place of the source at
 * a time and asks the unit tests of its room. A mutant that no test objects to survives. Prints a line a mutant that does
 * and a score a room; exit 0 whatever it is. Nightly, not in `npm test`.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string' },
    /** Only files whose path holds this. */
    file: { type: 'string' },
    /** Of those drawn only these, as FILE:LINE,.. : survivors once more. */
    at: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'touchstone-mutation-'))
const related = relatedTests(root)
const lineOf = ({ file, line }: Mutant) => readFileSync(join(root, file), 'utf8').split('\n')[line - 1]?.trim() ?? ''
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100)

function tell(mutant: Mutant, fate: Fate, seconds: number): void {
  const reason = reasonOf(mutant, lineOf(mutant))
  if (fate === 'killed' && reason === undefined) return
  const why = reason === undefined ? '' : ` (said to be equivalent: ${reason})`
  const line = `${fate} ${mutant.file}:${mutant.line} ${oneLine(mutant.change)} in ${oneLine(lineOf(mutant))}${why}`
  process.stdout.write(`${line} [${seconds.toFixed(1)} s]\n`)
}

const percent = (share: number): string => `${Math.round(100 * share)} %`

function summary(mutants: readonly Mutant[], fates: readonly Fate[]): string {
  const count = (fate: Fate) => fates.filter((one) => one === fate).length
  const equivalent = mutants.filter(
    (one, i) => fates[i] === 'survived' && reasonOf(one, lineOf(one)) !== undefined,
  ).length
  const counted = count('killed') + count('survived') - equivalent
  const score = wilson(count('killed'), counted)
  return (
    `${fates.length} tried, ${count('killed')} killed, ${equivalent} equivalent, ${count('out of time')} out of time` +
    (score === null ? '' : `: ${percent(score.value)} (${percent(score.low)} to ${percent(score.high)})`)
  )
}

try {
  const asked = values.room?.split(',')
  const places = values.at?.split(',')
  for (const { room, files, tests } of sources(root)) {
    if (asked !== undefined && !asked.includes(room)) continue
    const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    const eligible = values.file === undefined ? all : all.filter(({ file }) => file.includes(values.file ?? ''))
    const mutants = sampleOf(eligible, Number(values.count), values.seed).filter(
      ({ file, line }) => places?.includes(`${file}:${line}`) ?? true,
    )
    const testsOf = ({ file }: Mutant) => related(file, tests)
    const testFiles = [...new Set(mutants.flatMap(testsOf))].sort()
    const start = performance.now()
    const { fates, broken } = await fatesOf({ root, folder, files: testFiles, mutants, related: testsOf, tell })
    for (const name of broken) process.stdout.write(`not asked, it fails by itself: ${name}\n`)
    const seconds = Math.round((performance.now() - start) / 1000)
    process.stdout.write(`${room}: of ${all.length} ${summary(mutants, fates)}, ${seconds} s\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
