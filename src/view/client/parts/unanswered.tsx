import type { RunSummary } from '../../api/index.ts'
import { shellWord } from './format.ts'
import { Empty } from './state.tsx'

/** Is there an answer that something could be said of? */
export const isUnanswered = ({ counts }: RunSummary): boolean => counts.done === 0

/** Why a run has nothing to show, and what to do. */
export function Unanswered({ run: { counts, held, path } }: { readonly run: RunSummary }) {
  const waiting = counts.waiting + counts.leased + counts.batched
  const command = (name: string) => (
    <code>
      touchstone {name} {shellWord(path)}
    </code>
  )
  if (held) return <Empty>Nothing is answered yet. The page follows the run: what comes will be here.</Empty>
  if (waiting === 0 && counts.failed > 0)
    return (
      <Empty>
        No call was answered: all of them failed, and the overview says why. {command('retry-failed')} asks again.
      </Empty>
    )
  return (
    <Empty>
      {waiting === 0 ? 'No call is planned yet' : 'Nothing is answered yet'}, and nobody works on the run:{' '}
      {command('resume')} goes on with it.
    </Empty>
  )
}
