import { outline } from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { queryValue, type Route } from '../routing.ts'

/** The outline of a run for the parser in the address. */
export function useOutline(route: Route, run: string, revision: number) {
  const parser = queryValue(route, 'parser')
  return useRunDocument(run, outline, parser === null ? [] : [['parser', parser]], revision)
}
