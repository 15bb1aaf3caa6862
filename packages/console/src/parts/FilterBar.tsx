/** The filters above a list, from a table of them, and what an empty list says of them. */
import type { ComponentChild } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { FilterState } from "../data/useFilters.ts"
import { chosenOf } from "../format/Choices.ts"
import { localInput } from "../format/Moments.ts"
import { Button } from "./Button.tsx"
import { EmptyState } from "./EmptyState.tsx"
import { Field, type FieldInput, Select } from "./Field.tsx"
import { prose } from "./Prose.ts"
import { UntrustedText } from "./UntrustedText.tsx"

export type Choices = ReadonlyArray<readonly [value: string, words: string]>

export interface Filter<Name extends string> {
  readonly name: Name
  readonly label: string
  /** `moment` is an instant in the address, and a time in the user's zone in the field; `link` only comes from links. */
  readonly kind: "tabs" | "text" | "choice" | "day" | "moment" | "link"
  readonly of?: Choices | undefined
  readonly hint?: string
  /** Numbers of tabs, or what is shown in place of the value of a link. */
  readonly words?: (value: string) => ComponentChild
}

export interface FilterBarProps<Name extends string> {
  readonly by: FilterState<Name>
  readonly of: ReadonlyArray<Filter<Name>>
  readonly children?: ComponentChild
}

export const FilterBar = <Name extends string>({ by, children, of }: FilterBarProps<Name>) => {
  const { clear, filters, href, isAny } = by
  const set = (name: Name, value: string) => by.set(changeOf(name, value))
  const links = of.filter(({ kind, name }) => kind === "link" && filters[name] !== undefined)
  return (
    <>
      {of
        .filter(({ kind }) => kind === "tabs")
        .map(({ label, name, of: choices = [], words }) => (
          <nav class="tabs" aria-label={label} key={name}>
            {[["", "All"] as const, ...choices].map(([value, title]) => (
              <a
                key={value}
                href={href(changeOf(name, value))}
                aria-current={(filters[name] ?? "") === value ? "true" : undefined}
              >
                {title}
                {words === undefined ? null : <span class="num">{words(value)}</span>}
              </a>
            ))}
          </nav>
        ))}
      <form class="tools" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {of
          .filter(({ kind }) => kind !== "tabs" && kind !== "link")
          .map((filter) => (
            <Field key={filter.name} label={filter.label} isWide={filter.kind === "text"}>
              {(input) => (
                <Input
                  {...filter}
                  input={input}
                  value={filters[filter.name]}
                  onSet={(value) => set(filter.name, value)}
                />
              )}
            </Field>
          ))}
        {isAny ? (
          <Button kind="bare" onPress={clear}>
            Clear
          </Button>
        ) : null}
        {children}
      </form>
      {links.length === 0 ? null : (
        <p class="tools">
          {links.map(({ label, name, words }) => (
            <button type="button" key={name} onClick={() => set(name, "")}>
              {label}:{" "}
              {words?.(filters[name] ?? "") ?? <UntrustedText text={filters[name] ?? ""} isBrief max={60} />}{" "}
              <span aria-hidden="true">×</span>
              <span class="hide">, remove</span>
            </button>
          ))}
        </p>
      )}
    </>
  )
}

const changeOf = <Name extends string>(name: Name, value: string): { readonly [name in Name]?: string } => {
  const change: { [name in Name]?: string } = {}
  change[name] = value
  return change
}

interface InputProps extends Pick<Filter<string>, "hint" | "kind" | "label" | "of"> {
  readonly input: FieldInput
  readonly value: string | undefined
  readonly onSet: (value: string) => void
}

/** A text or a date is reported when the user commits it; renders in between leave it alone. */
const Input = ({ hint, input, kind, label, of, onSet, value = "" }: InputProps) => {
  const choices = of ?? []
  const place = useRef<HTMLInputElement>(null)
  const shown = kind === "moment" ? localInput(value) : value
  // In the layout effect, before the user can type: later it would overwrite the first letters.
  useLayoutEffect(() => {
    if (place.current !== null) place.current.value = shown
  }, [shown])
  const committed = (valueOf: (text: string) => string) => ({
    ...input,
    ref: place,
    onChange: () => onSet(valueOf(place.current?.value ?? ""))
  })
  switch (kind) {
    case "text":
      return <input {...committed((text) => text.trim())} type="search" maxLength={200} placeholder={hint} />
    case "day":
      return <input {...committed((text) => text)} type="date" />
    case "moment":
      return (
        <input
          {...committed((text) => (text === "" ? "" : new Date(text).toISOString()))}
          type="datetime-local"
        />
      )
    default:
      return (
        <Select
          {...input}
          value={value}
          onText={onSet}
          options={[
            ["", `Any ${label.toLowerCase()}`],
            ...(value === "" || chosenOf(choices, value) !== undefined ? [] : [[value, value] as const]),
            ...choices
          ]}
        />
      )
  }
}

export interface NoMatchProps<Name extends string> {
  readonly by: FilterState<Name>
  /** The filters of the text and of the tabs. */
  readonly text: Name
  readonly tab?: Name
  /** What the text is compared with. */
  readonly children: string
}

export const NoMatch = <Name extends string>({ by, children, tab, text }: NoMatchProps<Name>) => {
  const { clear, filters, href } = by
  const asked = filters[text]
  return (
    <EmptyState
      title={
        asked === undefined
          ? "Nothing matches these filters"
          : prose`Nothing matches ${<UntrustedText text={asked} isBrief max={60} />}`
      }
      action={
        <>
          {tab === undefined || filters[tab] === undefined ? null : (
            <a class="btn" href={href(changeOf(tab, ""))}>
              Search all states
            </a>
          )}
          <Button onPress={clear}>Clear filters</Button>
        </>
      }
    >
      {asked === undefined ? "Nothing matches all of them." : children}
    </EmptyState>
  )
}
