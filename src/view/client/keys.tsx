import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** What a key does, for the help, and the act; false: nothing here, and the next that knows the key may act. */
type Key = readonly [words: string, act: (event: KeyboardEvent) => unknown]
/** By key, as an event names it; `g o` is one after the other. Keys without words are not in the help. */
export type Keys = { readonly [key: string]: Key }

/** Keys of all that is shown; what is inside comes before what it is in. */
const shown = new Set<{ current: Keys }>()
let prefix = ''

/** Keys that act while a component is shown, except in fields. The help lists them. */
export function useKeys(keys: Keys): void {
  const held = useRef(keys)
  held.current = keys
  // With the rendering of the page, so that a key pressed right after it is not lost.
  useLayoutEffect(() => {
    shown.add(held)
    return () => void shown.delete(held)
  }, [])
}

function listen(event: KeyboardEvent): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
  if (target instanceof Element && target.matches('input, select, textarea')) return
  // These press what has the focus.
  if ((key === 'Enter' || key === ' ') && target instanceof Element && target.matches('a, button, summary')) return
  const chord = prefix + key
  const all = [...shown].map(({ current }) => current)
  prefix = all.some((keys) => Object.keys(keys).some((one) => one.startsWith(`${key} `))) ? `${key} ` : ''
  for (const keys of all) {
    if (!Object.hasOwn(keys, chord) || keys[chord]?.[1](event) === false) continue
    event.preventDefault()
    return
  }
}

/** The button and the key that list the keys of what is shown. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [list, setList] = useState<readonly (readonly [key: string, words: string])[]>([])
  const open = (): void => {
    const known = [...shown].flatMap(({ current }) => Object.entries(current))
    setList(known.flatMap(([key, [words]]) => (words === '' ? [] : [[key, words] as const])))
    dialog.current?.showModal()
  }
  useKeys({ '?': ['this list', open] })
  useLayoutEffect(() => {
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button type="button" class="theme wide-only" title="keys" onClick={open}>
        <span aria-hidden="true">?</span>
        <span class="hidden">keys</span>
      </button>
      <dialog ref={dialog} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl class="keys-list">
          {list.map(([key, words]) => (
            <div key={key}>
              <dt>
                {key.split(/(?<=.) /u).map((one) => (
                  <kbd key={one}>{one === ' ' ? 'Space' : one}</kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <p class="note">
          A drawing, prompt or response is one stop of Tab: arrows move inside, Enter holds, Escape leaves.
        </p>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  )
}
