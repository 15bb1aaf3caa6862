/** A field with its label, a hint and its error. */
import { type ComponentChild, h } from "preact"
import { useId } from "preact/hooks"
import { plainWords } from "../format/Hidden.ts"
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
  readonly isOptional?: boolean
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
export const Field = ({ children, hint, isOptional = false, isWide = false, label, wrong }: FieldProps) => {
  const id = useId()
  const described = [hint === undefined ? "" : `${id}-hint`, wrong === undefined ? "" : `${id}-wrong`]
    .filter(Boolean)
    .join(" ")
  return (
    <div class={isWide ? "field wide" : "field"}>
      <label for={id}>
        {label}
        {isOptional ? <span class="quiet"> (optional)</span> : null}
      </label>
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

export interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string
  readonly onText: (text: string) => void
  readonly type?: "date" | "datetime-local" | "email" | "number" | "password" | "text" | "url"
  /** Of a text with several lines. */
  readonly rows?: number
  /** Whether such a text is one for machines. */
  readonly isCode?: boolean
  /** Texts to choose from. */
  readonly known?: ReadonlyArray<string> | undefined
  readonly inputMode?: "numeric" | "url"
  readonly max?: number
  readonly maxLength?: number
  readonly min?: number | string
  readonly onFocus?: () => void
  readonly pattern?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly step?: "any"
  readonly title?: string
}

/** A field with a text, a number or a date. */
export const TextField = (props: TextFieldProps) => {
  const {
    hint,
    isCode = false,
    isOptional = false,
    isWide = false,
    known,
    label,
    onText,
    rows,
    type = "text",
    wrong,
    ...given
  } = props
  const controlOf = (field: FieldInput) => {
    const input = {
      autocomplete: "off" as const,
      ...given,
      ...field,
      onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
        onText(event.currentTarget.value)
    }
    if (rows !== undefined)
      return (
        <textarea
          {...field}
          class={isCode ? undefined : "prose"}
          spellcheck={!isCode}
          rows={rows}
          value={given.value}
          onInput={input.onInput}
        />
      )
    const list = known && `${field.id}-known`
    return (
      <>
        {/* By a call, since as JSX each type would want an element of its own. */}
        {h("input", { ...input, type, list })}
        {known === undefined ? null : (
          <datalist id={list}>
            {known.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        )}
      </>
    )
  }
  return <Field {...{ hint, isOptional, isWide, label, wrong }}>{controlOf}</Field>
}

export interface Choice {
  readonly value: string
  readonly onText: (value: string) => void
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

export interface SelectProps extends Choice, FieldInput {
  readonly required?: boolean
}

/** A list to choose from. The words of its options may be those of strangers. */
export const Select = ({ onText, options, ...input }: SelectProps) => (
  <select {...input} onChange={({ currentTarget }) => onText(currentTarget.value)}>
    {options.map(([each, words]) => (
      <option key={each} value={each}>
        {plainWords(words, 200)}
      </option>
    ))}
  </select>
)

export interface ChoiceFieldProps extends Choice, Omit<FieldProps, "children"> {}

/** A field with a list to choose from. */
export const ChoiceField = ({ onText, options, value, ...field }: ChoiceFieldProps) => (
  <Field {...field}>{(input) => <Select {...input} {...{ onText, options, value }} />}</Field>
)
