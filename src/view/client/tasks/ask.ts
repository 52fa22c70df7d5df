import { runScript } from '../documents.ts'
import type { Answers, Work } from './work.ts'

type Answer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
)
declare global {
  var touchstoneAnswer: ((letter: { readonly id: number; readonly asked: Work }) => Promise<Answer>) | undefined
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}
const waiting = new Map<number, Waiting>()
let sent = 0
type Send = (id: number, asked: Work) => void
/** Making items can take its time, and auditing them still more; proofs are checked beside both. */
type Lane = 'make' | 'audit' | 'check'
const LANES: { readonly [K in Work['kind']]: Lane } = {
  make: 'make',
  root: 'make',
  find: 'make',
  audit: 'audit',
  draw: 'check',
  list: 'check',
}
const lanes = new Map<Lane, Promise<Send>>()

/** Asks the tasks: they work beside the page, so that nothing they do can hold it up. @throws what the task throws */
export async function askTasks<K extends Work['kind']>(asked: Extract<Work, { kind: K }>): Promise<Answers[K]> {
  const lane = LANES[asked.kind]
  const starting = lanes.get(lane) ?? (location.protocol === 'file:' ? onPage() : Promise.resolve(inWorker()))
  lanes.set(lane, starting)
  const send = await starting
  sent++
  const id = sent
  const answered = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
  send(id, asked)
  return (await answered) as Answers[K]
}

function receive(answer: Answer): void {
  const one = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (answer.ok) one?.resolve(answer.value)
  else one?.reject(new Error(answer.message))
}

function inWorker(): Send {
  const worker = new Worker('./tasks.js')
  worker.onmessage = ({ data }) => receive(data as Answer)
  worker.onerror = ({ message }) => {
    for (const one of waiting.values()) one.reject(new Error(message))
    waiting.clear()
  }
  return (id, asked) => worker.postMessage({ id, asked })
}

/** Chromium starts no worker from a disk. */
async function onPage(): Promise<Send> {
  await runScript('./tasks.js')
  return (id, asked) =>
    setTimeout(() => {
      void globalThis.touchstoneAnswer?.({ id, asked }).then(receive)
    })
}
