import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { splitCamelCase } from '../../../core/split-camel-case.ts'
import { type ItemRow, type ItemsFilter, outcomes, parametersOf, type Tally } from '../../api/index.ts'
import { featureName, formatInteger, formatValue, plural, visible } from '../parts/format.ts'
import { headNames } from '../parts/head-names.ts'
import { Empty, Problem } from '../parts/state.tsx'
import { VirtualRows } from '../parts/virtual.tsx'
import { goTo, linkTo } from '../routing.ts'
import { useItemPages } from './item-pages.ts'

const HEIGHT = 34

/** The last opened row of each list, to return to. */
const opened = new Map<string, number>()

/** The items that fit a filter, one row an item, one column a model of those that are shown. */
export function ItemRows({
  run,
  filter,
  models,
  several,
  children,
}: {
  readonly run: string
  readonly filter: ItemsFilter
  readonly models: readonly string[]
  /** True if the items are of several tasks: each row names its own. */
  readonly several: boolean
  /** Content above the items, once the filter worked. */
  readonly children?: ComponentChildren
}) {
  const { facts: first, fault, rowAt, need } = useItemPages(run, filter)
  const list = JSON.stringify([run, filter])
  const [selected, setChosen] = useState(opened.get(list) ?? 0)
  useEffect(() => setChosen(opened.get(list) ?? 0), [need])
  const box = useRef<HTMLDivElement>(null)
  const isHere = first !== null && first.total > 0
  useEffect(() => {
    // Return by keyboard keeps keyboard focus.
    if (isHere && opened.has(list) && document.activeElement?.matches('main, body') === true)
      box.current?.querySelector<HTMLElement>('.rows')?.focus({ preventScroll: true })
  }, [isHere, list])
  if (fault !== null) return <Problem message={fault} next="Take a filter out, or write it otherwise." />
  if (first === null)
    return (
      <p class="waiting" role="status">
        Looking …
      </p>
    )
  const itemLink = ({ item }: ItemRow): string => linkTo(['r', run, 'item'], [['id', item], ...parametersOf(filter)])
  const open = (index: number): void => {
    const row = rowAt(index)
    if (row === undefined) return
    opened.set(list, index)
    goTo(itemLink(row))
  }
  const heads = headNames(models)
  return (
    <>
      {children}
      <p role="status">
        {formatInteger(first.total)} of {formatInteger(first.all)}{' '}
        {first.styled ? 'rows, one per item and style' : 'items'}
        {first.total === 0 ? '' : '; j and k move, Enter opens'}
        {first.measure === null ? '' : `; for scored strings: ${splitCamelCase(first.measure)}`}
        {first.lost === 0
          ? ''
          : `. ${plural(first.lost, 'prompt')} could not be searched: the installed version of the task writes other prompts`}
      </p>
      {first.total === 0 || first.measure !== null ? null : (
        <p class="note">
          {outcomes.map((kind) => `${SIGN[kind]} ${kind === 'other' ? 'truncated or refused' : kind}`).join(', ')}
        </p>
      )}
      {first.total === 0 ? (
        <Empty>No items match. Remove a filter.</Empty>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the list inside, which can be reached and is named
        <div
          ref={box}
          class="items"
          onKeyDown={(event) => {
            const step =
              event.key === 'j' || event.key === 'ArrowDown' ? 1 : event.key === 'k' || event.key === 'ArrowUp' ? -1 : 0
            if (step !== 0) {
              event.preventDefault()
              setChosen((at) => Math.max(0, Math.min(first.total - 1, at + step)))
            } else if (event.key === 'Enter' && event.target === event.currentTarget.lastElementChild) open(selected)
          }}
        >
          <div class="heads" aria-hidden="true">
            <span class="index">item</span>
            <span class="truth">truth</span>
            <span class="facts">
              {several ? 'task and ' : ''}
              {first.styled ? 'style and ' : ''}features
            </span>
            {models.map((model) => (
              <span key={model} class="tally" title={visible(model)}>
                {heads.get(model)}
              </span>
            ))}
          </div>
          <VirtualRows
            count={first.total}
            height={HEIGHT}
            at={selected}
            onRange={need}
            label="Items"
            row={(index) => {
              const row = rowAt(index)
              return row === undefined ? (
                <span class="waiting">…</span>
              ) : (
                <Row
                  row={row}
                  link={itemLink(row)}
                  onOpen={() => opened.set(list, index)}
                  selected={index === selected}
                  models={models}
                  several={several}
                  styled={first.styled}
                />
              )
            }}
          />
        </div>
      )}
    </>
  )
}

function Row({
  row,
  link,
  onOpen,
  selected,
  models,
  several,
  styled,
}: {
  readonly row: ItemRow
  readonly link: string
  readonly onOpen: () => void
  readonly selected: boolean
  readonly models: readonly string[]
  readonly several: boolean
  readonly styled: boolean
}) {
  const features = Object.entries(row.features)
    .slice(0, 4)
    .map(
      ([name, value]) =>
        `${featureName(name)} ${typeof value === 'string' ? answerText(value, 16) : formatValue(value, 16)}`,
    )
  const own = [...(several ? [row.task] : []), ...(styled ? [row.style] : [])].map(visible)
  const facts = [...own, ...features].join(' · ')
  return (
    <a
      class={`item${selected ? ' selected' : ''}`}
      href={link}
      onClick={onOpen}
      tabIndex={-1}
      title={`${row.task} ${row.style} ${facts}`}
    >
      <span class="index">#{row.index}</span>
      <span class="truth" title={row.truth === null ? '' : visible(row.truth)}>
        {row.truth === null ? '' : answerText(row.truth, 24)}
      </span>
      <span class="facts">{facts}</span>
      {models.map((model) => (
        <TallyCell key={model} tally={row.tallies.find((one) => one.model === model)} model={model} />
      ))}
    </a>
  )
}

/** A prediction in a table cell; booleans read as on the page of the item. */
const answerText = (answer: string, most: number): string =>
  answer === 'true' ? 'yes' : answer === 'false' ? 'no' : visible(answer).slice(0, most)

const SIGN = { right: '✓', wrong: '✗', unparsed: '?', failed: '!', other: '–' } as const

/** One sign for one sample, counts for several. */
function TallyCell({ tally, model }: { readonly tally: Tally | undefined; readonly model: string }) {
  if (tally === undefined) return <span class="tally none">·</span>
  const kinds = outcomes.filter((kind) => tally[kind] > 0)
  const answers = tally.answers
    .map(({ answer, count }) => `${answerText(answer, 20)}${tally.samples > 1 ? ` ×${count}` : ''}`)
    .join(', ')
  const [kind] = kinds
  if (tally.measured !== null)
    return (
      <span
        class="tally other"
        title={`${model}: ${formatValue(tally.measured)}, mean of ${formatInteger(tally.samples)}`}
      >
        {formatValue(Number(tally.measured.toPrecision(4)))}
      </span>
    )
  return (
    <span
      class={`tally ${kinds.length === 1 ? kind : 'mixed'}`}
      title={`${model}: ${kinds.map((one) => `${tally[one]} ${one}`).join(', ')}${answers === '' ? '' : `; ${answers}`}`}
    >
      {kinds.length === 1 && kind !== undefined ? SIGN[kind] : `${tally.right}/${tally.samples}`}{' '}
      <small>{answers}</small>
    </span>
  )
}
