/** CPU time of this process in microseconds, all threads: on a shared machine it varies less than wall time. */
const now = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

/**
 * CPU microseconds of one call of each contender: the median of five rounds in which they take turns, each call
 * repeated until a round takes at least 20 ms. The first, unmeasured round warms them up.
 */
export function interleaved(contenders: readonly (() => void)[]): number[] {
  const repeats = contenders.map((contender) => {
    for (let count = 1; ; count *= 2) {
      const start = now()
      for (let i = 0; i < count; i++) contender()
      if (now() - start >= 20_000) return count
    }
  })
  const rounds: number[][] = contenders.map(() => [])
  for (let round = 0; round < 5; round++)
    for (const [index, contender] of contenders.entries()) {
      const start = now()
      for (let i = 0; i < (repeats[index] as number); i++) contender()
      rounds[index]?.push((now() - start) / (repeats[index] as number))
    }
  return rounds.map(median)
}
