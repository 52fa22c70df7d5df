import type { ComparisonSide } from '../report/index.ts'
import type { RunFile } from '../runner/index.ts'

/** A difference between two sides of a comparison for one task, besides what is compared. */
export interface SetupDifference {
  readonly task: string
  /**
   * `version`: of the items; two versions share none. `wording`: of the prompts. `scorer`: of parsers and scoring. `parser`: the
   * selected one (`analyze select`), which a comparison does not use.
   */
  readonly what: 'version' | 'wording' | 'scorer' | 'parser'
  readonly a: readonly (string | number)[]
  readonly b: readonly (string | number)[]
}

/** The rows of a side and the file of its run. */
type Recorded = readonly [side: ComparisonSide, file: Pick<RunFile, 'sources' | 'models'>]

/** Setup differences for the tasks that both sides have: the accuracies may differ because of them. */
export function setupDifferences(a: Recorded, b: Recorded): readonly SetupDifference[] {
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

type Facts = { readonly [what in SetupDifference['what']]: ReadonlySet<string | number> }

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
    // A call that ended in an error was never scored.
    if (!Number.isNaN(scorers[row])) own.scorer.add(scorers[row] as number)
  }
  const asked = models.filter(({ name }) => only === undefined || name === only)
  return new Map(
    [...found].map(([task, own]) => {
      const wording = sources.filter((source) => source.task === task).map((source) => source.promptVersion)
      const parser = asked.flatMap(({ selection }) =>
        selection === undefined ? ['strict'] : selection.filter((one) => one.task === task).map((one) => one.parser),
      )
      // An imported run has no models.
      return [task, { ...own, wording: new Set(wording), parser: new Set(parser.length === 0 ? ['strict'] : parser) }]
    }),
  )
}

const MEANINGS: { readonly [what in SetupDifference['what']]: readonly [has: string, so: string] } = {
  version: ['task version', 'two versions share no item'],
  wording: ['prompt version', 'the difference may come from the prompts'],
  scorer: ['scorer version', 'the difference may come from scoring. Score a run again: touchstone analyze score RUN'],
  parser: ['the selected parser', 'one parser is used for both here (--parser)'],
}

/**
 * The difference as a sentence, with its consequence.
 *
 * @example
 * import { describeDifference } from '@touchstone-eval/touchstone/lab'
 *
 * console.log(describeDifference({ task: 'toys/claim', what: 'wording', a: [1], b: [2] }))
 * // toys/claim: A has prompt version 1, B 2; the difference may come from the prompts
 */
export function describeDifference({ task, what, a, b }: SetupDifference): string {
  const [has, so] = MEANINGS[what]
  return `${task}: A has ${has} ${a.join(' and ')}, B ${b.join(' and ')}; ${so}`
}
