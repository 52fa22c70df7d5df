import type { Json } from '../../core/index.ts'
import { metricsIn } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  type ItemNeighbours,
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  itemNeighbours,
  itemsPage,
  outcomes,
  parametersOf,
  storedWords,
  type Tally,
  valueWords,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { type Entries, entriesOf, fitsResponses, frameOf, NONE, outcomesOf, strictFrame } from './query.ts'
import { filterIn, runDocument } from './run-document.ts'
import { promptsHolding, search } from './search.ts'
import { INSIDE, sidesOf } from './sides.ts'

/** Most rows of one page. */
export const PAGE = 200

/** One page of the items that match a filter, in the order of the run: one row per item and style, samples merged. */
export async function itemsOf(viewed: ViewedRun, filter: ItemsFilter, offset: number): Promise<ItemsPage> {
  const frames = await viewed.frames()
  const { parser = 'strict' } = filter
  const models = await viewed.remembered('models', () => Promise.resolve(modelsOf(viewed)))
  const empty: ItemsPage = {
    schema: 'touchstone/view-items/1',
    parser,
    models: [...models],
    measure: null,
    styled: false,
    total: 0,
    all: 0,
    lost: 0,
    offset,
    rows: [],
  }
  if (frames === null) return empty
  const fitting = await fittingEntries(viewed, frames, filter)
  const entries = await entriesIn(viewed, frames)
  const came = await outcomesIn(viewed, frames, parser)
  const page = fitting.subarray(offset, offset + PAGE)
  return {
    ...empty,
    measure: measureIn(frames) ?? null,
    styled: entries.first.length > strictFrame(frames).category('item').levels.length,
    total: fitting.length,
    all: entries.first.length,
    lost: filter.prompt === undefined ? 0 : (await promptsHolding(viewed, filter.prompt)).lost.items.length,
    rows: withTruths(viewed, shownRows(frames, parser, entries, came, page)),
  }
}

/** Position and neighbours of an item among those that match a filter. */
export async function neighboursOf(viewed: ViewedRun, filter: ItemsFilter, item: string): Promise<ItemNeighbours> {
  const frames = await viewed.frames()
  const fitting = frames === null ? new Int32Array() : await fittingEntries(viewed, frames, filter)
  const nowhere = { schema: 'touchstone/view-neighbours/1', at: null, total: fitting.length } as const
  if (frames === null) return { ...nowhere, before: null, after: null }
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

/** Rows store a target that is a word or number; other targets are written as text from the item. */
const withTruths = ({ run }: ViewedRun, rows: readonly ItemRow[]): ItemRow[] =>
  rows.map((row) => {
    const answer = row.truth === null ? (run.ledger.item(row.item)?.item.answer ?? null) : null
    return answer === null ? row : { ...row, truth: valueWords(answer).slice(0, TRUTH) }
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
    const fits = fitsResponses(filter, { frames, entries, outcomes: came, cells })
    // What an item is, it is in all its rows.
    const sides = await sidesOf(viewed, frames, strictFrame(frames), filter, entries.first)
    return Int32Array.from(entries.first.keys()).filter((entry) => sides[entry] === INSIDE && fits(entry))
  })
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
    const truth = frames.value('truth', row)
    return {
      item: text('item'),
      style: text('style'),
      index: Number(frames.value('index', row)),
      task: text('task'),
      group: text('group'),
      config: text('config'),
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
  const [model, answer] = [frame.category('model'), frame.category('answer')]
  const measure = measureIn(frames)
  const measured = measure === undefined ? null : frame.number(`measured_${measure}`)
  const alike = (rows: readonly number[]): readonly Alike[] => {
    const found = Map.groupBy(
      rows.filter((row) => came[row] !== NONE),
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
      const key = outcomes[outcome] as (typeof outcomes)[number]
      const more =
        text !== null && before.answers.length < ANSWERS
          ? [{ answer: storedWords(text.slice(0, READ)).slice(0, 120), count: same.length }]
          : []
      byModel.set(name, {
        ...before,
        samples: before.samples + same.length,
        [key]: before[key] + same.length,
        answers: [...before.answers, ...more],
        // Strings that are scored have no answers that could differ: all of a model's are in one row.
        measured: (measured === null ? null : meanAt(measured, same)) ?? before.measured,
      })
    }
    return [...byModel.values()]
  }
}

const emptyTally = (model: string): Tally => ({
  model,
  samples: 0,
  right: 0,
  wrong: 0,
  unparsed: 0,
  failed: 0,
  other: 0,
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
