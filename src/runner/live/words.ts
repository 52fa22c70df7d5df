import type { Wait } from './progress.ts'

/** Seconds in words, to one unit. */
export const duration = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

const seconds = (ms: number): string => duration(ms / 1000)

/** Why a model waits, for a person. Words of a provider are in it as they came. */
export function waitText(wait: Wait): string {
  switch (wait.kind) {
    case 'pause':
      return `told to slow down, for ${seconds(wait.ms)}`
    case 'rate':
      return `its rate is used up, for ${seconds(wait.ms)}`
    case 'back-off':
      return `${wait.calls} failed ${wait.calls === 1 ? 'call' : 'calls'} again in ${seconds(wait.ms)}`
    case 'full':
      return `told to slow down: ${wait.calls} ${wait.calls === 1 ? 'call' : 'calls'} at once`
    case 'ahead':
      return 'one call goes ahead'
    case 'broken':
      return `not asked any more: ${wait.code}`
    case 'budget':
      return 'the next call could cost more than is left'
    case 'slower':
      return 'for a slower model that it is compared with'
    case 'choice':
      return 'what is next follows from answers under way'
    case 'turn':
      return `its turn, after ${wait.model}: a server of this machine is asked for one model at a time`
  }
}
