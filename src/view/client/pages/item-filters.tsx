import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type ItemsFilter, type Outline, outcomes, parametersOf } from '../../api/index.ts'
import { isExport } from '../documents.ts'
import { amongWords, amountWords, filterParts, pairWords, without } from '../parts/filter-words.ts'
import { featureName, formatValue, formatNumber as rounded, visible } from '../parts/format.ts'
import { goTo, linkTo } from '../routing.ts'

interface FiltersProps {
  readonly filter: ItemsFilter
  readonly outline: Outline
}

/** Filters of the items. Selects apply at once, text fields on Enter. */
export function Filters({ filter, outline }: FiltersProps) {
  const { run, features, numbers } = outline
  const change = (part: Partial<ItemsFilter>): void =>
    goTo(linkTo(['r', run.id, 'items'], parametersOf({ ...filter, ...part })))
  const [prompt, setPrompt] = useState(filter.prompt ?? '')
  const [text, setText] = useState(filter.text ?? '')
  const [where, setWhere] = useState<Where>(nowhere)
  useEffect(() => {
    setPrompt(filter.prompt ?? '')
    setText(filter.text ?? '')
  }, [filter.prompt, filter.text])
  const models = run.models.map(({ name }) => name)
  // An exported view has rows, and no texts.
  const searched = !isExport()
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        setWhere(nowhere)
        change({ ...added(filter, where), prompt: prompt || undefined, text: text || undefined })
      }}
    >
      {searched ? (
        <>
          <Search label="prompt contains" value={prompt} onInput={setPrompt} />
          <Search label="response contains" value={text} placeholder="in answers and reasoning" onInput={setText} />
        </>
      ) : null}
      {run.tasks.length > 1 ? (
        <Pick label="task" value={filter.task} options={named(run.tasks)} onPick={(task) => change({ task })} />
      ) : null}
      <Pick label="model" value={filter.model} options={named(models)} onPick={(model) => change({ model })} />
      <Pick
        label="outcome"
        value={filter.outcome}
        options={named(outcomes)}
        onPick={(value) => change({ outcome: outcomes.find((one) => one === value) })}
      />
      {models.length < 2 ? null : (
        <Pick
          label="agreement"
          value={filter.among}
          options={Object.entries(amongWords)}
          onPick={(value) => change({ among: keyOf(amongWords, value) })}
        />
      )}
      <WhereFields
        where={where}
        onChange={setWhere}
        features={features}
        numbers={searched ? numbers : ofItems(numbers)}
      />
      <button type="submit">Filter</button>
      {models.length < 2 ? null : <Two filter={filter} models={models} onChange={change} />}
      <Chips filter={filter} run={run.id} />
    </form>
  )
}

const ofItems = (numbers: Outline['numbers']): Outline['numbers'] => numbers.filter(({ of }) => of === 'feature')

const named = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name) => [name, visible(name)])

const keyOf = <K extends string>(words: { readonly [key in K]: string }, value: string | undefined): K | undefined =>
  (Object.keys(words) as K[]).find((key) => key === value)

function Search({
  label,
  value,
  placeholder = '',
  onInput,
}: {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
  readonly onInput: (value: string) => void
}) {
  return (
    <label>
      {label}{' '}
      <input
        type="search"
        value={value}
        maxLength={200}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  )
}

function Pick({
  label,
  value,
  options,
  onPick,
  none = 'any',
}: {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly onPick: (value: string | undefined) => void
  /** The option for no value; null: a value is required. */
  readonly none?: string | null
}) {
  return (
    <label>
      {label}{' '}
      <select value={value ?? ''} onChange={({ currentTarget }) => onPick(currentTarget.value || undefined)}>
        {none === null ? null : <option value="">{none}</option>}
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

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
  readonly where: Where
  readonly onChange: (where: Where) => void
  readonly features: Outline['features']
  readonly numbers: Outline['numbers']
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
        <label>
          is{' '}
          <select
            value={where.value}
            onChange={({ currentTarget }) => onChange({ ...where, value: currentTarget.value })}
          >
            <option value="">choose</option>
            {levels.map((level) => (
              <option key={String(level)} value={String(level)}>
                {formatValue(level, 40)}
              </option>
            ))}
          </select>
        </label>
      )}
    </span>
  )
}

const Group = ({ label, children }: { readonly label: string; readonly children: readonly ComponentChildren[] }) =>
  children.length === 0 ? null : <optgroup label={label}>{children}</optgroup>

const Bound = ({
  label,
  value,
  end,
  onInput,
}: {
  readonly label: string
  readonly value: string
  readonly end: number
  readonly onInput: (value: string) => void
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

/** Filter by the joint outcome of two models. */
function Two({
  filter,
  models,
  onChange,
}: {
  readonly filter: ItemsFilter
  readonly models: readonly string[]
  readonly onChange: (part: Partial<ItemsFilter>) => void
}) {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen((before) => before || filter.pair !== undefined), [filter.pair])
  const a = filter.a ?? models[0] ?? ''
  const b = filter.b ?? models.find((name) => name !== a) ?? ''
  const pairs = Object.fromEntries(
    (['onlyA', 'onlyB', 'differ', 'both', 'neither'] as const).map((pair) => [pair, pairWords(pair, 'A', 'B')]),
  ) as { [pair in NonNullable<ItemsFilter['pair']>]: string }
  const change = (part: Partial<ItemsFilter>): void => onChange({ a, b, pair: filter.pair ?? 'differ', ...part })
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Two models</summary>
      <span class="controls">
        <Pick label="A" none={null} value={a} options={named(models)} onPick={(name) => change({ a: name })} />
        <Pick label="B" none={null} value={b} options={named(models)} onPick={(name) => change({ b: name })} />
        <Pick
          label="which"
          value={filter.pair}
          options={Object.entries(pairs)}
          onPick={(value) =>
            value === undefined
              ? onChange({ pair: undefined, a: undefined, b: undefined, by: undefined })
              : change({ pair: keyOf(pairs, value), by: undefined })
          }
        />
        {filter.pair === 'differ' ? (
          <label>
            accuracies that differ by at least{' '}
            <input
              type="number"
              min={0.01}
              max={1}
              step="any"
              value={filter.by ?? ''}
              placeholder="any"
              onChange={({ currentTarget }) => {
                const { value } = currentTarget
                if (currentTarget.checkValidity()) change({ by: value === '' ? undefined : Number(value) })
              }}
            />{' '}
            or more
          </label>
        ) : null}
      </span>
    </details>
  )
}

/** Active filters, each with a link that removes it. */
function Chips({ filter, run }: { readonly filter: ItemsFilter; readonly run: string }) {
  const inFields = ['task', 'prompt', 'text', 'outcome', 'among']
  return (
    <>
      {filterParts(filter)
        .filter(({ name }) => !inFields.includes(name))
        .map(({ name, words, without }) => (
          <a key={name} class="chip" href={linkTo(['r', run, 'items'], parametersOf(without))}>
            {words} <span aria-hidden="true">×</span>
            <span class="hidden">remove this filter</span>
          </a>
        ))}
    </>
  )
}
