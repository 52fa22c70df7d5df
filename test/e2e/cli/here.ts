import { Writable } from 'node:stream'
import { runCli } from '../../../src/cli/app.ts'
import { nightly } from '../../nightly.ts'
import { type Finished, home, touchstone as inOwnProcess, jsonWith } from './cli.ts'

/** Keeps what is written. */
class Kept extends Writable {
  text = ''
  constructor() {
    super({ decodeStrings: false })
  }
  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/**
 * The command line without the start of Node and the loading of its modules, which take longer than most commands: for
 * tests of what commands say and write. Those of signals and pipes start a process, and so does everything in the
 * nightly run.
 */
export const touchstone: typeof inOwnProcess = nightly ? inOwnProcess : inThisProcess

async function inThisProcess(args: readonly string[], env: Environment = {}, cwd?: string): Promise<Finished> {
  const [stdout, stderr] = [new Kept(), new Kept()]
  const own: NodeJS.Process = Object.create(process, {
    stdout: { value: stdout },
    stderr: { value: stderr },
    exitCode: { value: undefined, writable: true },
  })
  const leave = enter({ TOUCHSTONE_HOME: home(), ...env }, cwd)
  try {
    await runCli([...args], { process: own })
  } finally {
    leave()
  }
  return { code: Number(own.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text }
}

interface Environment {
  readonly [name: string]: string
}

/** Sets the environment and the folder of this process; what is returned puts back what was. */
function enter(env: Environment, cwd: string | undefined): () => void {
  const before = { env: { ...process.env }, cwd: process.cwd() }
  Object.assign(process.env, env)
  if (cwd !== undefined) process.chdir(cwd)
  return () => {
    process.chdir(before.cwd)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before.env)
  }
}

export const json = jsonWith(touchstone)
