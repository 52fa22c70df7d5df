import type { Report } from '../report.ts'

/** The document of `report --json`: one line-broken JSON text ending in a newline. Numbers keep full precision. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 1)}\n`
