import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  conditionCount,
  filterOf,
  type ItemsFilter,
  misfitOfFilter,
  type Outline,
  parametersOf,
} from '../../../api/index.ts'
import { isExport } from '../../documents.ts'
import { Pick } from '../../parts/controls.tsx'
import { amountWords, filterParts, without } from '../../parts/filter-words.ts'
import { featureName, formatValue, formatNumber as rounded, visible } from '../../parts/format.ts'
import { OfOutline } from '../../parts/outline.tsx'
import { Problem } from '../../parts/state.tsx'
import { SubsetSection } from '../../parts/subset-and-rest.tsx'
import { goTo, linkTo, type RunPage, type RunPageProps } from '../../routing.ts'
import { ItemRows } from './item-rows.tsx'

interface FiltersProps {
  readonly filter: ItemsFilter
  readonly outline: Outline
  /** More controls at the right. */
  readonly children: ComponentChildren
}

/** Filters of the items. Selects apply at once, the search on Enter. */
function Filters({ filter, outline, children }: FiltersProps) {
  const { run, features, numbers } = outline
  const change = (part: Partial<ItemsFilter>): void =>
    goTo(linkTo(['r', run.id, 'items'], parametersOf({ ...filter, ...part })))
  const [text, setText] = useState(filter.text ?? '')
  const [where, setWhere] = useState<Where>(nowhere)
  useEffect(() => setText(filter.text ?? ''), [filter.text])
  // An exported view has rows, and no texts.
  const searched = !isExport()
  const sorts: (readonly [string, string])[] = [
    ['wrong', 'most models wrong'],
    ...(searched ? numbers.filter(({ of }) => of === 'amount') : []).map(
      ({ name }) => [name, `most ${amountWords(name)}`] as const,
    ),
    ...features
      .filter(({ levels }) => levels.length > 1)
      .map(({ name }) => [`feature ${name}`, featureName(name)] as const),
  ]
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        setWhere(nowhere)
        change({ ...added(filter, where), text: text || undefined })
      }}
    >
      {searched ? (
        <input
          type="search"
          aria-label="Search questions and answers"
          placeholder="Search questions and answers"
          value={text}
          maxLength={200}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : null}
      {run.tasks.length > 1 ? (
        <Pick
          label="Task"
          value={filter.task}
          options={run.tasks}
          onPick={(task) => change({ task })}
          none={`all ${run.tasks.length}`}
        />
      ) : null}
      <details class="menu">
        <summary>Features</summary>
        <div>
          <WhereFields
            where={where}
            onChange={setWhere}
            features={features}
            numbers={searched ? numbers : numbers.filter(({ of }) => of === 'feature')}
          />
          <button type="submit">Filter</button>
        </div>
      </details>
      <Chips filter={filter} run={run.id} />
      <span class="right" data-key="s">
        <Pick label="Sort" value={filter.sort} options={sorts} none="item" onPick={(sort) => change({ sort })} />
        {children}
      </span>
    </form>
  )
}

const Columns = ({
  all,
  chosen,
  onChange,
}: {
  all: readonly string[]
  chosen: readonly string[]
  onChange: (models: readonly string[]) => void
}) => (
  <details class="menu end" data-key="c">
    <summary>
      Columns {chosen.length} of {all.length}
    </summary>
    <div>
      {all.map((model) => (
        <label key={model}>
          <input
            type="checkbox"
            checked={chosen.includes(model)}
            onChange={() => onChange(all.filter((one) => (one === model) !== chosen.includes(one)))}
          />{' '}
          {visible(model)}
        </label>
      ))}
    </div>
  </details>
)

/** A condition that is being written: on a feature or an amount, a value or from where to where. */
interface Where {
  readonly of: 'feature' | 'amount'
  readonly name: string
  readonly value: string
  readonly from: string
  readonly to: string
}
const nowhere: Where = { of: 'feature', name: '', value: '', from: '', to: '' }

/** The filter with the condition; bounds of the same name are replaced, and one more value of it is one more that will do. */
function added(filter: ItemsFilter, { of, name, value, from, to }: Where): Partial<ItemsFilter> {
  if (name === '') return {}
  const bounds = [...(from === '' ? [] : [`${name}>=${from}`]), ...(to === '' ? [] : [`${name}<=${to}`])]
  if (bounds.length > 0) return { [of]: [...without(filter[of], name), ...bounds] }
  return value === '' ? {} : { feature: [...new Set([...filter.feature, `${name}=${value}`])] }
}

function WhereFields({
  where,
  onChange,
  features,
  numbers,
}: {
  where: Where
  onChange: (where: Where) => void
  features: Outline['features']
  numbers: Outline['numbers']
}) {
  const [items, amounts] = [numbers.filter(({ of }) => of === 'feature'), numbers.filter(({ of }) => of === 'amount')]
  const named = features.filter(({ name, levels }) => levels.length > 1 && !items.some((one) => one.name === name))
  const number = numbers.find(({ of, name }) => of === where.of && name === where.name)
  const levels = named.find(({ name }) => name === where.name)?.levels
  return (
    <span class="where">
      <label>
        where{' '}
        <select
          value={where.name === '' ? '' : `${where.of} ${where.name}`}
          onChange={({ currentTarget: { value } }) => {
            const of = value.startsWith('amount ') ? 'amount' : 'feature'
            onChange({ ...nowhere, of, name: value.slice(of.length + 1) })
          }}
        >
          <option value="">choose a column</option>
          <Group label="What items are">
            {[...items, ...named].map(({ name }) => (
              <option key={name} value={`feature ${name}`}>
                {featureName(name)}
              </option>
            ))}
          </Group>
          <Group label="What a response took or got">
            {amounts.map(({ name }) => (
              <option key={name} value={`amount ${name}`}>
                {amountWords(name)}
              </option>
            ))}
          </Group>
        </select>
      </label>{' '}
      {number === undefined ? null : (
        <>
          <Bound label="from" value={where.from} end={number.least} onInput={(from) => onChange({ ...where, from })} />{' '}
          <Bound label="to" value={where.to} end={number.most} onInput={(to) => onChange({ ...where, to })} />
        </>
      )}
      {levels === undefined ? null : (
        <Pick
          label="is"
          value={where.value}
          none="choose"
          options={levels.map((level) => [String(level), formatValue(level, 40)])}
          onPick={(value = '') => onChange({ ...where, value })}
        />
      )}
    </span>
  )
}

const Group = ({ label, children }: { label: string; children: readonly ComponentChildren[] }) =>
  children.length === 0 ? null : <optgroup label={label}>{children}</optgroup>

const Bound = ({
  label,
  value,
  end,
  onInput,
}: {
  label: string
  value: string
  end: number
  onInput: (value: string) => void
}) => (
  <label>
    {label}{' '}
    <input
      type="number"
      step="any"
      value={value}
      placeholder={rounded(end)}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </label>
)

/** The conditions that have no field of their own. */
function Chips({ filter, run }: { filter: ItemsFilter; run: string }) {
  return (
    <>
      {filterParts(filter)
        .filter(({ name }) => name !== 'task' && name !== 'text')
        .map(({ name, words, without }) => (
          <a key={name} class="chip" href={linkTo(['r', run, 'items'], parametersOf(without))}>
            {words} <span aria-hidden="true">×</span>
            <span class="hidden">remove this filter</span>
          </a>
        ))}
    </>
  )
}

/** What every model said to every item, side by side; filters are in the address. */
function ItemsPageView(props: RunPageProps) {
  const parsed = filterOf(props.route.parameters)
  if (!parsed.success)
    return (
      <Problem
        message={`the address has no valid filter: ${misfitOfFilter(parsed.error)}`}
        next="Open the items again from the overview."
      />
    )
  return (
    <>
      <h1 class="hidden">Results</h1>
      <OfOutline {...props}>
        {(value) => <Results filter={parsed.data} outline={value} revision={props.revision} />}
      </OfOutline>
    </>
  )
}

/** Models side by side at first: of more the answers cannot be read. */
const MODELS = 4

function Results({ filter, outline, revision }: { filter: ItemsFilter; outline: Outline; revision: number }) {
  const { run } = outline
  const all = run.models.map(({ name }) => name)
  const named = all.filter((name) => [filter.model, filter.a, filter.b].includes(name))
  const [chosen, setChosen] = useState<readonly string[]>(
    [...named, ...all.filter((name) => !named.includes(name))].slice(0, MODELS),
  )
  const columns = all.filter((name) => chosen.includes(name) || named.includes(name))
  return (
    <>
      <Filters filter={filter} outline={outline}>
        {all.length <= 1 ? null : <Columns all={all} chosen={columns} onChange={setChosen} />}
      </Filters>
      <ItemRows
        run={run.id}
        filter={filter}
        models={columns}
        several={run.tasks.length > 1 && filter.task === undefined}
      >
        {conditionCount(filter) === 0 ? null : (
          <SubsetSection run={run.id} filter={filter} revision={revision} open={false} />
        )}
      </ItemRows>
    </>
  )
}

export const itemsPageOfRun: RunPage = { name: 'items', label: 'Results', key: 'r', Page: ItemsPageView }
