import type { ComponentChildren } from 'preact'
import type { Loading } from '../documents.ts'

/** A document, its loading state or its error. */
export function Loaded<T>({
  state,
  children,
}: {
  readonly state: Loading<T>
  readonly children: (value: T) => ComponentChildren
}) {
  if (state.kind === 'loading')
    return (
      <p class="waiting" role="status">
        Loading …
      </p>
    )
  if (state.kind === 'error') return <Problem message={state.message} next={state.next} />
  return <>{children(state.value)}</>
}

/** What went wrong, and the next step. */
export const Problem = ({ message, next }: { readonly message: string; readonly next: string }) => (
  <div class="problem" role="alert">
    <p>
      <b>Error:</b> {message}
    </p>
    {next === '' ? null : <p>{next}</p>}
  </div>
)

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>
