/** The paper that these tables and figures are named after. */
export const PAPER = 'RELIC: Evaluating Compositional Instruction Following via Language Recognition'
