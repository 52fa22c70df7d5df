import type { RunSummary } from '../../api/index.ts'
import { isExport } from '../documents.ts'
import { useOutline } from '../pages/outline.ts'
import { goTo, queryValue, type Route, withQueryValue } from '../routing.ts'
import { visible } from './format.ts'

/** The parser that counts, on every page about a run; nothing if it has one, or if all strings were scored by log-probability. */
export function ParserSelect({ route, run }: { readonly route: Route; readonly run: RunSummary }) {
  const state = useOutline(route, run.id, run.revision)
  const parsers = state.kind === 'ready' ? state.value.parsers : []
  // An exported view has the first parser only.
  if (parsers.length < 2 || isExport()) return null
  return (
    <label>
      Parser{' '}
      <select
        value={queryValue(route, 'parser') ?? parsers[0]}
        onChange={({ currentTarget }) => goTo(withQueryValue(route, 'parser', currentTarget.value))}
      >
        {parsers.map((parser) => (
          <option key={parser} value={parser}>
            {visible(parser)}
          </option>
        ))}
      </select>
    </label>
  )
}
