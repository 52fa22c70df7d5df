import type { ComponentChildren } from 'preact'
import { MODELS_SHOWN, type Outline, outline, type RunSummary } from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { goTo, parametersIn, queryValue, type Route, type RunPageProps, withQueryValue } from '../routing.ts'
import { Pick } from './controls.tsx'
import { formatInteger } from './format.ts'
import { Loaded, Unanswered } from './state.tsx'

/** The outline of a run for the parser in the address. */
const useOutline = (route: Route, run: string, revision: number) =>
  useRunDocument(run, outline, parametersIn(route, ['parser']), revision)

/** What is shown of the outline of a run, once it has responses; until then why it has none. */
export function OfOutline({
  route,
  run,
  revision,
  children,
}: RunPageProps & { children: (outline: Outline) => ComponentChildren }) {
  return (
    <Loaded state={useOutline(route, run, revision)}>
      {(value) => (value.run.counts.done === 0 ? <Unanswered run={value.run} /> : children(value))}
    </Loaded>
  )
}

/** The parser that counts, on every page about a run; nothing if it has one, or if all strings were scored by log-probability. */
export function ParserSelect({ route, run }: { route: Route; run: RunSummary }) {
  const state = useOutline(route, run.id, run.revision)
  const parsers = state.kind === 'ready' ? state.value.parsers : []
  // An exported view has the first parser only.
  if (parsers.length < 2 || isExport()) return null
  return (
    <Pick
      label="Parser"
      value={queryValue(route, 'parser') ?? parsers[0]}
      options={parsers}
      onPick={(parser = '') => goTo(withQueryValue(route, 'parser', parser))}
    />
  )
}

/** Chooses a page of the models where they fill more than one. */
export function ModelPageSelect({ route, of: all }: { route: Route; of: number }) {
  const pages = Math.ceil(all / MODELS_SHOWN)
  const asked = Math.floor(Number(queryValue(route, 'models') ?? 0))
  const number = Math.min(Math.max(0, Number.isNaN(asked) ? 0 : asked), pages - 1)
  if (pages < 2) return null
  return (
    <Pick
      label={`of ${formatInteger(all)} models`}
      value={String(number)}
      options={Array.from({ length: pages }, (_, at) => [
        String(at),
        `${at * MODELS_SHOWN + 1} to ${Math.min(all, (at + 1) * MODELS_SHOWN)}`,
      ])}
      onPick={(page = '0') => goTo(withQueryValue(route, 'models', page === '0' ? null : page), { replace: true })}
    />
  )
}
