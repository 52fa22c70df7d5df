import type { RunSummary } from '../../api/index.ts'
import { shellWord } from './format.ts'

type Spending = Pick<RunSummary, 'usd' | 'limit'>

/** What a run has spent, and of how much; null where it costs nothing. */
export function spentWords({ usd, limit }: Spending, underWay: boolean): string | null {
  if (usd === 0 && limit === null) return null
  // A limit of cents is spent in parts of them.
  const dollars = (amount: number): string => `$${amount.toFixed(limit !== null && limit < 1 ? 4 : 2)}`
  const most = underWay && usd > 0 ? ', calls in flight at their maximum' : ''
  return `${dollars(usd)}${limit === null ? '' : ` of ${dollars(limit)}`}${most}`
}

/** Share of the cost limit below which no call may be sent. */
const NEARLY = 0.1

/** How to continue an interrupted run; with its cost limit nearly reached it would send no call. */
export function goOnWords({ usd, limit, path }: Spending & Pick<RunSummary, 'path'>): string {
  const resume = `touchstone resume ${shellWord(path)}`
  return limit !== null && limit - usd < NEARLY * limit
    ? `the cost limit is nearly reached: ${resume} --max-usd MORE`
    : `no process works on it: ${resume}`
}
