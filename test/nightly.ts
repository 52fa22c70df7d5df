/** Is this the nightly run, `npm test -- --nightly`? It sets TOUCHSTONE_NIGHTLY to 1; nothing else here reads it. */
export const nightly = process.env['TOUCHSTONE_NIGHTLY'] === '1'

/**
 * The size of a sample: every run asks everything, and the nightly run asks it of more. The smaller size must still see
 * what the test is there to see.
 */
export const sample = (sizes: { readonly nightly: number; readonly otherwise: number }): number =>
  nightly ? sizes.nightly : sizes.otherwise
