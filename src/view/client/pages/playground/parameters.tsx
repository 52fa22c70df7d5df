import { useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../../../core/index.ts'
import { formatValue, shellWord, visible } from '../../parts/format.ts'
import { linkTo, type Route } from '../../routing.ts'
import type { TaskParameter } from '../../tasks/parameters.ts'

/** Changed parameters in the address: `set=NAME=VALUE`, the value as JSON. */
export function changesOf({ parameters }: Route): JsonObject {
  const found: { [name: string]: Json } = {}
  for (const [name, text] of parameters) {
    const equals = text.indexOf('=')
    if (name !== 'set' || equals < 1) continue
    const value = parsed(text.slice(equals + 1))
    if (value !== undefined) found[text.slice(0, equals)] = value
  }
  return found
}

/** The same page with one parameter changed; undefined: as in the preset. */
export const withChange = ({ path, parameters }: Route, parameter: string, value: Json | undefined): string =>
  linkTo(path, [
    ...parameters.filter(([name, text]) => name !== 'at' && !(name === 'set' && text.startsWith(`${parameter}=`))),
    ...(value === undefined ? [] : [['set', `${parameter}=${JSON.stringify(value)}`] as const]),
  ])

/** Flags of a command for the same config. */
export const flagsOf = (changes: JsonObject): string =>
  Object.entries(changes)
    .map(([name, value]) => ` --set ${shellWord(`${name}=${isPlain(value) ? value : JSON.stringify(value)}`)}`)
    .join('')

/** True for a text that YAML reads as itself; `7` and `null`, for example, need quotes. */
const isPlain = (value: Json): boolean =>
  typeof value === 'string' && /^[A-Za-z][\w./-]*$/u.test(value) && !/^(?:true|false|null)$/iu.test(value)

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

interface ParameterControlsProps {
  readonly parameters: readonly TaskParameter[]
  readonly config: JsonObject
  readonly changes: JsonObject
  readonly onChange: (parameter: string, value: Json | undefined) => void
}

export function ParameterControls({ parameters, config, changes, onChange }: ParameterControlsProps) {
  const changed = Object.keys(changes).length
  return (
    <details class="parameters" open={changed > 0}>
      <summary>
        {parameters.length} parameters{changed > 0 ? `, ${changed} changed` : ''}
      </summary>
      <div class="parameter-list">
        {parameters.map((parameter) => {
          const preset = config[parameter.name] ?? null
          const isChanged = parameter.name in changes
          const value = isChanged ? (changes[parameter.name] ?? null) : preset
          return (
            <div key={parameter.name} class={isChanged ? 'parameter changed' : 'parameter'}>
              <label for={`parameter-${parameter.name}`}>{visible(parameter.name)}</label>
              <ParameterInput
                key={JSON.stringify(value)}
                parameter={parameter}
                value={value}
                preset={preset}
                onChange={onChange}
              />
              {isChanged ? (
                <button type="button" onClick={() => onChange(parameter.name, undefined)}>
                  back to {formatValue(preset, 20)}
                </button>
              ) : null}
              <p class="note">{visible(parameter.description)}</p>
            </div>
          )
        })}
      </div>
    </details>
  )
}

interface TurnProps {
  readonly parameter: TaskParameter
  readonly value: Json
  readonly preset: Json
  readonly onChange: (parameter: string, value: Json) => void
}

function ParameterInput({ parameter: { name, control }, value, preset, onChange }: TurnProps) {
  const [fault, setFault] = useState<string | null>(null)
  const id = `parameter-${name}`
  switch (control.kind) {
    case 'switch':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(name, currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <select
          id={id}
          value={JSON.stringify(value)}
          onChange={({ currentTarget }) => onChange(name, parsed(currentTarget.value) ?? null)}
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
            if (currentTarget.value !== '') onChange(name, Number(currentTarget.value))
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
              onChange(name, read)
            }}
          />
          {fault === null ? null : <span class="problem">{visible(fault)}</span>}
        </>
      )
    }
  }
}
