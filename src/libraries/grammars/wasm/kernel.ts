import { assemble, type WasmFunction } from './assembler.ts'

const PAGE = 65536

/**
 * Working memory of all kernels of this thread: what a call leaves there lasts until the next call of any of them. One
 * for all, since a memory reserves gigabytes of addresses.
 */
const memory = new WebAssembly.Memory({ initial: 16 })

/** The working memory, at least so large. @throws {RangeError} where the platform has no more. */
export function workingMemory(bytes: number): ArrayBuffer {
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
}

/** Compile functions over the working memory. */
export function compileKernel<Name extends string>(functions: readonly WasmFunction[]) {
  const module = new WebAssembly.Module(assemble(functions, 1))
  return new WebAssembly.Instance(module, { host: { memory } }).exports as {
    readonly [name in Name]: (...values: number[]) => void
  }
}
