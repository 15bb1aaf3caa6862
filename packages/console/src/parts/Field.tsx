/** A field with its label, a hint and its error. */
import type { ComponentChild } from "preact"
import { useId } from "preact/hooks"
import { UntrustedText } from "./UntrustedText.tsx"

/** Attributes of the input that tie it to its label, hint and error. */
export interface FieldInput {
  readonly id: string
  readonly "aria-invalid": true | undefined
  readonly "aria-describedby": string | undefined
}

export interface FieldProps {
  readonly label: ComponentChild
  readonly hint?: ComponentChild
  /** The error, from the service or from this page. */
  readonly wrong?: string | undefined
  /** Takes all the space that its neighbours leave. */
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
          <UntrustedText text={wrong} />
        </span>
      )}
    </div>
  )
}
