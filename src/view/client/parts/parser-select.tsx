import type { RunSummary } from '../../api/index.ts'
import { isExport } from '../documents.ts'
import { goTo, queryValue, type Route, withQueryValue } from '../routing.ts'
import { useOutline } from './outline.ts'
import { Pick } from './pick.tsx'

/** The parser that counts, on every page about a run; nothing if it has one, or if all strings were scored by log-probability. */
export function ParserSelect({ route, run }: { readonly route: Route; readonly run: RunSummary }) {
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
