// Runs a script on a Node that fits, after installing Node and the dependencies where they are absent:
//   node scripts/with-node.mjs SCRIPT [ARGUMENT..]
// Without a script it prints the path of that Node. Plain JavaScript for Node 18, no dependency.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, SetupError } from './node/install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [script, ...args] = process.argv.slice(2)

let node
try {
  node = await prepare(root)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.code
}

if (node !== undefined && script === undefined) process.stdout.write(`${node}\n`)
else if (node !== undefined) {
  const child = spawn(node, ['--conditions=touchstone-source', script, ...args], {
    stdio: 'inherit',
    // Types are stripped from the sources once and not at every start; a cache that cannot be written is none.
    env: {
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    },
  })
  // A terminal's Ctrl-C reaches the child by itself: passing it on would deliver it twice.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
  child.on('error', (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`)
    process.exitCode = 1
  })
}
