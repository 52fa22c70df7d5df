import { outline } from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { queryValue, type Route } from '../routing.ts'

/** What a run asked, as it is read by the parser that the address names. */
export function useOutline(route: Route, run: string, revision: number) {
  const parser = queryValue(route, 'parser')
  return useRunDocument(run, outline, parser === null ? [] : [['parser', parser]], revision)
}
