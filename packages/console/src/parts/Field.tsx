/** A field with its label, a hint, and what is wrong with it. */
import type { ComponentChild } from "preact"
import { useId } from "preact/hooks"
import { Words } from "./Words.tsx"

/** What the input itself is given, so that all of it belongs together. */
export interface FieldInput {
  readonly id: string
  readonly "aria-invalid": true | undefined
  readonly "aria-describedby": string | undefined
}

export interface FieldProps {
  readonly label: ComponentChild
  readonly hint?: ComponentChild
  /** What the service, or this page, says is wrong with it. */
  readonly wrong?: string | undefined
  /** Takes all the room there is beside others. */
  readonly isWide?: boolean
  readonly children: (input: FieldInput) => ComponentChild
}

/**
 * ```tsx
 * <Field label="Name" wrong={save.wrong("name")}>
 *   {(input) => <input {...input} required maxLength={100} value={name} onInput={…} />}
 * </Field>
 * ```
 */
export const Field = ({ children, hint, isWide = false, label, wrong }: FieldProps) => {
  const id = useId()
  const described = [hint === undefined ? "" : `${id}-hint`, wrong === undefined ? "" : `${id}-wrong`]
    .filter(Boolean)
    .join(" ")
  return (
    <div class={isWide ? "field wide" : "field"}>
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-invalid": wrong === undefined ? undefined : true,
        "aria-describedby": described || undefined
      })}
      {hint === undefined ? null : (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong === undefined ? null : (
        <span class="wrong" id={`${id}-wrong`}>
          <Words text={wrong} />
        </span>
      )}
    </div>
  )
}
