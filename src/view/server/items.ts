import { type Json, UsageError } from '../../core/index.ts'
import { metricsIn } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  askedIn,
  countSegments,
  givenIn,
  type ItemNeighbours,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  itemNeighbours,
  itemsPage,
  outcomes,
  parametersOf,
  storedWords,
  subsetFilter,
  type Tally,
  valueWords,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import {
  type Entries,
  entriesOf,
  FAILED,
  fitsResponses,
  frameOf,
  NONE,
  outcomesOf,
  responseMetrics,
  strictFrame,
} from './query.ts'
import { filterIn, runDocument } from './run-document.ts'
import { promptsHolding, search } from './search.ts'
import { featureReader, INSIDE, sidesOf } from './subset.ts'

/** Most rows of one page. */
export const PAGE = 200

/** One page of the items that match a filter, in its order: one row per item and style, samples merged. */
export async function itemsOf(viewed: ViewedRun, filter: ItemsFilter, offset: number): Promise<ItemsPage> {
  const frames = await viewed.frames()
  const { parser = 'strict' } = filter
  const models = await viewed.remembered('models', () => Promise.resolve(modelsOf(viewed)))
  const fitting = await fittingEntries(viewed, frames, filter)
  const entries = await entriesIn(viewed, frames)
  const came = await outcomesIn(viewed, frames, parser)
  const page = fitting.subarray(offset, offset + PAGE)
  const others = await fittingEntries(viewed, frames, {
    ...filter,
    outcome: undefined,
    among: undefined,
    sort: undefined,
  })
  const { model } = filter
  const rows = { frames, entries, outcomes: came, cells: null }
  return {
    schema: 'touchstone/view-items/1',
    parser,
    offset,
    models: await ratesOf(viewed, frames, filter, models),
    counts: countSegments((segment) => {
      const fits = fitsResponses({ parser, model, amount: [], feature: [], ...segment }, rows)
      return others.reduce((sum, entry) => sum + Number(fits(entry)), 0)
    }),
    measure: measureIn(frames) ?? null,
    styled: entries.first.length > strictFrame(frames).category('item').levels.length,
    total: fitting.length,
    all: entries.first.length,
    lost: filter.text === undefined ? 0 : (await promptsHolding(viewed, filter.text)).lost.items.length,
    rows: described(viewed, shownRows(frames, parser, entries, came, page)),
  }
}

/** How often each model is correct on the items with the properties that are selected; errors do not count. */
async function ratesOf(
  viewed: ViewedRun,
  frames: RunFrames,
  filter: ItemsFilter,
  models: readonly string[],
): Promise<ItemsPage['models']> {
  const { parser = 'strict' } = filter
  const entries = await entriesIn(viewed, frames)
  const came = await outcomesIn(viewed, frames, parser)
  const own = subsetFilter(filter)
  const inside = new Set(await fittingEntries(viewed, frames, own))
  const { codes, levels } = frameOf(frames, parser).category('model')
  const [right, of] = [new Int32Array(levels.length), new Int32Array(levels.length)]
  for (let row = 0; row < codes.length; row++) {
    const [code, outcome] = [codes[row] as number, came[row] as number]
    if (outcome === NONE || outcome === FAILED || !inside.has(entries.of[row] as number)) continue
    of[code] = (of[code] as number) + 1
    if (outcome === 0) right[code] = (right[code] as number) + 1
  }
  return models.map((name) => {
    const code = levels.indexOf(name)
    return { name, right: right[code] ?? 0, of: of[code] ?? 0 }
  })
}

/** Position and neighbours of an item among those that match a filter. */
export async function neighboursOf(viewed: ViewedRun, filter: ItemsFilter, item: string): Promise<ItemNeighbours> {
  const frames = await viewed.frames()
  const fitting = await fittingEntries(viewed, frames, filter)
  const nowhere = { schema: 'touchstone/view-neighbours/1', at: null, total: fitting.length } as const
  const { first } = await entriesIn(viewed, frames)
  const { codes, levels } = strictFrame(frames).category('item')
  const itemAt = (place: number): string | undefined =>
    levels[codes[first[fitting[place] as number] as number] as number]
  const code = levels.indexOf(item)
  const at = code < 0 ? -1 : fitting.findIndex((entry) => codes[first[entry] as number] === code)
  if (at < 0) return { ...nowhere, before: null, after: null }
  // An item has an entry for each of its styles.
  let after = at + 1
  while (itemAt(after) === item) after++
  return { ...nowhere, at, before: itemAt(at - 1) ?? null, after: itemAt(after) ?? null }
}

/** What only the item knows: the question, what is given, and the target as text; empty where the prompt cannot be reproduced. */
export function askedOf(
  { run }: ViewedRun,
  item: string,
  style: string,
): Pick<ItemRow, 'question' | 'given'> & { readonly truth: string } {
  const found = run.ledger.item(item)
  if (found === null) return { question: '', given: '', truth: '' }
  const truth = valueWords(found.item.answer).slice(0, TRUTH)
  try {
    const request = run.sources.request(found.item, found.shared, style)
    const asked = askedIn(request.kind === 'chat' ? (request.messages.at(-1)?.content ?? '') : request.context)
    return { question: asked.question.slice(0, TRUTH), given: givenIn(asked), truth }
  } catch {
    return { question: '', given: '', truth }
  }
}

const described = (viewed: ViewedRun, rows: readonly ItemRow[]): ItemRow[] =>
  rows.map((row) => {
    const { truth, ...asked } = askedOf(viewed, row.item, row.style)
    return { ...row, ...asked, truth: row.truth ?? truth }
  })

const measureIn = ({ columns }: RunFrames): string | undefined => metricsIn(columns)[0]

const entriesIn = (viewed: ViewedRun, frames: RunFrames): Promise<Entries> =>
  viewed.remembered('entries', () => Promise.resolve(entriesOf(frames)))

const outcomesIn = (viewed: ViewedRun, frames: RunFrames, parser: string): Promise<Uint8Array> =>
  viewed.remembered(`outcomes ${parser}`, async () => outcomesOf(frames, parser))

/** The entries that fit a filter, in their order: found once, however many pages of them are read. */
function fittingEntries(viewed: ViewedRun, frames: RunFrames, filter: ItemsFilter): Promise<Int32Array> {
  return viewed.remembered(`items ${JSON.stringify(parametersOf(filter))}`, async () => {
    const entries = await entriesIn(viewed, frames)
    const came = await outcomesIn(viewed, frames, filter.parser ?? 'strict')
    const cells = await search(viewed, filter)
    const asking =
      filter.text === undefined ? new Set<number>() : await entriesAsking(viewed, frames, entries, filter.text)
    const fits = fitsResponses(filter, { frames, entries, outcomes: came, cells, asking })
    // What an item is, it is in all its rows.
    const sides = sidesOf(frames, strictFrame(frames), filter, entries.first)
    const found = Int32Array.from(entries.first.keys()).filter((entry) => sides[entry] === INSIDE && fits(entry))
    const size =
      filter.sort === undefined ? null : sizesOf(filter.sort, frames, filter.parser ?? 'strict', entries, came)
    // The sort is stable: equal ones stay in the order of the run.
    return size === null ? found : Int32Array.from([...found].sort((a, b) => size(b) - size(a)))
  })
}

/** The entries whose prompt contains a text. */
async function entriesAsking(
  viewed: ViewedRun,
  frames: RunFrames,
  entries: Entries,
  text: string,
): Promise<ReadonlySet<number>> {
  const { holding } = await promptsHolding(viewed, text)
  const wanted = new Set(holding.items.map((item, i) => `${item}\n${holding.styles[i]}`))
  const [item, style] = [strictFrame(frames).category('item'), strictFrame(frames).category('style')]
  const nameOf = (row: number): string =>
    `${item.levels[item.codes[row] as number]}\n${style.levels[style.codes[row] as number]}`
  return new Set([...entries.first.keys()].filter((entry) => wanted.has(nameOf(entries.first[entry] as number))))
}

/** What items are sorted by, most first. @throws UsageError for an unknown order */
function sizesOf(
  sort: string,
  frames: RunFrames,
  parser: string,
  { of, first }: Entries,
  came: Uint8Array,
): (entry: number) => number {
  const [kind, name = ''] = sort.split(/ (.*)/su)
  if (kind === 'feature') {
    const { read } = featureReader(frames, name)
    const { codes, levels } = strictFrame(frames).category(`feature_${name}`)
    const ranks = new Map(
      levels
        .map((level) => [level, read(level)])
        .sort(([, a], [, b]) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1))
        .map(([level], i) => [level, i]),
    )
    return (entry) => ranks.get(levels[codes[first[entry] as number] as number] ?? '') ?? -1
  }
  const sums = new Float64Array(first.length)
  const metric = sort === 'wrong' ? null : responseMetrics(frames.columns, frameOf(frames, parser)).get(sort)?.()
  if (metric === undefined)
    throw new UsageError(`expected an order of items (wrong, an amount or "feature NAME"), got "${sort.slice(0, 80)}"`)
  for (let row = 0; row < of.length; row++) {
    const outcome = came[row] as number
    const value = metric === null ? Number(outcome !== 0 && outcome !== NONE) : (metric[row] as number)
    if (!Number.isNaN(value)) sums[of[row] as number] = (sums[of[row] as number] as number) + value
  }
  return (entry) => sums[entry] as number
}

/** Models with calls, in the order of the run. */
function modelsOf({ run: { file, ledger } }: ViewedRun): readonly string[] {
  const there = ledger.models()
  const named = file.models.map(({ name }) => name).filter((name) => there.includes(name))
  return [...named, ...there.filter((name) => !named.includes(name))]
}

/** How many different answers of one model to one item are shown. */
const ANSWERS = 3
/** Characters of an answer that are put into words. */
const READ = 2000
/** Characters of a truth that are sent. */
const TRUTH = 200

function shownRows(
  frames: RunFrames,
  parser: string,
  entries: Entries,
  came: Uint8Array,
  page: Int32Array,
): readonly ItemRow[] {
  const rowsOf = rowsOfEntries(entries, page)
  const features = frames.specs.flatMap(({ name }) => (name.startsWith('feature_') ? [name] : []))
  const talliesOf = tallies(frames, parser, came)
  return [...page].map((entry): ItemRow => {
    const row = entries.first[entry] as number
    const text = (name: string): string => String(frames.value(name, row))
    const truth = frames.value('target', row)
    return {
      item: text('item'),
      style: text('style'),
      index: Number(frames.value('index', row)),
      task: text('task'),
      group: text('group'),
      config: text('config'),
      question: '',
      given: '',
      truth: truth === null ? null : storedWords(String(truth)),
      features: Object.fromEntries(
        features
          .map((name): [string, Json] => [name.slice('feature_'.length), frames.value(name, row)])
          .filter(([, value]) => value !== null),
      ),
      tallies: talliesOf(rowsOf.get(entry) ?? []),
    }
  })
}

/** The rows of some entries. */
function rowsOfEntries({ of, first }: Entries, page: Int32Array): ReadonlyMap<number, readonly number[]> {
  const wanted = new Uint8Array(first.length)
  for (const entry of page) wanted[entry] = 1
  const rows: number[] = []
  for (let row = 0; row < of.length; row++) if (wanted[of[row] as number] === 1) rows.push(row)
  return Map.groupBy(rows, (row) => of[row] as number)
}

/** Rows of one model with the same outcome and prediction. */
interface Alike {
  readonly model: string
  readonly outcome: number
  readonly answer: string | null
  readonly rows: readonly number[]
}

/** Outcomes of one entry by model. */
function tallies(frames: RunFrames, parser: string, came: Uint8Array): (rows: readonly number[]) => Tally[] {
  const frame = frameOf(frames, parser)
  const [model, answer] = [frame.category('model'), frame.category('prediction')]
  const measure = measureIn(frames)
  const measured = measure === undefined ? null : frame.number(`metric_${measure}`)
  const [tokens, seconds] = ['output_tokens', 'seconds'].map((name) => (frame.has(name) ? frame.number(name) : null))
  const alike = (rows: readonly number[]): readonly Alike[] => {
    const found = Map.groupBy(
      rows.filter((row) => came[row] !== NONE || measured !== null),
      (row) => `${model.codes[row]} ${came[row]} ${answer.codes[row]}`,
    )
    return [...found.values()]
      .map((same): Alike => {
        const row = same[0] as number
        return {
          model: String(model.levels[model.codes[row] as number]),
          outcome: came[row] as number,
          answer: answer.levels[answer.codes[row] as number] ?? null,
          rows: same,
        }
      })
      .sort((a, b) => b.rows.length - a.rows.length || byText(a.answer, b.answer) || byText(a.model, b.model))
  }
  return (rows) => {
    const byModel = new Map<string, Tally>()
    for (const { model: name, outcome, answer: text, rows: same } of alike(rows)) {
      const before = byModel.get(name) ?? emptyTally(name)
      const key = outcomes[outcome]
      const more =
        text !== null && before.answers.length < ANSWERS
          ? [{ answer: storedWords(text.slice(0, READ)).slice(0, 120), count: same.length }]
          : []
      byModel.set(name, {
        ...before,
        samples: before.samples + same.length,
        ...(key === undefined ? {} : { [key]: before[key] + same.length }),
        answers: [...before.answers, ...more],
        // Strings that are scored have no answers that could differ: all of a model's are in one row.
        measured: (measured === null ? null : meanAt(measured, same)) ?? before.measured,
      })
    }
    return [...byModel.values()].map((tally) => {
      const own = rows.filter((row) => model.levels[model.codes[row] as number] === tally.model)
      return {
        ...tally,
        tokens: tokens == null ? null : meanAt(tokens, own),
        seconds: seconds == null ? null : meanAt(seconds, own),
      }
    })
  }
}

const emptyTally = (model: string): Tally => ({
  model,
  samples: 0,
  right: 0,
  wrong: 0,
  unparsed: 0,
  truncated: 0,
  refused: 0,
  failed: 0,
  tokens: null,
  seconds: null,
  answers: [],
  measured: null,
})

/** Null last. */
const byText = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null || a < b ? -1 : 1

function meanAt(values: Float64Array, rows: readonly number[]): number | null {
  const known = rows.map((row) => values[row] as number).filter((value) => !Number.isNaN(value))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const itemsDocument = runDocument({
  schema: itemsPage,
  answer(viewed, query) {
    const { filter, offset } = filterIn(query)
    return itemsOf(viewed, filter, offset)
  },
})

export const neighboursDocument = runDocument({
  schema: itemNeighbours,
  answer: (viewed, query) => neighboursOf(viewed, filterIn(query).filter, query.get('id') ?? ''),
})
