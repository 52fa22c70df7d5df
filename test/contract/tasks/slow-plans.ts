/** Presets whose plan takes seconds (those of relic-500 share one); what any preset of the task can show is asked of the others in a short run. */
export const SLOW_PLANS: readonly string[] = [
  'relic-500',
  'relic-500-published',
  'relic-hard',
  'relic-twins',
  'pbebench-published',
  'pbebench-lite-published',
  'pbebench-lite-released',
  'pbebench-25-30-published',
  'pbebench-lite-moreeg-published',
]
