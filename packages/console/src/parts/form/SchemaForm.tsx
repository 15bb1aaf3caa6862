/** The controls of a form for a schema. The parent component owns the draft. */
import type { ComponentChild, ComponentChildren } from "preact"
import { Button } from "../Button.tsx"
import { ChoiceField, Field } from "../Field.tsx"
import { Pick } from "../Pick.tsx"
import { UntrustedText } from "../UntrustedText.tsx"
import type { Control, ControlOf } from "./Control.ts"
import { below, chosenOf, type Draft, draftOf, isDrafts, isGroup } from "./Draft.ts"
import { Input } from "./Input.tsx"
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
      {control.members.length === 0 ? <p class="quiet">No params.</p> : null}
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

const Members = ({ control, draft, onChange, path, wrong }: PartProps<ControlOf<"group">>) => {
  const drafts = isGroup(draft) ? draft : {}
  return (
    <>
      {control.members
        .filter((member) => member.control.kind !== "fixed")
        .map(({ control: of, isRequired, name }) => (
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
  if (control.kind === "variant") return <Variants {...props} control={control} />
  if (control.kind === "group") {
    return (
      <Fieldset {...props}>
        <Members {...props} control={control} />
      </Fieldset>
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

/** A part with parts of its own. */
const Fieldset = ({
  children,
  control,
  isRequired,
  name,
  path,
  wrong
}: NamedProps & { readonly children: ComponentChildren }) => (
  <fieldset class="part">
    <legend>{labelOf(name, control, isRequired)}</legend>
    {control.hint === null ? null : (
      <span class="hint">
        <UntrustedText text={control.hint} />
      </span>
    )}
    <Wrong text={wrong(path)} />
    {children}
  </fieldset>
)

const Variants = (props: NamedProps<ControlOf<"variant">>) => {
  const { control, draft, isRequired, name, onChange, path, wrong } = props
  const chosen = chosenOf(control, draft)
  const choose = (at: string) => {
    const next = control.options[Number(at)]
    onChange({ at, of: at === "" || next === undefined ? "" : draftOf(next.control) })
  }
  const inner = {
    ...props,
    isRequired: isRequired && chosen.control?.kind !== "fixed",
    draft: chosen.of,
    onChange: (of: Draft) => onChange({ at: chosen.at, of })
  }
  const [first] = control.options
  if (control.isNullable && first !== undefined) {
    const isNull = chosen.control?.kind === "fixed"
    return (
      <div class="field">
        {isNull ? (
          <p>{labelOf(name, control, isRequired)}</p>
        ) : (
          <Part
            {...inner}
            isRequired={false}
            control={{ ...first.control, title: control.title, hint: control.hint ?? first.control.hint }}
          />
        )}
        <Pick class="pick small" isPicked={isNull} onPick={(isPicked) => choose(isPicked ? "1" : "0")}>
          <code>null</code>
          <span class="hide"> for {name}</span>
        </Pick>
      </div>
    )
  }
  return (
    <Fieldset
      {...props}
      wrong={(at) => (chosen.control?.kind === "group" || at !== path ? wrong(at) : undefined)}
    >
      <ChoiceField
        label={<span class="hide">{`Variant of ${name}`}</span>}
        value={chosen.at}
        onText={choose}
        options={[
          ["", isRequired ? "Choose" : "Not given"],
          ...control.options.map(({ words }, at): readonly [string, string] => [String(at), words])
        ]}
      />
      {chosen.control === undefined || chosen.control.kind === "fixed" ? null : chosen.control.kind ===
        "group" ? (
        <Members {...inner} control={chosen.control} />
      ) : (
        <Part {...inner} control={chosen.control} />
      )}
    </Fieldset>
  )
}

const Wrong = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="wrong">
      <UntrustedText text={text} />
    </p>
  )

const Entries = (props: NamedProps<ControlOf<"list">>) => {
  const { control, draft, name, onChange, path, wrong } = props
  const entries = isDrafts(draft) ? draft : []
  return (
    <Fieldset {...props}>
      {entries.map((entry, at) => (
        <div class="entry" key={at}>
          <Part
            name={`${name} ${at + 1}`}
            control={{ ...control.item, title: null, hint: null }}
            isRequired
            draft={entry}
            path={below(path, String(at))}
            onChange={(next) => onChange(entries.map((each, place) => (place === at ? next : each)))}
            wrong={wrong}
          />
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
    </Fieldset>
  )
}
