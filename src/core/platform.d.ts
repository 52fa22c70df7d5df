// The only names taken from the platform: all are in Node, browsers and workers.
declare class TextEncoder {
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number }
  encode(text: string): Uint8Array
}
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array): string
}
declare class CompressionStream {
  constructor(format: 'gzip' | 'deflate' | 'deflate-raw')
  readonly readable: AsyncIterable<Uint8Array>
  readonly writable: { getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> } }
}
