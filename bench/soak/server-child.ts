import { openLab } from '../../src/lab/lab.ts'

/** The server in a process of its own, which reports its resident memory every second; it ends with its parent. */
const lab = await openLab()
const served = await lab.serve({ port: 0, secret: 'a secret of the bench, long enough', threads: 2 })
process.send?.({ url: served.url })
setInterval(() => process.send?.({ bytes: process.memoryUsage().rss }), 1000).unref()
process.once('disconnect', () => process.exit())
