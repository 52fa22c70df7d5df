import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute, root } from './step.ts'

const folder = 'tools/llama'
const modules = join(root, folder, 'node_modules')
const lock = join(root, folder, 'package-lock.json')
const marker = join(modules, '.installed-lock')
const model = join(process.env['TOUCHSTONE_SHARED'] ?? join(root, '../shared'), 'lm/models/qwen2b.gguf')

/**
 * Installs node-llama-cpp for the tests of `gguf:` models, where there is a model to test and a prebuilt binary may run.
 * Prebuilt only: no compiler, no install script. Whatever goes wrong is said, and those tests are skipped.
 */
export async function provideLlama(): Promise<void> {
  const chosen = process.env['TOUCHSTONE_LLAMA'] !== undefined
  if (chosen || !existsSync(model) || `${process.platform}-${process.arch}` !== 'linux-x64') return
  if (existsSync(marker) && readFileSync(marker, 'utf8') === readFileSync(lock, 'utf8')) return
  const problem = await install().catch((error: Error) => error.message)
  if (problem === null) return writeFileSync(marker, readFileSync(lock))
  rmSync(modules, { recursive: true, force: true })
  process.stdout.write(`node-llama-cpp is not there, so the tests of gguf: models are skipped: ${problem}\n`)
}

async function install(): Promise<string | null> {
  const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1']
  if ((await execute('npm', ['ci', '--prefix', folder, ...flags], { seconds: 60 })) !== 0)
    return 'npm ci failed or took more than a minute; its messages are above'
  // A file, not --eval: the library tries its binary in a fork, which inherits the flags of this Node.
  const loaded = await execute(process.execPath, [join(folder, 'loads.mjs')], { seconds: 30 })
  return loaded === 0 ? null : 'its prebuilt binary does not run on this system'
}
