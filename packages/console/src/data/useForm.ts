/** A form whose values are texts: what was typed, and the action that sends it. */
import { useState } from "preact/hooks"
import { type Action, useAction } from "./useAction.ts"

export interface TextForm<Name extends string, A> extends Omit<Action<[], A>, "wrong"> {
  readonly values: Readonly<Record<Name, string>>
  readonly set: (changes: Partial<Readonly<Record<Name, string>>>) => void
  /** Ties a field to its value and to its error, which the service gives under `path`. */
  readonly field: (name: Name, path?: string) => FormField
  readonly wrong: (path: string) => string | undefined
}

export interface FormField {
  readonly value: string
  readonly onText: (text: string) => void
  readonly wrong: string | undefined
}

/**
 * ```tsx
 * const form = useForm({ name: "", capacity: "1" }, ({ capacity, name }) => agents.create({ name, capacity: Number(capacity) }))
 * <TextField {...form.field("name")} label="Name" required />
 * ```
 */
export const useForm = <Name extends string, A>(
  initial: Readonly<Record<Name, string>>,
  send: (values: Readonly<Record<Name, string>>) => Promise<A>,
  whenDone?: (answer: A) => void
): TextForm<Name, A> => {
  const [values, setValues] = useState(initial)
  const action = useAction(() => send(values), whenDone)
  const set = (changes: Partial<Readonly<Record<Name, string>>>) =>
    setValues((before) => ({ ...before, ...changes }))
  return {
    ...action,
    values,
    set,
    field: (name, path = name) => ({
      value: values[name],
      onText: (text) => setValues((before) => ({ ...before, [name]: text })),
      wrong: action.wrong(path)
    })
  }
}
