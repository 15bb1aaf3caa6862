/** The input of one value of a form for a schema. */
import { type FieldInput, Select, type SelectProps } from "../Field.tsx"
import type { Control, ControlOf } from "./Control.ts"
import type { Draft } from "./Draft.ts"

export interface InputProps {
  readonly control: Control
  readonly draft: Draft
  readonly isRequired: boolean
  readonly onChange: (draft: Draft) => void
  readonly input: FieldInput
}

/** Attributes of every input. */
interface TypedInput extends FieldInput {
  readonly value: string
  readonly required: boolean
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
}

export const Input = (props: InputProps) => {
  const { control, draft, input, isRequired, onChange } = props
  const text = typeof draft === "string" ? draft : ""
  const typed: TypedInput = {
    ...input,
    value: text,
    required: isRequired,
    onInput: (event) => onChange(event.currentTarget.value)
  }
  const choices = (options: SelectProps["options"]) => (
    <Select
      {...input}
      value={text}
      required={isRequired}
      onText={onChange}
      options={[["", isRequired ? "Choose" : "Not given"], ...options]}
    />
  )
  switch (control.kind) {
    case "text":
      return <TextInput control={control} typed={typed} />
    case "number":
      return <input {...typed} inputMode={control.isInteger ? "numeric" : "decimal"} autocomplete="off" />
    case "switch":
      return choices(truths)
    case "choice":
      return choices(control.words.map((word, at) => [String(at), word]))
    default:
      return <textarea {...typed} rows={6} spellcheck={false} placeholder="JSON" />
  }
}

const TextInput = ({
  control,
  typed
}: {
  readonly control: ControlOf<"text">
  readonly typed: TypedInput
}) => {
  const { input, isDigits } = control
  if (input === "long") return <textarea {...typed} class="prose" rows={4} />
  if (input === "password") return <input {...typed} type="password" autocomplete="new-password" />
  if (input === "date") return <input {...typed} type="date" />
  return (
    <input
      {...typed}
      placeholder={input === "datetime" ? "2026-11-22T08:00:00Z" : undefined}
      inputMode={isDigits ? "numeric" : input === "url" || input === "email" ? input : undefined}
      autocomplete={isDigits ? "one-time-code" : "off"}
    />
  )
}

const truths = [
  ["true", "true"],
  ["false", "false"]
] as const
