/** The controls of a form for a schema. The parent component owns the draft. */
import type { Json } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { plainWords } from "../../format/Hidden.ts"
import { Button } from "../Button.tsx"
import { Field, type FieldInput } from "../Field.tsx"
import { UntrustedText } from "../UntrustedText.tsx"
import type { ChoiceControl, Control, GroupControl, ListControl, TextControl } from "./Control.ts"
import { below, type Draft, draftOf, isDrafts, isGroup } from "./Draft.ts"
import "./form.css"

export interface SchemaFormProps {
  readonly control: Control
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** The error of a part, by its path: `address.city`; "" is the whole. */
  readonly wrong: (path: string) => string | undefined
  /** The label of the whole value, if it is not an object. */
  readonly label: string
}

/** The members of an object, or the one control of any other value. */
export const SchemaForm = ({ control, draft, label, onChange, wrong }: SchemaFormProps) =>
  control.kind === "group" ? (
    <>
      <Wrong text={wrong("")} />
      <Members control={control} draft={draft} path="" onChange={onChange} wrong={wrong} />
      {control.members.length === 0 ? <p class="quiet">It takes nothing.</p> : null}
    </>
  ) : (
    <Part name={label} control={control} draft={draft} path="" onChange={onChange} wrong={wrong} isRequired />
  )

interface PartProps<C extends Control = Control> {
  readonly control: C
  readonly draft: Draft
  readonly path: string
  readonly onChange: (draft: Draft) => void
  readonly wrong: (path: string) => string | undefined
}

interface NamedProps<C extends Control = Control> extends PartProps<C> {
  readonly name: string
  readonly isRequired: boolean
}

const Members = ({ control, draft, onChange, path, wrong }: PartProps<GroupControl>) => {
  const drafts = isGroup(draft) ? draft : {}
  return (
    <>
      {control.members.map(({ control: of, isRequired, name }) => (
        <Part
          key={name}
          name={name}
          isRequired={isRequired}
          control={of}
          draft={drafts[name] ?? ""}
          path={below(path, name)}
          onChange={(next) => onChange({ ...drafts, [name]: next })}
          wrong={wrong}
        />
      ))}
    </>
  )
}

const Part = (props: NamedProps) => {
  const { control, isRequired, name, path, wrong } = props
  if (control.kind === "list") return <Entries {...props} control={control} />
  if (control.kind === "group") {
    return (
      <fieldset class="part">
        <legend>{labelOf(name, control, isRequired)}</legend>
        {control.hint === null ? null : (
          <span class="hint">
            <UntrustedText text={control.hint} />
          </span>
        )}
        <Wrong text={wrong(path)} />
        <Members {...props} control={control} />
      </fieldset>
    )
  }
  return (
    <Field
      label={labelOf(name, control, isRequired)}
      hint={control.hint === null ? undefined : <UntrustedText text={control.hint} />}
      wrong={wrong(path)}
    >
      {(input) => <Input {...props} input={input} />}
    </Field>
  )
}

const labelOf = (name: string, { title }: Control, isRequired: boolean): ComponentChild => (
  <>
    <UntrustedText text={title ?? name} />
    {title === null || title === name ? null : (
      <>
        {" "}
        <code class="quiet">
          <UntrustedText text={name} />
        </code>
      </>
    )}
    {isRequired ? null : <span class="quiet"> (optional)</span>}
  </>
)

const Wrong = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="wrong">
      <UntrustedText text={text} />
    </p>
  )

const Entries = (props: NamedProps<ListControl>) => {
  const { control, draft, isRequired, name, onChange, path, wrong } = props
  const entries = isDrafts(draft) ? draft : []
  return (
    <fieldset class="part">
      <legend>{labelOf(name, control, isRequired)}</legend>
      {control.hint === null ? null : (
        <span class="hint">
          <UntrustedText text={control.hint} />
        </span>
      )}
      <Wrong text={wrong(path)} />
      {entries.map((entry, at) => (
        <div class="entry" key={at}>
          <Field
            label={<span class="hide">{`${name} ${at + 1}`}</span>}
            wrong={wrong(below(path, String(at)))}
          >
            {(input) => (
              <Input
                {...props}
                control={control.item}
                isRequired
                draft={entry}
                path={below(path, String(at))}
                onChange={(next) => onChange(entries.map((each, place) => (place === at ? next : each)))}
                input={input}
              />
            )}
          </Field>
          <Button
            kind="bare"
            label={`Remove ${name} ${at + 1}`}
            onPress={() => onChange(entries.filter((_, place) => place !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <p class="acts">
        <Button onPress={() => onChange([...entries, draftOf(control.item)])}>
          Add one<span class="hide"> to {name}</span>
        </Button>
      </p>
    </fieldset>
  )
}

interface InputProps extends NamedProps {
  readonly input: FieldInput
}

/** Attributes of every input. */
interface TypedInput extends FieldInput {
  readonly value: string
  readonly required: boolean
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
}

const Input = (props: InputProps) => {
  const { control, draft, input, isRequired, onChange } = props
  const text = typeof draft === "string" ? draft : ""
  const typed: TypedInput = {
    ...input,
    value: text,
    required: isRequired,
    onInput: (event) => onChange(event.currentTarget.value)
  }
  switch (control.kind) {
    case "text":
      return <TextInput control={control} typed={typed} />
    case "number":
      return <input {...typed} inputMode={control.isInteger ? "numeric" : "decimal"} autocomplete="off" />
    case "switch":
      return (
        <Choices typed={typed} isRequired={isRequired} words={["true", "false"]} values={["true", "false"]} />
      )
    case "choice":
      return (
        <Choices
          typed={typed}
          isRequired={isRequired}
          words={wordsOf(control)}
          values={control.values.map((_, place) => String(place))}
        />
      )
    default:
      return <textarea {...typed} rows={6} spellcheck={false} placeholder="JSON" />
  }
}

const TextInput = ({ control, typed }: { readonly control: TextControl; readonly typed: TypedInput }) => {
  const { input, isDigits } = control
  if (input === "long") return <textarea {...typed} class="prose" rows={4} />
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

/** The label of a choice: text as it is, other values as JSON. */
const wordsOf = ({ values }: ChoiceControl): ReadonlyArray<string> => values.map(wordOf)
const wordOf = (value: Json): string =>
  typeof value === "string" && value !== "" ? value : JSON.stringify(value)

const Choices = ({
  isRequired,
  typed,
  values,
  words
}: {
  readonly typed: TypedInput
  readonly isRequired: boolean
  readonly words: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
}) => (
  <select {...typed}>
    <option value="">{isRequired ? "Choose" : "Not given"}</option>
    {words.map((word, at) => (
      <option key={values[at]} value={values[at]}>
        {plainWords(word, 200)}
      </option>
    ))}
  </select>
)
