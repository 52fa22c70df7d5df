/** Runs a script beside the page; pages opened from a disk cannot load modules. @throws Error if it cannot be loaded */
export async function runScript(src: string): Promise<void> {
  const script = document.createElement('script')
  script.src = src
  try {
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve()
      script.onerror = () => reject(new Error(`${src} cannot be read`))
      document.head.append(script)
    })
  } finally {
    script.remove()
  }
}
