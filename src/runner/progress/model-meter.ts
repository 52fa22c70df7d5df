import type { Outcome } from '../../core/index.ts'
import { clusteredShare } from '../../libraries/statistics/index.ts'
import type { Counts } from '../../store/index.ts'
import type { WorkRun } from '../folder/run.ts'
import type { ExecutionContext } from '../schedule/execute-options.ts'
import { rightness } from '../scoring/score.ts'
import type { ModelFailure, ModelProgress, RunningAccuracy } from './model-progress.ts'

/** Ms over which a rate is measured. */
const RATE_MS = 15_000
/** Kinds of failures that are shown, the latest first. */
const FAILURES = 4
/** Characters of a failure's message. */
const SHOWN = 200
/** The accuracy of n responses is computed again after n / ANSWERS_A_SECOND seconds, and ACCURACY_MS, at the earliest. */
const ANSWERS_A_SECOND = 20_000
const ACCURACY_MS = 2000
/** If earlier processes got more responses than this, they are not read, and there is no accuracy. */
export const MAX_READ = 100_000

interface Moment {
  readonly at: number
  readonly ended: number
}

/** What happens to one model in this process, on top of what happened before. */
export class ModelMeter {
  private readonly model: string
  private readonly counts: Counts
  private done = 0
  private failed = 0
  private usd: number
  private window: readonly Moment[] = []
  private readonly failures = new Map<string, { n: number; message: string; at: number }>()
  private readonly right: number[] = []
  private readonly groups: number[] = []
  private readonly codes = new Map<string, number>()
  private soFar: { readonly n: number; readonly at: number; readonly value: RunningAccuracy | null } = {
    n: 0,
    at: Number.NEGATIVE_INFINITY,
    value: null,
  }
  private happened = 0

  private readonly seen: boolean

  /**
   * @param usd - what was booked for it before.
   * @param seen - are all earlier responses added? Without them there is no accuracy.
   */
  constructor(model: string, counts: Counts, usd: number, seen: boolean) {
    this.seen = seen
    this.model = model
    this.counts = counts
    this.usd = usd
  }

  /** A response of an earlier process. */
  addEarlier(unit: string, outcome: Outcome): void {
    const right = rightness(outcome)
    if (right === null) return
    const code = this.codes.get(unit) ?? this.codes.size
    this.codes.set(unit, code)
    this.right.push(right)
    this.groups.push(code)
  }

  answered(unit: string, outcome: Outcome | null): void {
    this.done++
    if (outcome !== null) this.addEarlier(unit, outcome)
  }

  failure(code: string, message: string, final: boolean): void {
    if (final) this.failed++
    const n = (this.failures.get(code)?.n ?? 0) + 1
    this.failures.set(code, { n, message: message.slice(0, SHOWN), at: this.happened++ })
  }

  spent(usd: number): void {
    this.usd += usd
  }

  /**
   * @param most - most calls of the model, if fewer than all.
   * @param now - ms of a clock that never jumps.
   */
  progress(
    now: number,
    {
      inFlight,
      retrying,
      waits,
      most,
    }: Pick<ModelProgress, 'inFlight' | 'retrying' | 'waits'> & { readonly most: number | null },
  ): ModelProgress {
    const { waiting, leased, batched, done, failed } = this.counts
    const ended = this.done + this.failed
    this.window = [...this.window.filter(({ at }) => now - at <= RATE_MS), { at: now, ended }]
    const [first] = this.window
    const span = first === undefined ? 0 : now - first.at
    const rate = span > 0 && first !== undefined ? ((ended - first.ended) * 1000) / span : 0
    const total = most ?? waiting + leased + batched + done + failed
    const left = Math.max(0, total - done - failed - ended)
    return {
      model: this.model,
      total,
      done: done + this.done,
      failed: failed + this.failed,
      inFlight,
      retrying,
      rate,
      // While another model has its turn the rate means nothing, and a stopped model never ends.
      left:
        left === 0
          ? 0
          : rate > 0 && waits.every(({ kind }) => kind !== 'turn' && kind !== 'broken')
            ? left / rate
            : null,
      usd: this.usd,
      accuracy: this.accuracy(left === 0 ? Number.POSITIVE_INFINITY : now),
      waits,
      failures: this.topFailures(),
    }
  }

  /** @param now - infinite when all calls have ended, so that the last accuracy is that of all. */
  private accuracy(now: number): RunningAccuracy | null {
    const n = this.right.length
    const { soFar } = this
    const due = soFar.at + Math.max(ACCURACY_MS, (1000 * n) / ANSWERS_A_SECOND)
    if (this.seen && n > soFar.n && now >= due) {
      const found = clusteredShare(this.right, this.groups)
      const value =
        found === null ? null : { value: found.value, low: found.low, high: found.high, n, groups: this.codes.size }
      this.soFar = { n, at: now, value }
    }
    return this.soFar.value
  }

  private topFailures(): readonly ModelFailure[] {
    return [...this.failures]
      .sort(([, one], [, other]) => other.at - one.at)
      .slice(0, FAILURES)
      .map(([code, { n, message }]) => ({ code, times: n, message }))
  }
}

/**
 * A meter for each model of a run, with what happened before.
 *
 * @param earlier - null: what others booked and scored is not read.
 */
export async function openMeters(
  { file, ledger }: WorkRun,
  earlier: ExecutionContext['earlier'],
): Promise<ReadonlyMap<string, ModelMeter>> {
  const { done } = await ledger.counts()
  const seen = done === 0 || (done <= MAX_READ && earlier !== null)
  const booked = new Map(earlier?.bookedUsdByModel())
  const meters = new Map<string, ModelMeter>()
  for (const { name } of file.models)
    meters.set(name, new ModelMeter(name, await ledger.counts(name), booked.get(name) ?? 0, seen))
  if (seen && earlier !== null)
    for await (const page of earlier.latestOutcomes())
      for (const { model, group, outcome } of page) meters.get(model)?.addEarlier(group, outcome)
  return meters
}
