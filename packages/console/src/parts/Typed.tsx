/** An input of a filter, whose text is the reader's until they are done with it: what comes meanwhile leaves it alone. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { FieldInput } from "./Field.tsx"

export interface TypedProps extends FieldInput {
  readonly type: "date" | "datetime-local" | "search"
  readonly maxLength?: number
  readonly placeholder?: string
  /** What stands there; another one takes the place of what was typed. */
  readonly value: string | undefined
  /** The reader has pressed Enter, or has gone on to something else. */
  readonly onDone: (text: string) => void
}

export const Typed = ({ onDone, type, value = "", ...input }: TypedProps) => {
  const place = useRef<HTMLInputElement>(null)
  // Before anybody can type: whatever came later would take the place of the first letters.
  useLayoutEffect(() => {
    if (place.current !== null) place.current.value = value
  }, [value])
  const shared = { ...input, ref: place, onChange: () => onDone(place.current?.value ?? "") }
  return type === "search" ? <input {...shared} type={type} /> : <input {...shared} type={type} />
}
