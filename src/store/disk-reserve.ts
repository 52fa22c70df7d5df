import { randomFillSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'

/**
 * Room kept on the disk for what is still on its way when the disk turns out to be full: let go of, it makes place for
 * the last commits, so that no answer that was paid for is lost. Where there is no room for it there is none.
 */
export class Reserve {
  private readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async take(path: string, bytes: number): Promise<Reserve> {
    // Random, since some file systems store zeros nowhere.
    await writeFile(path, randomFillSync(Buffer.alloc(bytes))).catch(() => rm(path, { force: true }))
    return new Reserve(path)
  }

  release(): Promise<void> {
    return rm(this.path, { force: true })
  }
}
