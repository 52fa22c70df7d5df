/** Default confidence level of intervals. */
export const DEFAULT_CONFIDENCE = 0.95

export function checkConfidence(confidence: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`confidence: expected 0 < c < 1, got ${confidence}`)
  return confidence
}

/** `95 %`, for the method of an estimate. */
export const percentOf = (confidence: number): string => `${Number((confidence * 100).toPrecision(6))} %`
