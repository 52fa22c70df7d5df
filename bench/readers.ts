import type { Item } from '../src/core/index.ts'
import { distinctKinds, itemsAsked, readable, twoAnswers } from '../test/contract/tasks/asked.ts'
import { hostile } from '../test/contract/tasks/hostile.ts'
import type { BenchTable } from './table.ts'

const [SHORT, LONG] = [100_000, 400_000]
/** Times below are noise. */
const FLOOR = 10

/** Every parser of every task on hostile answers of 100,000 characters and of four times as many. */
export function run(): Promise<BenchTable> {
  const notes: string[] = []
  const rows = readable.flatMap((task) => {
    const items = distinctKinds(task, itemsAsked(task))
    const readers: [name: string, read: (text: string, item: Item) => unknown][] = Object.entries(task.parsers ?? {})
    if (task.checkSteps !== undefined) readers.push(['steps', (text, item) => task.checkSteps?.(item, text)])
    return readers.map(([parser, read]) => {
      let [slowest, growth] = [0, 0]
      let [slow, grown] = ['', '']
      for (const item of items)
        for (const [name, make] of hostile(...twoAnswers(task, item))) {
          const cost = (length: number, times: number): number => {
            const text = make(length)
            return Math.min(...Array.from({ length: times }, () => cpuMs(() => read(text, item))))
          }
          let [one, four] = [cost(SHORT, 1), cost(LONG, 1)]
          if (four / Math.max(one, FLOOR) > 5) [one, four] = [cost(SHORT, 3), cost(LONG, 3)]
          if (one > slowest) [slowest, slow] = [one, name]
          const ratio = four / Math.max(one, FLOOR)
          if (ratio > growth) [growth, grown] = [ratio, name]
        }
      if (growth > 8) notes.push(`missed: ${task.name} ${parser}: ${growth.toFixed(1)} times the time on ${grown}`)
      return [`${task.name} ${parser}`, items.length, slowest, slow, growth, grown]
    })
  })
  return Promise.resolve({
    title: 'Parsers on hostile responses of 100,000 and 400,000 characters',
    columns: ['parser', 'questions', 'slowest, ms', 'on', 'growth at most', 'on'],
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('|', '¦') : cell))),
    notes: [
      `growth: CPU time of ${LONG} characters over that of ${SHORT} (at least ${FLOOR} ms); 4 is linear, 16 quadratic; goal at most 8`,
      ...notes,
    ],
  })
}

function cpuMs(work: () => unknown): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
