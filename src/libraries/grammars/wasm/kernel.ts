import { assemble, type WasmFunction } from './assembler.ts'

const PAGE = 65536

/** Memory that kernels of a thread share: each memory reserves gigabytes of addresses, so that there are few. */
export interface WorkingMemory {
  readonly memory: WebAssembly.Memory
  /** The whole memory, grown to at least this many bytes. @throws {RangeError} where the platform has no more. */
  reserve(bytes: number): ArrayBuffer
}

export function newMemory(): WorkingMemory {
  const memory = new WebAssembly.Memory({ initial: 16 })
  return {
    memory,
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE)
      if (missing > 0) {
        try {
          memory.grow(missing)
        } catch (cause) {
          const message = `a table of ${bytes} bytes does not fit: the string is too long for so large a grammar`
          throw new RangeError(message, { cause })
        }
      }
      return memory.buffer
    },
  }
}

/** Memory of all kernels but the recogniser's: what a call leaves there lasts until the next call of any of them. */
const shared = newMemory()
export const workingMemory = shared.reserve

/** Compiles functions over a memory. */
export function compileKernel<Name extends string>(functions: readonly WasmFunction[], { memory } = shared) {
  const module = new WebAssembly.Module(assemble(functions, 1))
  return new WebAssembly.Instance(module, { host: { memory } }).exports as {
    readonly [name in Name]: (...values: number[]) => number
  }
}
