import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../../../core/index.ts'
import type { DatasetDocument } from '../../../api/index.ts'
import { formatInteger, plural, shellWord, visible } from '../../parts/format.ts'
import { GeneratedItemView } from '../../parts/generated-item.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Linked } from '../../parts/links.tsx'
import { pastedRow } from '../../parts/pasted-row.ts'
import { Problem } from '../../parts/state.tsx'
import { goTo, queryValue, type Route, withQueryValue } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import type { Field, Found } from '../../tasks/generated.ts'
import { Truth, useTruth } from '../../truth/truth.tsx'

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string; readonly next: string }
  | { readonly kind: 'working' }
  | { readonly kind: 'found'; readonly found: Found }

/** A row longer than this does not fit into an address. */
const ADDRESS = 300

/** Checks a pasted row: the item is regenerated in the browser, compared, and its proof checked. */
export function RowCheck({ route, set }: { readonly route: Route; readonly set: DatasetDocument }) {
  const asked = queryValue(route, 'row')
  const [text, setText] = useState(asked ?? '')
  const [state, setState] = useState<State>({ kind: 'none' })
  const look = (pasted: string): void => {
    const read = pastedRow(pasted)
    setState(read.kind === 'refused' ? read : { kind: 'working' })
    if (read.kind === 'refused') return
    findIn(set, read.row).then(
      (found) => setState({ kind: 'found', found }),
      (error: unknown) =>
        setState({
          kind: 'refused',
          why: `this page cannot generate the items of this dataset: ${error instanceof Error ? error.message : String(error)}`,
          next: `On the command line: touchstone verify ${shellWord(set.dataset.path)}`,
        }),
    )
  }
  useEffect(() => {
    if (asked !== null) look(asked)
  }, [asked])
  return (
    <section>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.length <= ADDRESS && text !== asked) goTo(withQueryValue(route, 'row', text), { replace: true })
          else look(text)
        }}
      >
        <label>
          Line of items.jsonl, id, hash or index
          <textarea
            class="row-field"
            rows={3}
            value={text}
            spellcheck={false}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Find and check</button>
      </form>
      <Outcome state={state} set={set} />
    </section>
  )
}

/** @throws where this page cannot make the items */
async function findIn({ dataset, version, config, seed, first, indices }: DatasetDocument, row: JsonObject) {
  if (seed === null) throw new Error('the seed is sealed')
  const { task, split } = dataset
  const range = { first, count: indices }
  return askTasks({ kind: 'find', task, version, config, seed, split, row, range })
}

function Outcome({ state, set }: { readonly state: State; readonly set: DatasetDocument }) {
  if (state.kind === 'none') return null
  if (state.kind === 'refused') return <Problem message={visible(state.why).slice(0, 500)} next={visible(state.next)} />
  if (state.kind === 'working')
    return (
      <p class="waiting" role="status">
        Regenerating the item …
      </p>
    )
  const { first, indices } = set
  const { found } = state
  switch (found.kind) {
    case 'unnamed':
      return (
        <Problem
          message="the row names no item: it has neither index, id, hash nor given"
          next="Copy the whole line, with its id."
        />
      )
    case 'outside':
      return (
        <Problem
          message={`no index ${formatInteger(found.index)}: this dataset has indices ${formatInteger(first)} to ${formatInteger(first + indices - 1)}`}
          next="Does the row belong to another dataset?"
        />
      )
    case 'nowhere':
      return (
        <p class="seal bad" role="alert">
          ✗ This row is not among the {plural(found.looked, 'index', 'indices')} that were regenerated
          {found.looked < indices
            ? `; ${formatInteger(indices - found.looked)} more were not tried: give its index or id`
            : ''}
          .
        </p>
      )
    case 'hole':
      return (
        <p class="seal unknown" role="status">
          Index {formatInteger(found.index)} is empty ({found.proved ? 'proved' : 'search limit reached'}):{' '}
          {visible(found.reason)}
        </p>
      )
    case 'item':
      return <FoundItem found={found} task={set.dataset.task} />
  }
}

function FoundItem({
  found: { item, fields },
  task,
}: {
  readonly found: Extract<Found, { kind: 'item' }>
  readonly task: string
}) {
  const wrong = fields.filter(({ same }) => !same)
  // An index alone cannot differ.
  const names = fields.map(({ name }) => visible(name).slice(0, 60)).filter((name) => name !== 'index')
  return (
    <>
      {wrong.length === 0 ? (
        <p class="seal good" role="status">
          ✓ Index {formatInteger(item.index)} was regenerated in this browser
          {names.length === 0 ? ': an item of this dataset.' : `: it has the same ${names.join(', ')}.`}
        </p>
      ) : (
        <>
          <p class="seal bad" role="alert">
            ✗ This row is not in the dataset: {plural(wrong.length, 'field')} of {formatInteger(fields.length)} differ
            from the regenerated index {formatInteger(item.index)}.
          </p>
          <Differences fields={wrong} />
          <Claimed task={task} version={item.version} fields={fields} problem={item.problem} />
        </>
      )}
      <Linked key={item.id}>
        <GeneratedItemView item={item} task={task} />
      </Linked>
    </>
  )
}

/** Different values must have different texts. */
const exactly = (value: Json | undefined): string => visible(JSON.stringify(value) ?? 'none').slice(0, 200)

const Differences = ({ fields }: { readonly fields: readonly Field[] }) => (
  <Grid
    label="Differences"
    rows={fields}
    keyOf={({ name }) => name}
    columns={[
      { head: 'field', kind: 'row', cell: ({ name }) => visible(name).slice(0, 60) },
      { head: 'in the row', cell: ({ given }) => exactly(given) },
      { head: 'in the set', cell: ({ ours }) => exactly(ours) },
    ]}
  />
)

/** What the row itself claims, where that is another problem: can it be proved? */
function Claimed({
  task,
  version,
  fields,
  problem,
}: {
  readonly task: string
  readonly version: number
  readonly fields: readonly Field[]
  readonly problem: { readonly shared: Json; readonly given: Json; readonly answer: Json }
}) {
  const claimed = useMemo(() => {
    const claim = (name: 'shared' | 'given' | 'answer'): Json => {
      const field = fields.find((one) => one.name === name && !one.same)
      return field === undefined ? problem[name] : parsed(field.given, field.ours)
    }
    return { shared: claim('shared'), given: claim('given'), answer: claim('answer') }
  }, [fields, problem])
  const truth = useTruth(task, version, claimed)
  if (!fields.some(({ name, same }) => !same && (name === 'shared' || name === 'given' || name === 'answer')))
    return null
  return (
    <details>
      <summary>Claims of the row, checked</summary>
      <Truth state={truth} answer={claimed.answer} />
    </details>
  )
}

/** Columns of JSON are stored as text. */
function parsed(given: Json, ours: Json): Json {
  if (typeof given !== 'string' || typeof ours === 'string') return given
  try {
    return JSON.parse(given) as Json
  } catch {
    return given
  }
}
