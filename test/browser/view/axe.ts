import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { nightly } from '../../nightly.ts'

/** The four looks of a page, in two pairs that each have both schemes and both widths. */
const pairs = [
  [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 360 },
  ],
  [
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 360 },
  ],
] as const

/** How the `turn`-th page is to be looked at: in the nightly run in all looks, else in one pair or the other by turns. */
export const looks = (turn: number) => (nightly ? pairs.flat() : (pairs[turn % 2] ?? []))

/** What a reader without eyes, or without a mouse, cannot use on the page: rules of WCAG 2.2 A and AA, with where they fail. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
}
