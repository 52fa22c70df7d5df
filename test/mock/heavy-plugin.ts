import { parity } from './parity.ts'

/** The task of the mock, beside one whose configurations take 0.3 s of processor time to open. */
const heavy: typeof parity = {
  ...parity,
  name: 'mock/heavy',
  source(config, options) {
    const start = process.threadCpuUsage()
    for (let used = 0, sum = 0; used < 300_000 && sum >= 0; ) {
      for (let i = 0; i < 1_000_000; i++) sum += Math.sqrt(i)
      const { user, system } = process.threadCpuUsage(start)
      used = user + system
    }
    return parity.source(config, options)
  },
}

export default { name: 'mock', tasks: [parity, heavy], importers: [] }
