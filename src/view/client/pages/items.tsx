import { useState } from 'preact/hooks'
import { conditionsOf, filterOf, type ItemsFilter, outcomes, parametersOf } from '../../api/index.ts'
import { Loaded, Problem } from '../parts/state.tsx'
import { modelName, shown, visible } from '../parts/words.ts'
import { goTo, linkTo, type Route } from '../routing.ts'
import { ParserChoice, useBoard } from './board.tsx'
import { Cut } from './cut.tsx'
import { ItemRows } from './item-rows.tsx'

/** Every item, what each model made of it, and filters that stand in the address. */
export function ItemsPageView({
  route,
  run,
  revision,
}: {
  readonly route: Route
  readonly run: string
  readonly revision: number
}) {
  const parsed = filterOf(route.parameters)
  const board = useBoard(route, run, revision)
  if (!parsed.success)
    return (
      <Problem
        message={`the address holds no filter: ${parsed.error.issues[0]?.message}`}
        next="Open the items again from the board."
      />
    )
  const filter = parsed.data
  return (
    <>
      <h1>Items</h1>
      <Loaded state={board}>
        {(value) => (
          <>
            <ParserChoice route={route} parsers={value.parsers} />
            <Filters
              filter={filter}
              run={run}
              models={value.run.models.map(({ name }) => name)}
              features={value.features}
              tasks={value.run.tasks}
            />
          </>
        )}
      </Loaded>
      {conditionsOf(filter) === 0 ? null : <Cut run={run} filter={filter} revision={revision} open={false} />}
      <ItemRows run={run} filter={filter} />
    </>
  )
}

const change = (run: string, filter: ItemsFilter, part: Partial<ItemsFilter>): void =>
  goTo(linkTo(['r', run, 'items'], parametersOf({ ...filter, ...part })), { replace: true })

interface FiltersProps {
  readonly filter: ItemsFilter
  readonly run: string
  readonly models: readonly string[]
  readonly tasks: readonly string[]
  readonly features: readonly { readonly name: string; readonly type: string; readonly levels: readonly unknown[] }[]
}

function Filters({ filter, run, models, features, tasks }: FiltersProps) {
  const [text, setText] = useState(filter.text ?? '')
  const [feature, setFeature] = useState('')
  const choose = (name: 'model' | 'task', options: readonly string[], label: string) => (
    <label>
      {label}{' '}
      <select
        value={filter[name] ?? ''}
        onChange={({ currentTarget }) => change(run, filter, { [name]: currentTarget.value || undefined })}
      >
        <option value="">any</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {visible(one)}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        const conditions = /^[\w.-]+(?:=|>=|<=)/u.test(feature) ? [...filter.feature, feature] : filter.feature
        setFeature('')
        change(run, filter, { text: text || undefined, feature: [...conditions] })
      }}
    >
      <label>
        said{' '}
        <input
          type="search"
          value={text}
          placeholder="in answers and reasoning"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {tasks.length > 1 ? choose('task', tasks, 'task') : null}
      {choose('model', models, 'model')}
      <label>
        came out{' '}
        <select
          value={filter.outcome ?? ''}
          onChange={({ currentTarget }) =>
            change(run, filter, { outcome: outcomes.find((one) => one === currentTarget.value) })
          }
        >
          <option value="">any</option>
          {outcomes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        feature{' '}
        <input
          list="features"
          value={feature}
          placeholder="length>=20"
          onInput={({ currentTarget }) => setFeature(currentTarget.value)}
        />
        <datalist id="features">
          {features.flatMap(({ name, levels }) =>
            levels.slice(0, 12).map((level) => <option key={`${name} ${level}`} value={`${name}=${level}`} />),
          )}
        </datalist>
      </label>
      <button type="submit">Filter</button>
      {filter.feature.map((one) => (
        <button
          key={one}
          type="button"
          class="chip"
          onClick={() => change(run, filter, { feature: filter.feature.filter((other) => other !== one) })}
        >
          {visible(one)} <span aria-hidden="true">×</span>
          <span class="hidden">take this filter out</span>
        </button>
      ))}
      {(['style', 'config'] as const).map((name) =>
        filter[name] === undefined ? null : (
          <button key={name} type="button" class="chip" onClick={() => change(run, filter, { [name]: undefined })}>
            {name} {shown(filter[name], 40)} <span aria-hidden="true">×</span>
            <span class="hidden">take this filter out</span>
          </button>
        ),
      )}
      {filter.pair === undefined ? null : (
        <button
          type="button"
          class="chip"
          onClick={() => change(run, filter, { pair: undefined, a: undefined, b: undefined })}
        >
          {pairWords(filter.pair, modelName(filter.a ?? ''), modelName(filter.b ?? ''))}{' '}
          <span aria-hidden="true">×</span>
          <span class="hidden">take this filter out</span>
        </button>
      )}
    </form>
  )
}

const pairWords = (pair: NonNullable<ItemsFilter['pair']>, a: string, b: string): string =>
  ({
    onlyA: `only ${a} right, not ${b}`,
    onlyB: `only ${b} right, not ${a}`,
    both: `${a} and ${b} right`,
    neither: `neither ${a} nor ${b} right`,
    differ: `either ${a} or ${b} right`,
  })[pair]
