import type { Numbered } from './compile.ts'
import { hire, type Tester } from './crew.ts'
import type { Mutant } from './mutants.ts'
import type { Asked, Measured } from './tester.ts'

export type Fate = 'killed' | 'survived' | 'out of time'

/** The seconds of processor that a mutant's tests may take in all, by what they take without it. */
const ENOUGH_SECONDS = 15

interface Known extends Asked, Measured {
  /** Whether its file or what its tests prepare comes to a mutant's place. */
  readonly early: ReadonlySet<number>
}

interface Options {
  readonly root: string
  readonly folder: string
  readonly files: readonly string[]
  readonly mutants: readonly Mutant[]
  readonly related: (mutant: Mutant) => readonly string[]
  readonly tell: (mutant: Mutant, fate: Fate, seconds: number) => void
}

/**
 * The fates of the mutants of a room. A mutant is asked of the tests that come to its place, the quickest first, until one
 * fails, in a process that stays; a failure counts where the test passes again once the mutant is off. What is come to
 * while a file is loaded or only where something is made once, whatever left something behind, and what ran out of time is
 * asked in a process of its own.
 */
export async function fatesOf(
  options: Options,
): Promise<{ readonly fates: readonly Fate[]; readonly broken: readonly string[] }> {
  const { root, folder, mutants, tell } = options
  const numbered = mutants.map((mutant, id): Numbered => ({ id, mutant }))
  const fresh = () => hire(root, numbered, folder)
  let staying = await fresh()
  const known = await measured(staying, options.files)
  const broken = known.filter(({ passed }) => !passed).map(({ file, name }) => `${file}: ${name}`)
  const sound = known.filter(({ passed }) => passed).toSorted((a, b) => a.seconds - b.seconds)

  async function ask(tester: Tester, id: number, early: boolean, tests: readonly Known[]) {
    const asked = withinReason(tests).map(({ file, index, seconds }): Asked => ({ file, index, seconds }))
    return tester.tell({ do: 'ask', id, early, tests: asked })
  }

  async function alone({ id, mutant }: Numbered): Promise<Fate> {
    const files = new Set(options.related(mutant))
    const tester = await fresh()
    const answer = await ask(
      tester,
      id,
      true,
      sound.filter(({ file, met, early }) => files.has(file) || met.includes(id) || early.has(id)),
    )
    await tester.close()
    return answer === undefined ? 'out of time' : answer.is === 'survived' ? 'survived' : 'killed'
  }

  async function fateOf(one: Numbered): Promise<Fate> {
    const { id } = one
    const tests = sound.filter(({ met }) => met.includes(id))
    const isEarly = known.some(({ early }) => early.has(id))
    const answer = await ask(staying, id, false, tests)
    if (answer?.is === 'killed') return 'killed'
    if (answer === undefined || answer.is === 'spoiled') {
      await staying.close()
      staying = await fresh()
      return alone(one)
    }
    const isMadeBefore = answer.is === 'survived' && tests.length > 0 && !answer.met
    return isEarly || isMadeBefore ? alone(one) : 'survived'
  }

  const fates: Fate[] = []
  for (const one of numbered) {
    const start = performance.now()
    const fate = await fateOf(one)
    tell(one.mutant, fate, (performance.now() - start) / 1000)
    fates.push(fate)
  }
  await staying.close()
  return { fates, broken }
}

async function measured(tester: Tester, files: readonly string[]): Promise<readonly Known[]> {
  const known: Known[] = []
  for (const file of files) {
    const answer = await tester.tell({ do: 'measure', file })
    if (answer?.is !== 'measured') {
      const why = answer?.is === 'error' ? answer.message : 'its tests end the process that runs them'
      throw new Error(`${file}, without any mutant: ${why}`)
    }
    const early = new Set(answer.early)
    for (const [index, test] of answer.tests.entries()) known.push({ ...test, file, index, early })
  }
  return known
}

function withinReason(tests: readonly Known[]): readonly Known[] {
  let seconds = 0
  return tests.filter((test) => {
    seconds += test.seconds
    return seconds <= ENOUGH_SECONDS
  })
}
