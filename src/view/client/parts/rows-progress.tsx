import type { RunSummary } from '../../api/index.ts'
import { formatInteger } from './format.ts'

/** Progress of loading the rows of a large run. */
export const RowsProgress = ({ run: { making } }: { readonly run: RunSummary }) =>
  making === null || making.of === 0 ? null : (
    <p class="note" role="status">
      Loading the rows of this run: {formatInteger(making.done)} of {formatInteger(making.of)} ({' '}
      {Math.floor((100 * making.done) / making.of)} %). The page then updates by itself.
    </p>
  )
