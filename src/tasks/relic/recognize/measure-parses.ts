/** Only features hold it, rounded: content never depends on a logarithm. */
export const log10 = (value: number): number => Math.log10(value)
