/** At most so many, two or more, of the places 0..count-1, evenly from the first to the last: what changed later in a set is seen too. */
export function spreadOver(count: number, most: number): readonly number[] {
  if (count <= most) return Array.from({ length: count }, (_, place) => place)
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)))
}
