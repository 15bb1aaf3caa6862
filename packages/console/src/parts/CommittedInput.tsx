/** An input that reports its text when the user commits it; renders in between leave the text alone. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { FieldInput } from "./Field.tsx"

export interface CommittedInputProps extends FieldInput {
  readonly type: "date" | "datetime-local" | "search"
  readonly maxLength?: number
  readonly placeholder?: string
  /** The committed value; a new one replaces what was typed. */
  readonly value: string | undefined
  /** Called on Enter, or when the input loses the focus. */
  readonly onDone: (text: string) => void
}

export const CommittedInput = ({ onDone, type, value = "", ...input }: CommittedInputProps) => {
  const place = useRef<HTMLInputElement>(null)
  // In the layout effect, before the user can type: later it would overwrite the first letters.
  useLayoutEffect(() => {
    if (place.current !== null) place.current.value = value
  }, [value])
  const shared = { ...input, ref: place, onChange: () => onDone(place.current?.value ?? "") }
  return type === "search" ? <input {...shared} type={type} /> : <input {...shared} type={type} />
}
