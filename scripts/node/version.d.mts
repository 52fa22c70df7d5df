export function fits(version: string): boolean
export function binaryOf(platform: string, arch: string): { name: string; path: string }
