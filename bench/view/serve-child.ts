import { serveView } from '../../src/view/server/serve.ts'

/** The server of the view in a process of its own, so that its memory is its own; ends with its parent. */
const [folder = '', client = ''] = process.argv.slice(2)
const served = await serveView({ paths: [folder], port: 0, plugins: [], client })
process.send?.(served.url)
process.once('disconnect', () => void served.close().then(() => process.exit()))
