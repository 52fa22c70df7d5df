/** A fixed amount of work that uses nothing of the project: hashing integers, sorting, objects and JSON. */
let state = 1
const next = (): number => {
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
  return state >>> 0
}

for (let round = 0; round < 24; round++) {
  const rows = Array.from({ length: 20_000 }, () => ({ id: next(), text: `row ${next()}`, at: [next(), next()] }))
  rows.sort((a, b) => a.id - b.id)
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows
  const counts = new Map<string, number>()
  for (const { text, at } of read) counts.set(text.slice(0, 7), (counts.get(text.slice(0, 7)) ?? 0) + (at[0] as number))
  if (read.length !== rows.length || counts.size < 2) throw new Error('the yardstick read other rows than it wrote')
}
