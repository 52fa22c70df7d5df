import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Json, Problem } from '../../../core/index.ts'
import { type Loading, useWork } from '../documents.ts'
import { Fold, Scroll } from '../parts/controls.tsx'
import { formatValue, visible } from '../parts/format.ts'
import { LinkScope, scoped, useLinks, usePartLinks } from '../parts/links.tsx'
import { PART, useRoving } from '../parts/roving.ts'
import type { Link } from '../parts/text-spans.ts'
import { askTasks } from '../tasks/ask.ts'
import type { Truth as Answer } from '../tasks/work.ts'
import { Chart, ruleLinks } from './chart.tsx'
import { GraphDrawing } from './graph.tsx'
import { type Drawing, drawingOf } from './kinds.ts'
import type { Scored } from './losses.ts'
import { Sets } from './sets.tsx'
import { Steps } from './steps.tsx'
import { Strip, Table } from './tables.tsx'
import { Tree } from './tree.tsx'

type TruthState = Loading<Answer>

export const useTruth = (task: string, version: number, problem: Problem<Json, Json, Json>): TruthState =>
  useWork(() => askTasks({ kind: 'draw', task, version, problem }), JSON.stringify([task, version, problem]))

/** The drawings of a truth as data; none until it is there. */
const drawingsIn = (state: TruthState): readonly Json[] =>
  state.kind === 'ready' && state.value.kind === 'drawn' ? state.value.drawings : []

/** The string that models score, with the exact floor of each cell; null: this item has none. */
export function scoredIn(state: TruthState): Scored | null {
  for (const value of drawingsIn(state)) {
    const drawing = drawingOf(value)
    if (drawing?.kind === 'strip' && drawing.scored !== undefined)
      return { cells: drawing.cells, scored: drawing.scored }
  }
  return null
}

/** Drawings of an item with the result of its proof check: the first large, a chart below a tree folded. */
export function Truth({ state, answer }: { state: TruthState; answer: Json }) {
  const { declare } = useLinks()
  const values = useMemo(() => drawingsIn(state), [state])
  useEffect(() => declare(values.flatMap(linksOf)), [values, declare])
  const known = useMemo(() => values.map(drawingOf), [values])
  const sets = known.filter((drawing) => drawing?.kind === 'sets')
  return (
    <section class="truth" aria-label="The truth">
      <div class="section-head">
        <h2>
          Truth <b>{formatValue(answer, 200)}</b>
        </h2>
        <Seal state={state} />
      </div>
      {values.map((value, number) => {
        const drawing = known[number] ?? null
        if (drawing?.kind === 'sets')
          return drawing === sets[0] ? (
            <LinkScope key={`${number}`} name={String(number)}>
              <Sets drawings={sets} />
            </LinkScope>
          ) : null
        const drawn = (
          <LinkScope key={`${number}`} name={String(number)}>
            <Drawn value={value} drawing={drawing} />
          </LinkScope>
        )
        return number > 0 && drawing?.kind === 'chart' ? (
          <Fold key={`${number}`} title="Chart of all parts (CYK)" note={`${drawing.cells.length} filled cells`}>
            {drawn}
          </Fold>
        ) : (
          drawn
        )
      })}
    </section>
  )
}

/** Links of a drawing; those to marked parts, and to the nodes of a derivation, are what the proof uses. */
function linksOf(value: Json, number: number): readonly Link[] {
  const drawing = drawingOf(value)
  if (drawing === null) return []
  const own = [...(drawing.links ?? []), ...(drawing.kind === 'chart' ? ruleLinks(drawing) : [])]
  return own.map((link) => ({
    ...link,
    used: link.parts.some((part) => isUsed(drawing, part)),
    parts: link.parts.map((part) => scoped(String(number), part)),
  }))
}

function isUsed(drawing: Drawing, part: string): boolean {
  if (drawing.kind === 'tree') return part.startsWith('note/')
  const edge = /^edge\/(\d+)$/u.exec(part)?.[1]
  return drawing.kind === 'graph' && edge !== undefined && drawing.edges[Number(edge)]?.marked === true
}

function Seal({ state }: { state: TruthState }) {
  if (state.kind === 'loading')
    return (
      <p class="seal waiting" role="status">
        The proof is being checked in this browser …
      </p>
    )
  if (state.kind === 'error')
    return (
      <p class="seal bad" role="alert">
        ✗ The check broke off: {visible(state.message).slice(0, 300)}
      </p>
    )
  const answer = state.value
  switch (answer.kind) {
    case 'unknown':
      return <p class="seal unknown">Not checked here: {answer.why}.</p>
    case 'foreign':
      return (
        <p class="seal bad" role="alert">
          ✗ Not proved: what is stored here is no problem of {visible(answer.task)}. It was changed after it was made,
          or is damaged: <code>touchstone verify</code> on its folder names every such item.
        </p>
      )
    case 'drawn':
      return answer.checked && answer.oracle ? (
        <p class="seal good" role="status">
          ✓ Proof checked in this browser; the independent solver agrees
        </p>
      ) : (
        <p class="seal bad" role="alert">
          ✗{' '}
          {answer.checked
            ? 'The oracle disagrees with the stored answer.'
            : 'The witness does not prove the stored answer.'}
        </p>
      )
  }
}

function Drawn({ value, drawing }: { value: Json; drawing: Drawing | null }) {
  const whole = usePartLinks()
  const { ref, onFocusIn, onKeyDown } = useRoving()
  const [says, setSays] = useState('')
  // Description of the part under the pointer or focus.
  const read = ({ target }: Event): void => {
    const part = target instanceof Element ? target.closest(`[${PART}]`) : null
    setSays(part?.getAttribute('data-says') ?? '')
  }
  if (drawing === null)
    return (
      <Fold title="Unknown kind of drawing">
        <pre>{visible(JSON.stringify(value, null, 1).slice(0, 20_000))}</pre>
      </Fold>
    )
  const { title = '', caption = '', links = [] } = drawing
  const link = whole('drawing', caption)
  const handlers = {
    ...(links.some(({ parts }) => parts.includes('drawing')) ? link.props : {}),
    onMouseOver: read,
    onFocusIn(event: FocusEvent) {
      onFocusIn(event)
      read(event)
    },
    onKeyDown(event: KeyboardEvent) {
      onKeyDown(event)
      link.props.onKeyDown(event)
    },
  }
  const name = title === '' ? 'Drawing' : title
  return (
    <figure
      ref={ref as RefObject<HTMLElement>}
      class={link.on ? 'linked' : ''}
      aria-label={visible(name)}
      {...handlers}
    >
      {title === '' ? null : <h3>{visible(title)}</h3>}
      <Scroll label={visible(name)}>
        <Picture drawing={drawing} />
      </Scroll>
      {drawing.kind === 'text' ? null : (
        <p class="note readout">{says === '' ? 'Point at a part, or move with Tab and the arrow keys.' : says}</p>
      )}
      {caption === '' ? null : <figcaption>{visible(caption)}</figcaption>}
    </figure>
  )
}

function Picture({ drawing }: { drawing: Drawing }) {
  switch (drawing.kind) {
    case 'tree':
      return <Tree drawing={drawing} />
    case 'chart':
      return <Chart drawing={drawing} />
    case 'steps':
      return <Steps drawing={drawing} />
    case 'graph':
      return <GraphDrawing drawing={drawing} />
    case 'sets':
      return <Sets drawings={[drawing]} />
    case 'strip':
      return <Strip drawing={drawing} />
    case 'table':
      return <Table drawing={drawing} />
    case 'text':
      return <pre class="plain">{visible(drawing.text)}</pre>
  }
}
