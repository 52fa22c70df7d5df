/**
 * The held-out panel (`npm run bench -- audit-panel`, docs/audit.md#panel): leaks made up after the probes were fixed, each planted
 * so that its rule is right in three of four items. No probe may be made for one of them.
 */
export const PANEL: {
  readonly leaks: number
  readonly found: readonly { readonly items: number; readonly found: number }[]
} = {
  leaks: 10,
  found: [
    { items: 2000, found: 7 },
    { items: 12_000, found: 8 },
  ],
}
