/** What the user has typed into a form so far, and the value that it stands for. */
import type { Json } from "@runhook/sdk/admin"
import { type Control, isSchema } from "./Control.ts"

/** Text as typed; for a choice its index; "" for nothing. */
export type Draft = string | ReadonlyArray<Draft> | { readonly [name: string]: Draft }

/** The value of the draft; undefined where nothing was entered. */
export interface DraftValue {
  readonly value: Json | undefined
  /** Errors by path, as the service names them: `address.city`. */
  readonly wrong: Readonly<Record<string, string>>
}

/** The initial draft: the given value, or else the defaults of the schema. */
export const draftOf = (control: Control, given?: Json): Draft => {
  const value = given === undefined ? control.preset : given
  switch (control.kind) {
    case "text":
      return typeof value === "string" ? value : ""
    case "number":
      return typeof value === "number" ? String(value) : ""
    case "switch":
      return typeof value === "boolean" ? String(value) : ""
    case "choice": {
      const place = control.values.findIndex((each) => isSame(each, value))
      return place < 0 ? "" : String(place)
    }
    case "list":
      return isList(value) ? value.map((each) => draftOf(control.item, each)) : []
    case "group": {
      const members = isSchema(value) ? value : {}
      return Object.fromEntries(
        control.members.map(({ control: of, name }) => [name, draftOf(of, members[name])])
      )
    }
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2)
  }
}

/** Whether the control can show the value without losing any of it. */
export const fits = (control: Control, value: Json): boolean => {
  const { value: shown } = readDraft(control, draftOf(control, value))
  return isSame(shown, value)
}

export const readDraft = (control: Control, draft: Draft, path = ""): DraftValue => {
  switch (control.kind) {
    case "text":
      return { value: draft === "" ? undefined : String(draft), wrong: {} }
    case "number":
      return readNumber(String(draft), path)
    case "switch":
      return { value: draft === "" ? undefined : draft === "true", wrong: {} }
    case "choice":
      return { value: draft === "" ? undefined : control.values[Number(draft)], wrong: {} }
    case "list": {
      const read = isDrafts(draft)
        ? draft.map((each, at) => readDraft(control.item, each, below(path, String(at))))
        : []
      return {
        // An entry that was added and left empty counts: the service says what is wrong with it.
        value: read.length === 0 ? undefined : read.map(({ value }) => value ?? ""),
        wrong: Object.assign({}, ...read.map(({ wrong }) => wrong))
      }
    }
    case "group":
      return readGroup(control, draft, path)
    case "json":
      return readJson(String(draft), path)
  }
}

const readGroup = (control: Extract<Control, { kind: "group" }>, draft: Draft, path: string): DraftValue => {
  const drafts = isGroup(draft) ? draft : {}
  const read = control.members.map(({ control: of, isRequired, name }) => ({
    name,
    isRequired,
    ...readDraft(of, drafts[name] ?? "", below(path, name))
  }))
  const given = read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  return {
    // The whole form is always an object; an untouched object inside it is left out.
    value: given.length === 0 && path !== "" ? undefined : Object.fromEntries(given),
    wrong: Object.assign({}, ...read.map(({ wrong }) => wrong))
  }
}

const readNumber = (text: string, path: string): DraftValue => {
  const trimmed = text.trim()
  if (trimmed === "") return { value: undefined, wrong: {} }
  const value = Number(trimmed)
  return Number.isFinite(value)
    ? { value, wrong: {} }
    : { value: undefined, wrong: { [path]: "Must be a number." } }
}

const readJson = (text: string, path: string): DraftValue => {
  if (text.trim() === "") return { value: undefined, wrong: {} }
  try {
    const value: Json = JSON.parse(text)
    return { value, wrong: {} }
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/ in JSON.*/s, "") : ""
    return { value: undefined, wrong: { [path]: `Must be JSON: ${why}.` } }
  }
}

/** The path of a member, as the service writes it. */
export const below = (path: string, name: string): string => {
  const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1")
  return path === "" ? escaped : `${path}.${escaped}`
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

/** The same value with its members in one order. */
const sorted = (value: Json | undefined): Json | undefined => {
  if (isList(value)) return value.map((each) => sorted(each) ?? null)
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each) ?? null])
  )
}

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)
export const isDrafts = (draft: Draft): draft is ReadonlyArray<Draft> => Array.isArray(draft)
export const isGroup = (draft: Draft): draft is { readonly [name: string]: Draft } =>
  typeof draft === "object" && !Array.isArray(draft)
