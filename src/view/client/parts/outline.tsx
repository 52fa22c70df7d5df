import { outline, type RunSummary } from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { goTo, queryValue, type Route, withQueryValue } from '../routing.ts'
import { Pick } from './controls.tsx'
import { formatInteger } from './format.ts'

/** The outline of a run for the parser in the address. */
export function useOutline(route: Route, run: string, revision: number) {
  const parser = queryValue(route, 'parser')
  return useRunDocument(run, outline, parser === null ? [] : [['parser', parser]], revision)
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

/** One page of the models; the address gives its number. */
interface ModelPage {
  readonly models: readonly string[]
  readonly number: number
  readonly of: number
}

/** @param most - models of one page of models. */
function modelPageOf(route: Route, all: readonly string[], most: number): ModelPage {
  const of = Math.max(1, Math.ceil(all.length / most))
  const asked = Math.floor(Number(queryValue(route, 'models') ?? 0))
  const number = Math.min(Math.max(0, Number.isNaN(asked) ? 0 : asked), of - 1)
  return { models: all.slice(number * most, (number + 1) * most), number, of }
}

export function ModelPageSelect({ route, all, most }: { route: Route; all: readonly string[]; most: number }) {
  const { number, of } = modelPageOf(route, all, most)
  if (of === 1) return null
  return (
    <Pick
      label={`of ${formatInteger(all.length)} models`}
      value={String(number)}
      options={Array.from({ length: of }, (_, at) => [
        String(at),
        `${at * most + 1} to ${Math.min(all.length, (at + 1) * most)}`,
      ])}
      onPick={(page = '0') => goTo(withQueryValue(route, 'models', page === '0' ? null : page), { replace: true })}
    />
  )
}
