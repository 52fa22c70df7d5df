import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Json } from '../../../../core/index.ts'
import type { DatasetDocument } from '../../../api/index.ts'
import { formatInteger, plural, shellWord, visible } from '../../parts/format.ts'
import { GeneratedItemView } from '../../parts/generated-item.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Linked } from '../../parts/links.tsx'
import { pastedRow } from '../../parts/pasted-row.ts'
import { Problem, Working } from '../../parts/state.tsx'
import { goTo, queryValue, type Route, withQueryValue } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import type { Field, Found } from '../../tasks/generated.ts'
import { Truth, useTruth } from '../../truth/truth.tsx'

/** A row longer than this does not fit into an address. */
const ADDRESS = 300

/** Checks a pasted row: the item is regenerated in the browser, compared, and its proof checked. */
export function RowCheck({ route, set }: { route: Route; set: DatasetDocument }) {
  const asked = queryValue(route, 'row')
  const [text, setText] = useState(asked ?? '')
  const [looked, look] = useState<string | null>(asked)
  const [times, setTimes] = useState(0)
  useEffect(() => look(asked), [asked])
  return (
    <section>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.length <= ADDRESS && text !== asked) goTo(withQueryValue(route, 'row', text), { replace: true })
          else {
            look(text)
            setTimes(times + 1)
          }
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
      {looked === null ? null : <Looked key={`${times} ${looked}`} set={set} pasted={looked} />}
    </section>
  )
}

function Looked({ set, pasted }: { set: DatasetDocument; pasted: string }) {
  const { dataset, version, config, seed, first, indices } = set
  const read = pastedRow(pasted)
  if (read.kind === 'refused') return <Problem message={visible(read.why).slice(0, 500)} next={visible(read.next)} />
  const verify = `On the command line: touchstone verify ${shellWord(dataset.path)}`
  if (seed === null) return <Problem message="the seed of this dataset is sealed" next={verify} />
  const range = { first, count: indices }
  const asked = { task: dataset.task, version, config, seed, split: dataset.split, row: read.row, range }
  return (
    <Working work={() => askTasks({ kind: 'find', ...asked })} waiting="Regenerating the item …" next={verify}>
      {(found) => <Outcome found={found} set={set} />}
    </Working>
  )
}

function Outcome({ found, set }: { found: Found; set: DatasetDocument }) {
  const { first, indices } = set
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
      return <FoundItem {...found} task={set.dataset.task} />
  }
}

type FoundProps = Pick<Extract<Found, { kind: 'item' }>, 'item' | 'fields'> & { readonly task: string }

function FoundItem({ item, fields, task }: FoundProps) {
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
          <Claimed item={item} fields={fields} task={task} />
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

const Differences = ({ fields }: { fields: readonly Field[] }) => (
  <Grid
    label="Differences"
    rows={fields}
    keyOf={({ name }) => name}
    columns={({ rowHead, text }) => [
      rowHead('field', ({ name }) => visible(name).slice(0, 60)),
      text('in the row', ({ given }) => exactly(given)),
      text('in the set', ({ ours }) => exactly(ours)),
    ]}
  />
)

/** What the row itself claims, where that is another problem: can it be proved? */
function Claimed({ item: { version, problem }, fields, task }: FoundProps) {
  const claims = fields.filter(({ name, same }) => !same && Object.hasOwn(problem, name))
  const claimed = useMemo(
    () => ({ ...problem, ...Object.fromEntries(claims.map(({ name, given, ours }) => [name, parsed(given, ours)])) }),
    [fields, problem],
  )
  const truth = useTruth(task, version, claimed)
  if (claims.length === 0) return null
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
