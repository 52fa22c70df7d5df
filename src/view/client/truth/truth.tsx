import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Json, Problem } from '../../../core/index.ts'
import { LinkScope, scoped, useLinks, usePartLinks } from '../parts/links.tsx'
import type { Link } from '../parts/places.ts'
import { Scroll } from '../parts/scroll.tsx'
import { shown, visible, whole } from '../parts/words.ts'
import { askTasks } from '../tasks/ask.ts'
import type { Truth as Answer } from '../tasks/work.ts'
import { Chart } from './chart.tsx'
import { GraphDrawing } from './graph.tsx'
import { type Drawing, drawingOf } from './kinds.ts'
import { Sets } from './sets.tsx'
import { Steps } from './steps.tsx'
import { Strip } from './strip.tsx'
import { Tree } from './tree.tsx'

export interface TruthProps {
  readonly task: string
  readonly version: number
  readonly problem: Problem<Json, Json, Json>
}

type State = { readonly kind: 'waiting' } | { readonly kind: 'broken'; readonly message: string } | Answer

/** The truth of an item: its proof checked in this browser, then drawn. */
export function Truth({ task, version, problem }: TruthProps) {
  const [state, setState] = useState<State>({ kind: 'waiting' })
  useEffect(() => {
    let stale = false
    setState({ kind: 'waiting' })
    askTasks({ kind: 'draw', task, version, problem }).then(
      (answer) => stale || setState(answer),
      (error: unknown) =>
        stale || setState({ kind: 'broken', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      stale = true
    }
  }, [task, version, problem])
  const { declare } = useLinks()
  useEffect(() => {
    declare(state.kind === 'drawn' ? state.drawings.flatMap(linksOf) : [])
  }, [state, declare])
  return (
    <section class="truth" aria-label="The truth">
      <h2>
        Truth: <b>{shown(problem.answer, 200)}</b>
      </h2>
      <Seal state={state} />
      {state.kind === 'drawn'
        ? state.drawings.map((drawing, number) => (
            <LinkScope key={`${number}`} name={String(number)}>
              <Drawn value={drawing} />
            </LinkScope>
          ))
        : null}
    </section>
  )
}

const linksOf = (value: Json, number: number): readonly Link[] =>
  (drawingOf(value)?.links ?? []).map(({ text, parts }) => ({
    text,
    parts: parts.map((part) => scoped(String(number), part)),
  }))

function Seal({ state }: { readonly state: State }) {
  switch (state.kind) {
    case 'waiting':
      return (
        <p class="seal waiting" role="status">
          The proof is being checked in this browser …
        </p>
      )
    case 'unknown':
      return <p class="seal unknown">Not checked here: {state.why}.</p>
    case 'broken':
      return (
        <p class="seal bad" role="alert">
          ✗ The check broke off: {visible(state.message).slice(0, 300)}
        </p>
      )
    case 'drawn':
      return state.checked && state.oracle ? (
        <p class="seal good" role="status">
          ✓ Proved: the witness ({whole(state.size)} characters) was checked in this browser, and the oracle agrees.
        </p>
      ) : (
        <p class="seal bad" role="alert">
          ✗{' '}
          {state.checked
            ? 'The oracle disagrees with the stored answer.'
            : 'The witness does not prove the stored answer.'}
        </p>
      )
  }
}

function Drawn({ value }: { readonly value: Json }) {
  const drawing = useMemo(() => drawingOf(value), [value])
  const link = usePartLinks()('drawing')
  if (drawing === null)
    return (
      <details>
        <summary>A drawing that this page does not know</summary>
        <pre>{visible(JSON.stringify(value, null, 1).slice(0, 20_000))}</pre>
      </details>
    )
  const { title = '', caption = '' } = drawing
  return (
    <figure class={link.on ? 'linked' : ''} onMouseEnter={link.enter} onMouseLeave={link.leave}>
      {title === '' ? null : <h3>{visible(title)}</h3>}
      <Scroll label="Drawing">
        <Picture drawing={drawing} />
      </Scroll>
      {caption === '' || drawing.kind === 'sets' ? null : <figcaption>{visible(caption)}</figcaption>}
    </figure>
  )
}

function Picture({ drawing }: { readonly drawing: Drawing }) {
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
      return <Sets drawing={drawing} />
    case 'strip':
      return <Strip drawing={drawing} />
    case 'text':
      return <pre class="plain">{visible(drawing.text)}</pre>
  }
}
