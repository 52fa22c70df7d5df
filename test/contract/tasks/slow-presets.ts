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

/** Presets with items that take a second: others of their task show the same. */
export const SLOW_ITEMS: readonly string[] = [
  'pbebench-dense',
  'determined',
  'relic-2000',
  'relic-work',
  'parse-2000',
  'next-2000',
  'fill-2000',
  'count-hard',
  'count-2000',
  'repair-hard',
  'repair-work',
  'repair-2000',
]
