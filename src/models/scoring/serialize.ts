/** One after another: what keeps the state of its last call, or one thread, is not asked twice at once. */
export function serialize<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (...args) => {
    const next = last.then(() => work(...args))
    last = next.catch(() => undefined)
    return next
  }
}
