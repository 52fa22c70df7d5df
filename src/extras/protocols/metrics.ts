/** Counts and durations in the OpenMetrics text format. */
export class Metrics {
  private readonly counters = new Map<string, Map<string, number>>()
  private readonly seconds = new Map<string, { readonly buckets: number[]; sum: number; count: number }>()
  private inFlight = 0

  count(name: CounterName, labels: { readonly [name: string]: string }, add = 1): void {
    const series = this.counters.get(name) ?? new Map<string, number>()
    this.counters.set(name, series)
    const key = labelText(labels)
    series.set(key, (series.get(key) ?? 0) + add)
  }

  /** Starts a request; the returned function ends it. */
  begin(): (route: string, status: number) => void {
    const start = performance.now()
    this.inFlight++
    return (route, status) => {
      this.inFlight--
      this.count('requests', { route, status: String(status) })
      this.addDuration(route, (performance.now() - start) / 1000)
    }
  }

  private addDuration(route: string, seconds: number): void {
    const series = this.seconds.get(route) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }
    this.seconds.set(route, series)
    for (const [i, bound] of BOUNDS.entries()) if (seconds <= bound) series.buckets[i] = (series.buckets[i] ?? 0) + 1
    series.sum += seconds
    series.count++
  }

  text(): string {
    const lines: string[] = []
    for (const [name, help] of Object.entries(COUNTERS)) {
      lines.push(`# TYPE touchstone_${name} counter`, `# HELP touchstone_${name} ${help}`)
      for (const [labels, value] of this.counters.get(name) ?? [])
        lines.push(`touchstone_${name}_total${labels} ${value}`)
    }
    lines.push('# TYPE touchstone_in_flight gauge', `touchstone_in_flight ${this.inFlight}`)
    lines.push('# TYPE touchstone_request_seconds histogram', '# UNIT touchstone_request_seconds seconds')
    for (const [route, { buckets, sum, count }] of this.seconds) {
      for (const [i, bound] of BOUNDS.entries())
        lines.push(`touchstone_request_seconds_bucket${labelText({ route, le: bound.toFixed(3) })} ${buckets[i]}`)
      lines.push(
        `touchstone_request_seconds_bucket${labelText({ route, le: '+Inf' })} ${count}`,
        `touchstone_request_seconds_sum${labelText({ route })} ${sum}`,
        `touchstone_request_seconds_count${labelText({ route })} ${count}`,
      )
    }
    return `${lines.join('\n')}\n# EOF\n`
  }
}

export const METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

const COUNTERS = {
  requests: 'Requests answered.',
  items: 'Items drawn, by task and kind.',
  scores: 'Responses scored, by task, status and error.',
} as const
type CounterName = keyof typeof COUNTERS

const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

const labelText = (labels: { readonly [name: string]: string }): string =>
  `{${Object.entries(labels)
    .map(
      ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join()}}`
