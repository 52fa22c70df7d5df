import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { locked } from './lock.mjs'
import { binaryOf, fits } from './version.mjs'

/** A set-up that cannot go on; `code` is the exit code. */
export class SetupError extends Error {
  constructor(message, code) {
    super(message)
    this.code = code
  }
}

/**
 * The path of a Node that fits, with all dependencies installed: the running Node, else the pinned one of
 * tools/node. Whether an install is current is a hash of its package-lock.json, written when npm is done: file
 * times change with every checkout, and npm's own hidden lock is rewritten without installing.
 */
export async function prepare(root, { version, execPath, platform, arch } = process) {
  const tools = join(root, 'tools/node')
  const { name, path } = binaryOf(platform, arch)
  const pinned = join(tools, 'node_modules', name, path)
  const own = fits(version)
  const node = own ? execPath : pinned
  const ready = () => (own || (installed(tools) && existsSync(pinned))) && installed(root)
  if (ready()) return node
  await locked(join(root, '.install.lock'), async () => {
    if (!own && !(installed(tools) && existsSync(pinned))) await installNode(tools, name, pinned, version)
    if (!installed(root)) await npmCi(root, { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` })
  })
  return node
}

async function installNode(tools, name, pinned, version) {
  const needed = `install Node 24 (24.15 or newer), found ${version}`
  const offered = Object.keys(JSON.parse(readFileSync(join(tools, 'package.json'), 'utf8')).optionalDependencies)
  if (!offered.includes(name)) throw new SetupError(`${needed}; there is no package ${name} to fetch it from`, 2)
  await npmCi(tools, process.env, () => {
    if (!existsSync(pinned)) {
      // npm says nothing about an optional package that it could not fetch.
      const why = 'npm ci --prefix tools/node --loglevel http'
      throw new SetupError(`${needed}; npm did not install ${name} (to see why: ${why})`, 2)
    }
    const trial = spawnSync(pinned, ['--version'], { encoding: 'utf8' })
    if (trial.status !== 0) throw new SetupError(`${needed}; the binary of ${name} does not run on this system`, 2)
  })
}

const marker = (folder) => join(folder, 'node_modules/.installed-lock')
const lockHash = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')

function installed(folder) {
  return existsSync(marker(folder)) && readFileSync(marker(folder), 'utf8') === lockHash(folder)
}

/** Says that node_modules is what package-lock.json asks for. */
export function markInstalled(folder) {
  writeFileSync(marker(folder), lockHash(folder))
}

/** `npm ci`; what npm prints goes to stderr, because stdout belongs to the command that will run. */
async function npmCi(folder, env, check = () => {}) {
  process.stderr.write(`npm ci in ${folder}\n`)
  const windows = process.platform === 'win32'
  const npm = spawn(windows ? 'npm.cmd' : 'npm', ['ci', '--prefix', '.', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
    shell: windows,
    stdio: ['ignore', 2, 2],
  })
  // A terminal's Ctrl-C reaches npm by itself; the other two do not.
  const pass = (signal) => npm.kill(signal)
  const ignore = () => {}
  process.on('SIGINT', ignore).on('SIGTERM', pass).on('SIGHUP', pass)
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      npm.on('error', (error) => reject(new SetupError(`npm could not be started: ${error.message}`, 1)))
      npm.on('close', (...end) => resolve(end))
    })
    if (signal !== null) throw new SetupError(`npm ci was ended by ${signal}`, 130)
    if (code !== 0) throw new SetupError(`npm ci failed in ${folder} (exit code ${code}); its messages are above`, 1)
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', pass).off('SIGHUP', pass)
  }
  check()
  markInstalled(folder)
}
