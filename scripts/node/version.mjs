// Which Node runs this project, and where the pinned one lies. Plain JavaScript for Node 18.

/** Does a version such as `v24.21.0` satisfy `engines` of package.json (`^24.15.0 || >=26.0.0`)? */
export function fits(version) {
  const match = /^v?(\d+)\.(\d+)\.\d+/.exec(version)
  if (match === null) return false
  const major = Number(match[1])
  return major >= 26 || (major === 24 && Number(match[2]) >= 15)
}

/** The registry package that holds the Node binary of a platform, and the binary's path inside it. */
export function binaryOf(platform, arch) {
  const windows = platform === 'win32'
  return { name: `node-${windows ? 'win' : platform}-${arch}`, path: windows ? 'bin/node.exe' : 'bin/node' }
}
