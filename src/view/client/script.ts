/** Runs a script that lies beside the page: pages that open from a disk can load no modules. @throws Error where it cannot be read */
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
