/** 1 / (1 + e^-x), without overflow. */
export function logistic(x: number): number {
  const e = Math.exp(-Math.abs(x))
  return x >= 0 ? 1 / (1 + e) : e / (1 + e)
}

/** log(1 + e^x), without overflow. */
export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

/** Two close points, `holds` being true at the first and false at the second, from two such points. */
export function bisect(
  holds: (x: number) => boolean,
  from: number,
  to: number,
  halvings: number,
): readonly [inside: number, outside: number] {
  let [inside, outside] = [from, to]
  for (let half = 0; half < halvings; half++) {
    const middle = (inside + outside) / 2
    if (holds(middle)) inside = middle
    else outside = middle
  }
  return [inside, outside]
}
