import { randomFillSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'

/**
 * Disk space that is reserved for the calls in flight when the disk turns out to be full: freed, it holds the last
 * commits, so that no paid response is lost. On a full disk nothing is reserved.
 */
export class DiskReserve {
  private readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async take(path: string, bytes: number): Promise<DiskReserve> {
    // Random bytes, since some file systems do not store zeros.
    await writeFile(path, randomFillSync(Buffer.alloc(bytes))).catch(() => rm(path, { force: true }))
    return new DiskReserve(path)
  }

  release(): Promise<void> {
    return rm(this.path, { force: true })
  }
}
