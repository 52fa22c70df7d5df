/** What one request may ask for. */
export const LIMITS = {
  /** Bytes of a body. */
  body: 32 * 1024 * 1024,
  /** Levels of nesting of a body. */
  depth: 64,
  /** Items drawn by one call. */
  items: 1024,
  /** Answers scored by one call. */
  scores: 4096,
  /** Characters of an answer. */
  text: 4 * 1024 * 1024,
} as const
