import { useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../../core/index.ts'
import { formatValue, shellWord, visible } from '../parts/format.ts'
import { linkTo, type Route } from '../routing.ts'
import type { Knob } from '../tasks/knobs.ts'

/** What the address changes of a preset: `set=NAME=VALUE`, the value as JSON. */
export function changesOf({ parameters }: Route): JsonObject {
  const found: { [name: string]: Json } = {}
  for (const [name, text] of parameters) {
    const cut = text.indexOf('=')
    if (name !== 'set' || cut < 1) continue
    const value = parsed(text.slice(cut + 1))
    if (value !== undefined) found[text.slice(0, cut)] = value
  }
  return found
}

/** The same page with one knob turned; undefined: as in the preset. */
export const withChange = ({ path, parameters }: Route, knob: string, value: Json | undefined): string =>
  linkTo(path, [
    ...parameters.filter(([name, text]) => name !== 'at' && !(name === 'set' && text.startsWith(`${knob}=`))),
    ...(value === undefined ? [] : [['set', `${knob}=${JSON.stringify(value)}`] as const]),
  ])

/** What is typed after a command to have the same config. */
export const flagsOf = (changes: JsonObject): string =>
  Object.entries(changes)
    .map(([name, value]) => ` --set ${shellWord(`${name}=${isPlain(value) ? value : JSON.stringify(value)}`)}`)
    .join('')

/** A text that a command reads as itself; others, such as `7` and `null`, need quotes to be none of the other things that YAML has. */
const isPlain = (value: Json): boolean =>
  typeof value === 'string' && /^[A-Za-z][\w./-]*$/u.test(value) && !/^(?:true|false|null)$/iu.test(value)

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

interface KnobsProps {
  readonly knobs: readonly Knob[]
  /** The values of the preset. */
  readonly config: JsonObject
  readonly changes: JsonObject
  readonly onTurn: (knob: string, value: Json | undefined) => void
}

/** All knobs of a config, as far as a page can turn them. */
export function Knobs({ knobs, config, changes, onTurn }: KnobsProps) {
  const turned = Object.keys(changes).length
  return (
    <details class="knobs" open={turned > 0}>
      <summary>
        {knobs.length} knobs{turned > 0 ? `, ${turned} turned` : ''}
      </summary>
      <div class="knob-list">
        {knobs.map((knob) => {
          const preset = config[knob.name] ?? null
          const isTurned = knob.name in changes
          const value = isTurned ? (changes[knob.name] ?? null) : preset
          return (
            <div key={knob.name} class={isTurned ? 'knob turned' : 'knob'}>
              <label for={`knob-${knob.name}`}>{visible(knob.name)}</label>
              <Turn key={JSON.stringify(value)} knob={knob} value={value} preset={preset} onTurn={onTurn} />
              {isTurned ? (
                <button type="button" onClick={() => onTurn(knob.name, undefined)}>
                  back to {formatValue(preset, 20)}
                </button>
              ) : null}
              <p class="note">{visible(knob.description)}</p>
            </div>
          )
        })}
      </div>
    </details>
  )
}

interface TurnProps {
  readonly knob: Knob
  readonly value: Json
  readonly preset: Json
  readonly onTurn: (knob: string, value: Json) => void
}

function Turn({ knob: { name, control }, value, preset, onTurn }: TurnProps) {
  const [fault, setFault] = useState<string | null>(null)
  const id = `knob-${name}`
  switch (control.kind) {
    case 'switch':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onTurn(name, currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <select
          id={id}
          value={JSON.stringify(value)}
          onChange={({ currentTarget }) => onTurn(name, parsed(currentTarget.value) ?? null)}
        >
          {control.values.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {formatValue(one, 40)}
            </option>
          ))}
        </select>
      )
    case 'number':
      return (
        <input
          id={id}
          type="number"
          value={typeof value === 'number' ? value : ''}
          {...(control.least === null ? {} : { min: control.least })}
          {...(control.most === null ? {} : { max: control.most })}
          step={control.whole ? 1 : 'any'}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') onTurn(name, Number(currentTarget.value))
          }}
        />
      )
    case 'text':
    case 'json': {
      const isText = control.kind === 'text'
      const written = isText && typeof value === 'string' ? value : JSON.stringify(value)
      return (
        <>
          <input
            id={id}
            value={written}
            size={Math.min(40, Math.max(8, written.length))}
            aria-invalid={fault === null ? undefined : 'true'}
            onChange={({ currentTarget }) => {
              const text = currentTarget.value
              const read = isText ? text : parsed(text)
              if (read === undefined) return setFault(`not JSON; the preset has ${JSON.stringify(preset)}`)
              setFault(null)
              onTurn(name, read)
            }}
          />
          {fault === null ? null : <span class="problem">{visible(fault)}</span>}
        </>
      )
    }
  }
}
