import type { ComparisonSide } from '../report/index.ts'
import type { RunFile } from '../runner/index.ts'

/** What two sides of a comparison have otherwise for one task, beside what is compared. */
export interface Unlike {
  readonly task: string
  /**
   * `version`: of the items, of which two versions share none; `wording`: of the prompts; `scorer`: of what reads and grades; `parser`:
   * what `select` chose, where it did, which is not what a comparison reads by.
   */
  readonly what: 'version' | 'wording' | 'scorer' | 'parser'
  readonly a: readonly (string | number)[]
  readonly b: readonly (string | number)[]
}

/** What was recorded of the two sides: rows, and the files of their runs. */
type Recorded = readonly [side: ComparisonSide, file: Pick<RunFile, 'sources' | 'models'>]

/** What is not the same on both sides, of the tasks that both have: a difference may be of that. */
export function unlikeOf(a: Recorded, b: Recorded): readonly Unlike[] {
  const [mine, theirs] = [factsOf(a), factsOf(b)]
  return [...mine].flatMap(([task, own]) => {
    const other = theirs.get(task)
    if (other === undefined) return []
    return (['version', 'wording', 'scorer', 'parser'] as const).flatMap((what) => {
      const [x, y] = [inOrder(own[what]), inOrder(other[what])]
      return x.join('\n') === y.join('\n') ? [] : [{ task, what, a: x, b: y }]
    })
  })
}

const inOrder = (values: ReadonlySet<string | number>): readonly (string | number)[] =>
  [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1))

type Facts = { readonly [what in Unlike['what']]: ReadonlySet<string | number> }

function factsOf([{ frames, model: only }, { sources, models }]: Recorded): ReadonlyMap<string, Facts> {
  const frame = frames.frame('strict')
  if (frame === null) return new Map()
  const [tasks, names] = [frame.category('task'), frame.category('model')]
  const [versions, scorers] = [frame.number('version'), frame.number('scorer')]
  const found = new Map<string, { version: Set<number>; scorer: Set<number> }>()
  for (let row = 0; row < frame.length; row++) {
    if (only !== undefined && names.levels[names.codes[row] as number] !== only) continue
    const task = tasks.levels[tasks.codes[row] as number] ?? ''
    const own = found.get(task) ?? { version: new Set(), scorer: new Set() }
    found.set(task, own)
    own.version.add(versions[row] as number)
    // A cell that failed was never scored.
    if (!Number.isNaN(scorers[row])) own.scorer.add(scorers[row] as number)
  }
  const asked = models.filter(({ name }) => only === undefined || name === only)
  return new Map(
    [...found].map(([task, own]) => {
      const wording = sources.filter((source) => source.task === task).map((source) => source.promptVersion)
      const parser = asked.flatMap(({ selection }) =>
        selection === undefined ? ['strict'] : selection.filter((one) => one.task === task).map((one) => one.parser),
      )
      return [task, { ...own, wording: new Set(wording), parser: new Set(parser) }]
    }),
  )
}

const MEANINGS: { readonly [what in Unlike['what']]: readonly [has: string, so: string] } = {
  version: ['items of version', 'items of two versions are never the same'],
  wording: ['prompts of wording', 'the difference may be of the prompts'],
  scorer: [
    'answers graded by scorer',
    'the difference may be of the grading: `touchstone score RUN` grades a run by what is installed',
  ],
  parser: ['answers for which was chosen the parser', 'both are read by one here, which --parser names'],
}

/**
 * The same in words, with what may follow from it.
 *
 * @example
 * import { unlikeWords } from '@touchstone-eval/touchstone/lab'
 *
 * console.log(unlikeWords({ task: 'toys/claim', what: 'wording', a: [1], b: [2] }))
 * // toys/claim: A has prompts of wording 1, B 2; the difference may be of the prompts
 */
export function unlikeWords({ task, what, a, b }: Unlike): string {
  const [has, so] = MEANINGS[what]
  return `${task}: A has ${has} ${a.join(' and ')}, B ${b.join(' and ')}; ${so}`
}
