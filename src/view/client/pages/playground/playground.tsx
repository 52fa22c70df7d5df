import { useEffect, useState } from 'preact/hooks'
import type { JsonObject } from '../../../../core/index.ts'
import { Command, Field, Pick } from '../../parts/controls.tsx'
import { formatValue, plural, shellWord, visible } from '../../parts/format.ts'
import { GeneratedItemView } from '../../parts/generated-item.tsx'
import { Linked } from '../../parts/links.tsx'
import { Empty, Working } from '../../parts/state.tsx'
import { goTo, linkTo, queryValue, type Route, withQueryValue } from '../../routing.ts'
import { askTasks } from '../../tasks/ask.ts'
import type { Generated } from '../../tasks/generated.ts'
import type { TaskFacts } from '../../tasks/work.ts'
import { PlaygroundAudit } from './audit.tsx'
import { changesOf, flagsOf, ParameterControls, withChange } from './parameters.tsx'

/** Items of a test set like it. */
const MANY_ENOUGH = 100

/** Items that are made at once. */
const MANY = 12

interface Making {
  readonly made: readonly Generated[]
  /** Items that there are; null: without end, or not known yet. */
  readonly size: number | null
  readonly fault: string | null
}
const NOTHING: Making = { made: [], size: null, fault: null }

/** What items are made of, and what a command needs to make them. */
export interface Kind {
  readonly task: string
  readonly preset: string
  readonly changes: JsonObject
  readonly seed: string
}

/** Items one after another, so that the first is there at once. */
function useMade(kind: Kind): Making {
  const [state, setState] = useState<Making>(NOTHING)
  useEffect(() => {
    let stale = false
    const make = async (): Promise<void> => {
      for (let index = 0; index < MANY && !stale; index++) {
        const { made: more, size } = await askTasks({ ...kind, kind: 'make', split: SPLIT, indices: [index] })
        if (!stale) setState(({ made }) => ({ made: [...made, ...more], size, fault: null }))
      }
    }
    setState(NOTHING)
    make().catch(
      (error: unknown) =>
        stale || setState({ ...NOTHING, fault: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      stale = true
    }
  }, [JSON.stringify(kind)])
  return state
}

/** Different answers that are counted one by one. */
const MAX_SHOWN = 6

/** Whose items no test set has. */
const SPLIT = 'playground'

/** Items made in this browser, by the code that makes them anywhere. */
export const PlaygroundPage = ({ route }: { route: Route }) => (
  <>
    <h1>Playground</h1>
    <Working work={() => askTasks({ kind: 'list' })} waiting="Loading the tasks …">
      {(tasks) => <Playground route={route} tasks={tasks} />}
    </Working>
  </>
)

function Playground({ route, tasks }: { route: Route; tasks: readonly TaskFacts[] }) {
  const task = tasks.find(({ name }) => name === queryValue(route, 'task')) ?? tasks[0]
  if (task === undefined) return <Empty>There are no tasks.</Empty>
  const preset =
    task.presets.find(({ name }) => name === queryValue(route, 'preset')) ??
    // The plan of a large set would hold a first visitor up for half a minute.
    task.presets.find(({ name }) => name.endsWith('-demo')) ??
    task.presets[0]
  if (preset === undefined) return <Empty>This task has no presets.</Empty>
  const missing = [
    ['task', task.name],
    ['preset', preset.name],
  ].find(([name = '', found]) => (queryValue(route, name) ?? found) !== found)?.[0]
  const seed = queryValue(route, 'seed') ?? '1'
  const changes = changesOf(route)
  const kind = { task: task.name, preset: preset.name, changes, seed }
  const making = useMade(kind)
  return (
    <>
      <p class="controls">
        <Pick
          label="task"
          value={task.name}
          options={tasks.map(({ name }) => name)}
          onPick={(name = '') => goTo(linkTo(['playground'], Object.entries({ task: name, seed })))}
        />
        <Pick
          label="preset"
          value={preset.name}
          options={task.presets.map(({ name }) => name)}
          onPick={(name = '') => goTo(linkTo(['playground'], Object.entries({ task: task.name, preset: name, seed })))}
        />
        <Field
          label="seed"
          value={seed}
          onChange={(value) => goTo(withQueryValue(route, 'seed', value || '1'), { replace: true })}
        />
      </p>
      {missing === undefined ? null : (
        <p class="problem">
          There is no {missing} {visible(queryValue(route, missing) ?? '')} in this page: this is another one.
        </p>
      )}
      <p class="note">{visible(task.summary)}</p>
      <p class="note">{visible(preset.summary)}</p>
      <Command
        what="a test set like it"
        text={`touchstone generate ${argumentsOf(kind)}${countFlag(making.size)} --out FOLDER`}
      />
      <ParameterControls
        parameters={task.parameters}
        config={preset.config}
        changes={changes}
        onChange={(parameter, value) => goTo(withChange(route, parameter, value), { replace: true })}
      />
      <Items key={JSON.stringify(kind)} route={route} kind={kind} features={task.features} making={making} />
      <PlaygroundAudit key={`audit ${JSON.stringify(kind)}`} {...kind} />
    </>
  )
}

/** A dataset with fewer items than requested is an error of the command. */
const countFlag = (size: number | null): string =>
  size === null || size > MANY_ENOUGH ? ` --count ${MANY_ENOUGH}` : ''

/** Arguments of a command for these items. */
const argumentsOf = ({ task, preset, changes, seed }: Kind): string =>
  `${task} --preset ${preset}${flagsOf(changes)} --seed ${shellWord(seed)}`

interface ItemsProps {
  readonly route: Route
  readonly kind: Kind
  readonly features: TaskFacts['features']
  readonly making: Making
}

function Items({ route, kind, features, making: { made, size, fault } }: ItemsProps) {
  if (fault !== null) return <p class="problem">{visible(fault)}</p>
  if (made.length === 0) return <p class="waiting">{MANY} items are being made in this browser …</p>
  const items = made.filter((one) => one.kind === 'item')
  const selected = items.find(({ index }) => String(index) === queryValue(route, 'at')) ?? items[0]
  const answers = Map.groupBy(items, ({ problem }) => JSON.stringify(problem.answer))
  return (
    <>
      <p class="note">
        Split "{SPLIT}", so that nothing made here can be an item of a test set.
        {size !== null && size <= MANY
          ? ` There ${size === 1 ? 'is one item' : `are ${size} items`} of this kind.`
          : ''}
        {answers.size <= MAX_SHOWN && answers.size < items.length
          ? ` Answers: ${[...answers].map(([, all]) => `${formatValue(all[0]?.problem.answer, 24)} ×${all.length}`).join(', ')}.`
          : ''}
      </p>
      <p class="controls">
        {made.map((one) =>
          one.kind === 'hole' ? (
            <span key={one.index} class="off" title={one.reason}>
              {one.index}
            </span>
          ) : (
            <a
              key={one.index}
              class="chip"
              aria-current={one === selected ? 'true' : undefined}
              href={withQueryValue(route, 'at', String(one.index))}
            >
              {one.index}
            </a>
          ),
        )}
      </p>
      {selected === undefined ? (
        <Empty>
          All {plural(made.length, 'index', 'indices')} are empty
          {made.flatMap((one) => (one.kind === 'hole' ? [`: ${visible(one.reason)}`] : [])).slice(0, 1)}. Reset the
          parameters, or try another seed.
        </Empty>
      ) : (
        <>
          <Linked key={selected.id}>
            <GeneratedItemView item={selected} task={kind.task} features={features} />
          </Linked>
          <Command
            what="this item"
            text={`touchstone show ${argumentsOf(kind)} --split ${SPLIT} --index ${selected.index}`}
          />
        </>
      )}
    </>
  )
}
