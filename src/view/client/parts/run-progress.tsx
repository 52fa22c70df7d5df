import type { RunSummary } from '../../api/index.ts'
import { linkTo } from '../routing.ts'

/** What numbers of a run that goes on are worth: whoever stops it when they please reads them at many times. */
export const RunProgress = ({ run: { id, held, counts, models } }: { readonly run: RunSummary }) =>
  held && counts.done > 0 && counts.waiting + counts.leased + counts.batched > 0 ? (
    <p class="note">
      The run goes on. Intervals and p are of one reading, when all is answered; whoever stops it at a number that
      pleases is wrong more often than they say. Looking is free for <code>--until</code> of <code>touchstone run</code>
      , whose rule holds however often anybody views
      {models.length > 1 ? (
        <>
          , and for the e-values of <a href={linkTo(['r', id, 'compare'])}>two models compared</a>
        </>
      ) : null}
      .
    </p>
  ) : null
