import { randomFillSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'

/**
 * Disk space that is reserved for the calls in flight when the disk turns out to be full: freed, it holds the last
 * commits, so that no paid response is lost. On a full disk nothing is reserved.
 */
export class DiskReserve {
  private readonly path: string
  private readonly isOurs: () => boolean

  private constructor(path: string, isOurs: () => boolean) {
    this.path = path
    this.isOurs = isOurs
  }

  /** @param isOurs - does what is at the path still belong to this process? */
  static async take(path: string, bytes: number, isOurs: () => boolean): Promise<DiskReserve> {
    // Random bytes, since some file systems do not store zeros.
    await rm(path, { force: true })
    await writeFile(path, randomFillSync(Buffer.alloc(bytes)), { flag: 'wx' }).catch(() => rm(path, { force: true }))
    return new DiskReserve(path, isOurs)
  }

  async release(): Promise<void> {
    if (this.isOurs()) await rm(this.path, { force: true })
  }
}
