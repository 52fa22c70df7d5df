/**
 * The least weight of what is possible, 2^-900 of the whole: doubles end near 2^-1074, and what is rounded to 0 would
 * leave the language.
 */
export const least = 1.1830521861667747e-271
