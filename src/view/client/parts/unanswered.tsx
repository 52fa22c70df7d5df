import type { RunSummary } from '../../api/index.ts'
import { shellWord } from './format.ts'
import { Empty } from './state.tsx'

/** True if no call is done. */
export const isUnanswered = ({ counts }: RunSummary): boolean => counts.done === 0

/** Why a run has nothing to show, and what to do. */
export function Unanswered({ run: { counts, held, path } }: { readonly run: RunSummary }) {
  const waiting = counts.waiting + counts.leased + counts.batched
  const command = (name: string) => (
    <code>
      touchstone {name} {shellWord(path)}
    </code>
  )
  if (held) return <Empty>No responses yet. The page follows the run.</Empty>
  if (waiting === 0 && counts.failed > 0)
    return <Empty>All calls failed; the overview shows the errors. To repeat them: {command('retry-failed')}</Empty>
  return (
    <Empty>
      {waiting === 0 ? 'No calls are planned yet' : 'No responses yet'}, and no process works on the run. Continue it:{' '}
      {command('resume')}
    </Empty>
  )
}
