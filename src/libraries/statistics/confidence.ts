/** The confidence level of an interval, 0..1 exclusive; 0.95 where nothing is said. */
export const DEFAULT_CONFIDENCE = 0.95

export function checkLevel(level: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies between 0 and 1, got ${level}`)
  return level
}

/** `95 %`, for the method of an estimate. */
export const percentOf = (level: number): string => `${Number((level * 100).toPrecision(6))} %`
