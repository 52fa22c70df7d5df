import type { RunSummary } from '../../api/index.ts'
import { linkTo } from '../routing.ts'

/** Warns that numbers of a run in progress are not for stopping at will. */
export const RunProgress = ({ run: { id, held, counts, models } }: { readonly run: RunSummary }) =>
  held && counts.done > 0 && counts.waiting + counts.leased + counts.batched > 0 ? (
    <p class="note">
      The run is in progress. Intervals and p are valid for one analysis at the end, not for stopping at a favourable
      result. Valid at any time: <code>--until</code> of <code>touchstone run</code>
      {models.length > 1 ? (
        <>
          , and the e-values of <a href={linkTo(['r', id, 'compare'])}>two models compared</a>
        </>
      ) : null}
      .
    </p>
  ) : null
