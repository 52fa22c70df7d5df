// What compiled kernels take from their platform: in Node, browsers and workers.
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(binary: Uint8Array<ArrayBuffer>)
  }
  class Instance {
    constructor(module: Module, imports: { readonly host: { readonly memory: Memory } })
    readonly exports: { readonly [name: string]: (...values: number[]) => number }
  }
}
