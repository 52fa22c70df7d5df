import { type Json, modelShortNames, UsageError } from '../../core/index.ts'
import {
  type Comparison,
  compareSides,
  inTwo,
  MIN_SHARED,
  meanOverConditions,
  type PairEffect,
} from '../../report/index.ts'
import type { RunFile } from '../../runner/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  type CompareDocument,
  compareDocument,
  dateWords,
  outcomes,
  type ShownEffect,
  storedWords,
} from '../api/index.ts'
import { askedOf } from './items.ts'
import type { ViewedRun } from './open-runs.ts'
import { FAILED, frameOf, NONE, outcomesOf } from './query.ts'
import { parserIn, queryOf, runDocument, subsetIn, type Viewing } from './run-document.ts'
import { confidenceOf, type Subset, subsetFrames } from './subset.ts'
import { modelNames } from './summary.ts'

export interface CompareRequest {
  readonly a: string
  readonly b: string
  /** The run of B; null: the same. */
  readonly with: string | null
  readonly parser: string
  readonly subset: Subset | null
}

/** Two models on shared items, of a run or of two: the numbers of `touchstone compare`, as A − B. */
export async function compareOf(
  viewed: ViewedRun,
  request: CompareRequest,
  visit: Viewing['other'],
): Promise<CompareDocument> {
  const { a, b, parser, subset } = request
  const mine = await framesIn(viewed, subset)
  const compared = async (second: ViewedRun): Promise<CompareDocument> => {
    const theirs = second === viewed ? mine : await framesIn(second, subset)
    const nothing: CompareDocument = {
      schema: 'touchstone/view-compare/1',
      a,
      b,
      with: request.with,
      names: namesOf(viewed, second, a, b),
      parser,
      subsetSize: mine.subsetSize,
      changed: second === viewed ? [] : changesOf(viewed.run.file, second.run.file),
      found: null,
    }
    const known = [mine, theirs].map(({ frames }) => frames.frame(parser)?.category('model').levels)
    if (known.includes(undefined)) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
    if (known[0]?.includes(a) !== true || known[1]?.includes(b) !== true) return nothing
    return viewed.remembered(`compare ${JSON.stringify([request, second.revision()])}`, async () => {
      const side = (name: string, { frames }: typeof mine, model: string) => ({ name, frames, model })
      const found = compareSides(
        side(nothing.names.a, mine, a),
        side(nothing.names.b, theirs, b),
        second !== viewed && a === b ? 'run' : 'model',
        viewed.here.runnable,
        { parser, levels: 'all', ...(subset === null ? {} : { confidence: confidenceOf(subset.views) }) },
      )
      if (found === null) return nothing
      const joint = jointOf(viewed, sideOf(mine.frames, parser, a), sideOf(theirs.frames, parser, b))
      return { ...nothing, found: { ...shownOf(found), ...joint } }
    })
  }
  return request.with === null ? compared(viewed) : visit(request.with, compared)
}

const framesIn = async (viewed: ViewedRun, subset: Subset | null) => subsetFrames(viewed, await viewed.frames(), subset)

/** Short names of models; of two runs with one model the times at which they were made, or their folders. */
function namesOf(viewed: ViewedRun, second: ViewedRun, a: string, b: string): CompareDocument['names'] {
  const short = modelShortNames([...modelNames(viewed.run), ...modelNames(second.run)])
  const [one = a, two = b] = [short.get(a), short.get(b)]
  if (viewed === second || a !== b) return { a: one, b: two }
  const [made, before] = [viewed, second].map(({ run }) => dateWords(run.file.created))
  if (made !== before) return { a: `${one} of ${made}`, b: `${two} of ${before}` }
  const [mine, theirs] = [viewed, second].map(({ run }) => run.dir.split('/').at(-1) ?? '')
  return { a: `${one} in ${mine}`, b: `${two} in ${theirs}` }
}

const MAX_CHANGES = 12

/** What two runs planned otherwise: items, prompts, models and limits. */
function changesOf(now: RunFile, before: RunFile): string[] {
  const [mine, theirs] = [factsOf(now), factsOf(before)]
  return [...new Set([...mine.keys(), ...theirs.keys()])]
    .filter((name) => mine.get(name) !== theirs.get(name))
    .map((name) => `${name} ${theirs.get(name) ?? 'none'} → ${mine.get(name) ?? 'none'}`)
    .slice(0, MAX_CHANGES)
}

function factsOf({ sources, models, software }: RunFile): ReadonlyMap<string, string> {
  const facts = new Map<string, string>([['Touchstone', software.version]])
  const put = (name: string, value: Json | undefined): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) put(`${name} ${key}`, inner)
    else if (value !== undefined)
      facts.set(name, storedWords(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60))
  }
  for (const source of sources) {
    const { task, version, ...rest } = source
    const { promptVersion, seed, split, count, styles, config } = rest as { readonly [key: string]: Json }
    for (const [key, value] of Object.entries({ version, promptVersion, seed, split, count, styles, config }))
      put(`${task} ${key}`, value)
  }
  for (const { name, settings, samples } of models) {
    put(`${name} samples`, samples)
    put(`${name}`, settings.length === 1 ? (settings[0] as unknown as Json) : (settings as unknown as Json))
  }
  return facts
}

function shownOf({ overall, sequential, tasks, byFeature, verdict, acrossTasks, unpaired }: Comparison) {
  return {
    ...inTwo(verdict.text),
    overall: effectOf(overall),
    unshared: { ...unpaired },
    evidence: { ...sequential, path: [...sequential.path] },
    tasks: tasks.map((one) => ({ task: one.task, holm: one.holm, ...effectOf(one) })),
    mean: tasks.length < 2 ? null : meanOverConditions(tasks, [-1, 1]),
    general: acrossTasks?.effect ?? null,
    levels: byFeature.map((one) => {
      const { task, feature, name, level, holm } = one
      return { task, feature, name, level, holm, ...effectOf(one) }
    }),
    fewest: MIN_SHARED,
  }
}

const effectOf = ({ items, accuracyA, accuracyB, difference, p, onlyA, onlyB }: PairEffect): ShownEffect => ({
  items,
  accuracyA,
  accuracyB,
  difference,
  p,
  onlyA,
  onlyB,
})

type Said = NonNullable<CompareDocument['found']>['items'][number]['a']

interface Place extends Said {
  readonly right: boolean
  readonly item: string
  readonly style: string
  readonly index: number
  readonly task: string
  readonly truth: string
}

/** What a model came to on every item and style. */
function sideOf(frames: RunFrames, parser: string, model: string): ReadonlyMap<string, Place> {
  const frame = frameOf(frames, parser)
  const came = outcomesOf(frames, parser)
  const [models, answers] = [frame.category('model'), frame.category('prediction')]
  const wanted = models.levels.indexOf(model)
  const places = new Map<string, Place>()
  for (let row = 0; row < frame.length; row++) {
    const outcome = came[row] as number
    if (models.codes[row] !== wanted || outcome === NONE || outcome === FAILED) continue
    const text = (name: string): string => String(frames.value(name, row) ?? '')
    const [item, style] = [text('item'), text('style')]
    const known = places.get(`${item}\n${style}`)
    places.set(`${item}\n${style}`, {
      ...(known ?? {
        item,
        style,
        index: Number(frames.value('index', row)),
        task: text('task'),
        truth: storedWords(text('target')),
        outcome: outcomes[outcome] ?? null,
        answer: storedWords(answers.levels[answers.codes[row] as number] ?? '').slice(0, 120),
      }),
      right: outcome === 0 && known?.right !== false,
    })
  }
  return places
}

/** Items that are shown of those on which one is correct. */
const EXAMPLES = 5

/** The joint outcomes of two sides, and items on which exactly one is correct, of every task some. */
function jointOf(viewed: ViewedRun, mine: ReadonlyMap<string, Place>, theirs: ReadonlyMap<string, Place>) {
  const both = [...mine].flatMap(([place, a]) => {
    const b = theirs.get(place)
    return b === undefined ? [] : [{ a, b }]
  })
  const counted = (a: boolean, b: boolean): number =>
    both.filter((one) => one.a.right === a && one.b.right === b).length
  const differing = [
    ...Map.groupBy(
      both.filter(({ a, b }) => a.right !== b.right),
      ({ a }) => a.task,
    ).values(),
  ]
  const turns = Array.from({ length: EXAMPLES }, (_, i) => differing.flatMap((own) => own.slice(i, i + 1))).flat()
  const said = ({ outcome, answer }: Place): Said => ({ outcome, answer })
  return {
    joint: {
      both: counted(true, true),
      onlyA: counted(true, false),
      onlyB: counted(false, true),
      neither: counted(false, false),
    },
    items: turns.slice(0, EXAMPLES).map(({ a, b }) => {
      const { item, index, task } = a
      const { question, truth } = askedOf(viewed, item, a.style)
      return { item, index, task, question, truth: a.truth || truth, a: said(a), b: said(b) }
    }),
  }
}

/** Pairs of models that are exported, in either order: those of ten models. */
const MAX_PAIRS = 90

export const compareRunDocument = runDocument({
  schema: compareDocument,
  answer(viewed, query, { other }) {
    const [a, b] = [query.get('a') ?? '', query.get('b') ?? '']
    return compareOf(viewed, { a, b, with: query.get('with'), parser: parserIn(query), subset: subsetIn(query) }, other)
  },
  exported: ({ models }) =>
    models.flatMap((a) => models.filter((b) => b !== a).map((b) => queryOf({ a, b }))).slice(0, MAX_PAIRS),
})
