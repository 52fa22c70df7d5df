import fc from 'fast-check'

/** Any scalar value of Unicode, for `fc.string`: its own unit `binary` takes a second of every test file to list them. */
export const codePoint = fc.nat(0x10f7ff).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800))
