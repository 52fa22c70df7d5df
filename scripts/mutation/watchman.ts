import { workerData } from 'node:worker_threads'

/** Ends the process where it has taken more of the processor, or of the clock, than it may: a test may be in a loop without end. */
const limits = workerData as Float64Array
setInterval(() => {
  const { user, system } = process.cpuUsage()
  const [processor = 0, clock = 0] = limits
  if ((user + system) / 1e6 > processor || Date.now() / 1000 > clock) process.kill(process.pid, 'SIGKILL')
}, 200)
