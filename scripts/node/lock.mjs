import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while holding the lock file, waiting for another process that holds it.
 * The file is made by a hard link of a finished one, so whoever sees it can read the holder's process id;
 * the lock of a dead process is taken away.
 */
export async function locked(file, work, note = (text) => process.stderr.write(`${text}\n`)) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    let waiting = false
    while (!taken(mine, file)) {
      const holder = read(file)
      if (holder !== undefined && !alive(holder)) discard(file, holder)
      else {
        if (!waiting) note(`waiting for the installation of process ${holder} (${file})`)
        waiting = true
        await sleep(200)
      }
    }
    try {
      return await work()
    } finally {
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function taken(mine, file) {
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function read(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Moves the lock of a dead process away; puts it back when another process has taken it in between. */
function discard(file, holder) {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
    if (read(aside) !== holder) taken(aside, file)
    rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
