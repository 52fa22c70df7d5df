import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execute } from './step.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const packages = ['chromium', 'fonts-dejavu-core']

export const howToInstall = `apt-get install ${packages.join(' ')}, or set CHROME_PATH to a Chromium or Chrome`

/** The browser's path: CHROME_PATH, else the first Chromium or Chrome on PATH. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH']
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH is ${chosen}, which does not exist`)
    return chosen
  }
  return names.map(onPath).find((path) => path !== undefined)
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Finds the browser, or installs Debian's where that needs no password. */
export async function provideBrowser(): Promise<string | undefined> {
  const found = findBrowser()
  if (found !== undefined || onPath('apt-get') === undefined) return found
  const prefix = process.getuid?.() === 0 ? [] : mayUseSudo() ? ['sudo', '-n'] : undefined
  if (prefix === undefined) return undefined
  const apt = (...args: string[]) => {
    const line = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-o',
      'DPkg::Lock::Timeout=600',
      ...args,
    ]
    return execute(line[0] as string, line.slice(1))
  }
  // Another apt may hold the lock of the lists, for which apt-get has no option to wait.
  for (let tries = 0; tries < 5 && (await apt('update', '-qq')) !== 0; tries++) await sleep(5000)
  await apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
  return findBrowser()
}

function mayUseSudo(): boolean {
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
