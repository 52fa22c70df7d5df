import {
  type ItemDocument,
  type ItemRow,
  itemDocument,
  itemsPage,
  type Loglikelihood,
  type Outline,
  parametersOf,
} from '../../../api/index.ts'
import { fetchRunDocument, useRunDocument, useWork } from '../../documents.ts'
import { Pick } from '../../parts/controls.tsx'
import { FigureView } from '../../parts/figure.tsx'
import { featureName, formatValue, plural, visible } from '../../parts/format.ts'
import { DataTable } from '../../parts/grid.tsx'
import { modelName } from '../../parts/names.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { goTo, linkTo, queryValue, type Route, withQueryValue } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import { LossStrip } from '../../truth/loss-strip.tsx'
import { type LossRow, lossRow, type Scored } from '../../truth/losses.ts'
import { scoredIn } from '../../truth/truth.tsx'

/** Scored strings: loss by token, and how well it separates members from non-members. */
export function LoglikelihoodTokens({
  route,
  outline,
  scored,
}: {
  route: Route
  outline: Outline
  scored: Loglikelihood
}) {
  const wanted = queryValue(route, 'task')
  const task = scored.tasks.find((name) => name === wanted) ?? scored.tasks[0]
  if (task === undefined || (wanted !== null && wanted !== task)) return null
  return (
    <section>
      <h2>Scored strings of {visible(task)}</h2>
      <Strings key={task} route={route} outline={outline} task={task} />
      {scored.analyses
        .filter((one) => one.task === task)
        .map(({ id, title, notes, tables, figures }) => (
          <section key={id}>
            <h2>{visible(title)}</h2>
            {notes.map((note) => (
              <p key={note} class="note">
                {visible(note)}
              </p>
            ))}
            {figures.map((figure) => (
              <FigureView key={figure.id} figure={figure} tables={tables} />
            ))}
            {tables
              .filter((table) => !figures.some((figure) => figure.table === table.id))
              .map((table) => (
                <DataTable key={table.id} table={table} />
              ))}
          </section>
        ))}
    </section>
  )
}

/** One string of the task, what every model lost on it, and the same string in other contexts. */
function Strings({ route, outline, task }: { route: Route; outline: Outline; task: string }) {
  const state = useRunDocument(outline.run.id, itemsPage, [['task', task]], outline.run.revision)
  return (
    <Loaded state={state}>
      {({ rows, total }) => {
        const wanted = queryValue(route, 'item')
        const first = rows.find(({ item }) => item === wanted) ?? rows[0]
        if (first === undefined) return <Empty>No string was scored yet.</Empty>
        const known = rows.some(({ item }) => item === wanted)
        return (
          <>
            <p class="controls">
              <Pick
                label="string"
                value={wanted ?? first.item}
                options={[
                  ...(wanted === null || known ? [] : [[wanted, 'the requested one'] as const]),
                  ...rows.map((row) => [row.item, nameOf(row)] as const),
                ]}
                onPick={(item = '') => goTo(withQueryValue(route, 'item', item))}
              />{' '}
              {total > rows.length ? (
                <small>
                  the first {rows.length} of {total}
                </small>
              ) : null}
            </p>
            <Strip route={route} outline={outline} item={wanted ?? first.item} />
          </>
        )
      }}
    </Loaded>
  )
}

const nameOf = ({ index, features }: Pick<ItemRow, 'index' | 'features'>): string =>
  `#${index}: ${Object.entries(features)
    .slice(0, 6)
    .map(([name, value]) => `${visible(name)} ${formatValue(value, 12)}`)
    .join(', ')}`

/** A feature that may differ between the strings shown together, and the items that differ in nothing else. */
interface Beside {
  readonly feature: string | null
  readonly items: readonly ItemDocument[]
  readonly scored: Scored | null
}

/** Contexts of one string that are shown together. */
const MAX = 8

function Strip({ route, outline, item }: { route: Route; outline: Outline; item: string }) {
  const wanted = queryValue(route, 'beside')
  const state = useWork(() => besideOf(outline, item, wanted), JSON.stringify([outline.run.id, item, wanted]))
  return (
    <Loaded state={state} waiting="Computing the floor of this string …" next="Choose another string.">
      {(beside) => <BesideView route={route} outline={outline} item={item} beside={beside} />}
    </Loaded>
  )
}

function BesideView({
  route,
  outline,
  item,
  beside: { feature, items, scored },
}: {
  route: Route
  outline: Outline
  item: string
  beside: Beside
}) {
  const [first] = items
  if (first === undefined || scored === null)
    return <Empty>This task has no floor per token. Open the item instead.</Empty>
  const rows = items.flatMap((one) =>
    one.responses.flatMap(({ model, style, logprobs }): LossRow[] => {
      const at = feature === null ? '' : `, ${feature} ${formatValue(one.features[feature])}`
      const label = `${modelName(model)}${at}${style === first.responses[0]?.style ? '' : `, ${visible(style)}`}`
      const row = logprobs === null ? null : lossRow(label, logprobs, scored)
      return row === null ? [] : [row]
    }),
  )
  const levels = outline.features.filter(({ name, levels }) => levels.length > 1 && name in first.features)
  return (
    <>
      <p class="controls">
        <Pick
          label="compare with an item that differs only in"
          value={feature ?? undefined}
          none="none"
          options={levels.map(({ name }) => [name, featureName(name)])}
          onPick={(name = 'none') => goTo(withQueryValue(route, 'beside', name))}
        />{' '}
        <a href={linkTo(['r', outline.run.id, 'item'], [['id', item]])}>the item, with its derivation</a>
      </p>
      {rows.length === 0 ? (
        <Empty>No model returned the log-probability of every token of this string.</Empty>
      ) : (
        <LossStrip {...scored} rows={rows} />
      )}
      <p class="note">
        {plural(rows.length, 'scored string')}. The floor is what the language itself loses on a token after those
        before it. On one string a model may lose less (blue, a minus sign), over the language it cannot.
      </p>
    </>
  )
}

/** The item, and those that differ in one feature only: the requested one, else the first feature that varies. */
async function besideOf({ run, features }: Outline, id: string, wanted: string | null): Promise<Beside> {
  const open = (one: string): Promise<ItemDocument> => fetchRunDocument(run.id, itemDocument, [['id', one]])
  const item = await open(id)
  const truth = await askTasks({ kind: 'draw', task: item.task, version: item.version, problem: item.problem })
  const alone: Beside = { feature: null, items: [item], scored: scoredIn({ kind: 'ready', value: truth }) }
  if (wanted === 'none') return alone
  const tried =
    wanted === null
      ? features.filter(({ type, levels }) => type === 'number' && levels.length > 1 && levels.length <= MAX)
      : features.filter(({ name }) => name === wanted)
  for (const { name } of tried) {
    const rows = await alike(run.id, item, name)
    if (rows.length < 2) continue
    const found = await Promise.all(rows.slice(0, MAX).map(async (row) => (row.item === id ? item : open(row.item))))
    const items = found.filter((one) => one === item || isScoredAs(one, alone.scored))
    if (items.length < 2) continue
    const order = items.toSorted((a, b) => Number(a.features[name]) - Number(b.features[name]))
    return { ...alone, feature: name, items: order }
  }
  return alone
}

/** Is it the same string that its models scored? Items may be alike in every feature and be of two strings. */
const isScoredAs = ({ responses }: ItemDocument, scored: Scored | null): boolean =>
  scored !== null && responses.some(({ logprobs }) => logprobs !== null && lossRow('', logprobs, scored) !== null)

/** Conditions that the server takes at once. */
const CONDITIONS = 12

async function alike(run: string, item: ItemDocument, but: string): Promise<readonly ItemRow[]> {
  const same = Object.entries(item.features).filter(([name, value]) => name !== but && value !== null)
  const filter = parametersOf({
    parser: 'strict',
    task: item.task,
    config: item.config,
    amount: [],
    feature: same.slice(0, CONDITIONS).map(([name, value]) => `${name}=${String(value)}`),
  })
  const { rows } = await fetchRunDocument(run, itemsPage, filter)
  return [...new Map(rows.map((row) => [row.item, row])).values()]
}
