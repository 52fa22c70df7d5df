/** How a chain of thought comes to its verdict (the paper's appendix G has the first three; `none`: it has no reasoning). */
export const strategies = ['rule-based', 'heuristic', 'code', 'none'] as const
export type Strategy = (typeof strategies)[number]
