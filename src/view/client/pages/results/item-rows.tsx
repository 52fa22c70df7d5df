import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { splitCamelCase } from '../../../../core/split-camel-case.ts'
import {
  type ItemRow,
  type ItemsFilter,
  type ItemsPage,
  itemDocument,
  outcomes,
  parametersOf,
  type SegmentName,
  segments,
  type Tally,
} from '../../../api/index.ts'
import { useRunDocument } from '../../documents.ts'
import { useKeys } from '../../keys.tsx'
import { ModelName, OUTCOMES } from '../../parts/controls.tsx'
import {
  answerWords,
  capitalized,
  featureName,
  formatInteger,
  formatValue,
  percent,
  plural,
  secondsWords,
  visible,
} from '../../parts/format.ts'
import { Linked } from '../../parts/links.tsx'
import { colourOf } from '../../parts/names.ts'
import { Empty, Loaded, Problem } from '../../parts/state.tsx'
import { goTo, linkTo } from '../../routing.ts'
import { ItemBody } from '../item/item.tsx'
import { useItemPages, VirtualRows } from './virtual-rows.tsx'

const HEIGHT = 52
/** On phones an item is a card, with a line for each model. */
function useNarrow(): boolean {
  const [media] = useState(() => matchMedia('(max-width: 720px)'))
  const [narrow, setNarrow] = useState(media.matches)
  useEffect(() => {
    const listen = (): void => setNarrow(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  return narrow
}

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
  run: string
  filter: ItemsFilter
  models: readonly string[]
  /** True if the items are of several tasks: each row names its own. */
  several: boolean
  /** Content above the items, once the filter worked. */
  children?: ComponentChildren
}) {
  const { facts: first, fault, rowAt, need } = useItemPages(run, filter)
  const known = useRef<ItemsPage | null>(null)
  if (first !== null) known.current = first
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
  const itemLink = ({ item }: ItemRow): string => linkTo(['r', run, 'item'], [['id', item], ...parametersOf(filter)])
  const open = (index: number): void => {
    const row = rowAt(index)
    if (row === undefined) return
    opened.set(list, index)
    goTo(itemLink(row))
  }
  const narrow = useNarrow()
  const [peeking, setPeeking] = useState(false)
  const move = (by: number): void => setChosen((at) => Math.max(0, Math.min((first?.total ?? 1) - 1, at + by)))
  const choose = (name: SegmentName): void => {
    const { outcome, among }: Pick<ItemsFilter, 'outcome' | 'among'> = segments[name]
    goTo(linkTo(['r', run, 'items'], parametersOf({ ...filter, outcome, among })))
  }
  useKeys({
    j: ['next item', () => move(1)],
    k: ['item before', () => move(-1)],
    ' ': ['show the item beside the list', () => setPeeking(!peeking)],
    Enter: ['open the item', () => open(selected)],
    ...Object.fromEntries(
      Object.keys(segments).map((name, i) => [`${i + 1}`, [name, () => choose(name as SegmentName)] as const]),
    ),
    s: ['sort', () => document.querySelector<HTMLElement>('[data-key=s] select')?.focus()],
    c: ['columns', () => document.querySelector<HTMLElement>('[data-key=c] > summary')?.click() ?? false],
    Escape: ['clear the filters', () => (peeking ? setPeeking(false) : goTo(linkTo(['r', run, 'items'])))],
  })
  if (fault !== null) return <Problem message={fault} next="Remove a filter, or write it differently." />
  const chosen = rowAt(selected)
  return (
    <>
      {known.current !== null && known.current.measure === null ? (
        <Segments filter={filter} counts={known.current.counts} onChoose={choose} />
      ) : null}
      {first === null ? (
        <p class="waiting" role="status">
          Loading …
        </p>
      ) : (
        <>
          {children}
          <p class="note" role="status">
            {formatInteger(first.total)} of {formatInteger(first.all)}{' '}
            {first.styled ? 'rows, one per item and style' : 'items'}
            {first.measure === null ? '' : `; for scored strings: ${splitCamelCase(first.measure)}`}
            {first.lost === 0
              ? ''
              : `. ${plural(first.lost, 'prompt')} could not be searched: the installed version of the task writes other prompts`}
            {first.total === 0 ? null : (
              <span class="keys">
                {' '}
                <kbd>j</kbd> <kbd>k</kbd> move <kbd>Space</kbd> peek <kbd>Enter</kbd> open <kbd>?</kbd> keys
              </span>
            )}
          </p>
          {first.total === 0 ? (
            <Empty>
              No items match. <a href={linkTo(['r', run, 'items'])}>Clear filters</a>
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: keys of the list inside, which can be reached and is named
            <div
              ref={box}
              class="items"
              style={{ '--models': models.length }}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
                event.preventDefault()
                move(event.key === 'ArrowDown' ? 1 : -1)
              }}
            >
              <div class="heads">
                <span>Item</span>
                <span>Question</span>
                <span>Truth</span>
                {models.map((model) => (
                  <Rate key={model} model={model} rate={first.models.find(({ name }) => name === model)} />
                ))}
              </div>
              <VirtualRows
                key={`${narrow}`}
                count={first.total}
                height={narrow ? 78 + 26 * models.length : HEIGHT}
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
          {peeking && chosen !== undefined ? <Peek run={run} id={chosen.item} link={itemLink(chosen)} /> : null}
        </>
      )}
    </>
  )
}

function Segments({
  filter,
  counts,
  onChoose,
}: {
  filter: ItemsFilter
  counts: ItemsPage['counts']
  onChoose: (name: SegmentName) => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, no fields
    <div class="segments" role="group" aria-label="What came of the items">
      {(Object.keys(segments) as SegmentName[]).map((name) => {
        const { outcome, among }: Pick<ItemsFilter, 'outcome' | 'among'> = segments[name]
        const isCurrent = outcome === filter.outcome && among === filter.among
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isCurrent}
            disabled={counts[name] === 0 && !isCurrent && name !== 'all'}
            onClick={() => onChoose(name)}
          >
            {capitalized(name)} {formatInteger(counts[name])}
          </button>
        )
      })}
    </div>
  )
}

/** The selected item beside the list, as its page shows it. */
function Peek({ run, id, link }: { run: string; id: string; link: string }) {
  const state = useRunDocument(run, itemDocument, [['id', id]])
  return (
    <aside class="peek" aria-label="Selected item">
      <p class="note">
        <a href={link}>Open</a> <kbd>Enter</kbd> or close <kbd>Esc</kbd>
      </p>
      <Loaded state={state}>
        {(item) => (
          <Linked key={id}>
            <ItemBody route={{ path: ['r', run, 'items'], parameters: [] }} item={item} />
          </Linked>
        )}
      </Loaded>
    </aside>
  )
}

/** How often a model is correct, whatever the list was chosen by. */
function Rate({ model, rate }: { model: string; rate: ItemsPage['models'][number] | undefined }) {
  const { right, of } = rate ?? { right: 0, of: 0 }
  return (
    <span class={`rate m${colourOf(model)}`}>
      <ModelName model={model} provider={false} />
      {of === 0 ? null : (
        <>
          <span>
            <b>{percent(right / of)}%</b>{' '}
            <small>
              {formatInteger(right)} of {formatInteger(of)} correct
            </small>
          </span>
          <i aria-hidden="true">
            <i style={{ width: `${(100 * right) / of}%` }} />
          </i>
        </>
      )}
    </span>
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
  row: ItemRow
  link: string
  onOpen: () => void
  selected: boolean
  models: readonly string[]
  several: boolean
  styled: boolean
}) {
  const own = [...(several ? [row.task] : []), ...(styled ? [row.style] : [])].map(visible).join(', ')
  return (
    <a class={`item${selected ? ' selected' : ''}`} href={link} onClick={onOpen} tabIndex={-1}>
      <span class="index">#{row.index}</span>
      <span class="question">
        {row.question === '' ? featureWords(row) : visible(row.question)}
        <small>
          {own} <code>{visible(row.given)}</code>
        </small>
      </span>
      <span class="truth" title={row.truth === null ? '' : visible(row.truth)}>
        {row.truth === null ? '' : answerWords(row.truth)}
      </span>
      {models.map((model) => (
        <TallyCell key={model} tally={row.tallies.find((one) => one.model === model)} model={model} />
      ))}
    </a>
  )
}

const featureWords = ({ features }: ItemRow): string =>
  Object.entries(features)
    .slice(0, 4)
    .map(([name, value]) => `${featureName(name)} ${formatValue(value, 16)}`)
    .join(' · ')

/** Icon and answer of one sample; of several how many are correct, and their answers. */
function TallyCell({ tally, model }: { tally: Tally | undefined; model: string }) {
  const name = <ModelName model={model} provider={false} />
  if (tally === undefined) return <span class="tally none">{name} ·</span>
  const took = [
    ...(tally.tokens === null ? [] : [`${formatInteger(Math.round(tally.tokens))} tok`]),
    ...(tally.seconds === null ? [] : [secondsWords(tally.seconds)]),
  ].join(' · ')
  if (tally.measured !== null)
    return (
      <span class="tally">
        {name} {formatValue(Number(tally.measured.toPrecision(4)))}
      </span>
    )
  const kinds = outcomes.filter((kind) => tally[kind] > 0)
  const [kind] = kinds
  const answers = tally.answers
    .map(({ answer, count }) => `${answerWords(answer)}${tally.samples > 1 ? ` ×${count}` : ''}`)
    .join(', ')
  const single = kinds.length === 1 && kind !== undefined
  const { icon, word, tint } = single ? OUTCOMES[kind] : { icon: '', word: '', tint: 'warn' }
  const counts = kinds.map((one) => `${tally[one]} ${OUTCOMES[one].word}`).join(', ')
  return (
    <span class={`tally ${tint}`} title={`${visible(model)}: ${counts}${answers === '' ? '' : `; ${answers}`}`}>
      {name}
      <span class="sign" aria-hidden="true">
        {icon}
      </span>
      <span class="said">
        {single ? <span class="hidden">{word} </span> : `${tally.right}/${tally.samples} `}
        {answers === '' && single ? word : answers}
        <small>{took}</small>
      </span>
    </span>
  )
}
