/** Exit codes (DESIGN 11). */
export const exits = { done: 0, failed: 1, usage: 2, budget: 3, interrupted: 130 } as const
