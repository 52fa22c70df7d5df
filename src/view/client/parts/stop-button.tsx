import { useState } from 'preact/hooks'
import { stopped } from '../../api/index.ts'
import { post } from '../documents.ts'

type State =
  | { readonly kind: 'idle' | 'sure' | 'asked' }
  | { readonly kind: 'stopping'; readonly pid: number }
  | { readonly kind: 'error'; readonly message: string }

/** Stops the process that works on a run, after a confirmation. */
export function StopButton({ run }: { readonly run: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const stop = (): void => {
    setState({ kind: 'asked' })
    post(stopped, `/api/runs/${encodeURIComponent(run)}/stop`).then(
      ({ pid }) => setState({ kind: 'stopping', pid }),
      (error: Error) => setState({ kind: 'error', message: error.message }),
    )
  }
  switch (state.kind) {
    case 'idle':
      return (
        <button type="button" onClick={() => setState({ kind: 'sure' })}>
          Stop
        </button>
      )
    case 'sure':
      return (
        <p>
          All responses are saved; <code>touchstone resume</code> continues the run.{' '}
          <button type="button" onClick={stop}>
            Stop this run
          </button>{' '}
          <button type="button" onClick={() => setState({ kind: 'idle' })}>
            Go on
          </button>
        </p>
      )
    case 'asked':
      return <p aria-live="polite">Stopping …</p>
    case 'stopping':
      return <p aria-live="polite">Process {state.pid} saves what it has and ends.</p>
    case 'error':
      return (
        <p class="problem" role="alert">
          Not stopped: {state.message}
        </p>
      )
  }
}
