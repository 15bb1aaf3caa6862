/** What the user has typed into a form so far, and the value that it stands for. */
import type { Json } from "@runhook/sdk/admin"
import { isList, isMembers, sameJson } from "../../format/Json.ts"
import type { Control, ControlOf } from "./Control.ts"

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
    case "fixed":
      return ""
    case "variant":
      return variantOf(control, value)
    case "group": {
      const members = isMembers(value) ? value : {}
      return Object.fromEntries(
        control.members.map(({ control: of, name }) => [name, draftOf(of, members[name])])
      )
    }
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2)
  }
}

/** The first variant that can show the value; a nullable one begins with what is not null. */
const variantOf = ({ isNullable, options }: ControlOf<"variant">, value: Json | undefined): Draft => {
  const at = value === undefined ? -1 : options.findIndex(({ control }) => fits(control, value))
  const chosen = at < 0 && isNullable ? 0 : at
  const { control } = options[chosen] ?? {}
  return {
    at: chosen < 0 ? "" : String(chosen),
    of: control === undefined ? "" : draftOf(control, at < 0 ? undefined : value)
  }
}

/** The chosen variant, if there is one, and its draft. */
export const chosenOf = ({ options }: ControlOf<"variant">, draft: Draft) => {
  const { at = "", of = "" } = isGroup(draft) ? draft : {}
  return { at: String(at), of, control: at === "" ? undefined : options[Number(at)]?.control }
}

/** Whether the control can show the value without losing any of it. */
export const fits = (control: Control, value: Json): boolean => {
  const { value: shown } = readDraft(control, draftOf(control, value))
  return isSame(shown, value)
}

export const readDraft = (control: Control, draft: Draft, path = ""): DraftValue => {
  switch (control.kind) {
    case "text":
      return readAs(draft === "" ? undefined : String(draft))
    case "number":
      return readNumber(String(draft), path)
    case "switch":
      return readAs(draft === "" ? undefined : draft === "true")
    case "choice":
      return readAs(draft === "" ? undefined : control.values[Number(draft)])
    case "list": {
      const read = isDrafts(draft)
        ? draft.map((each, at) => readDraft(control.item, each, below(path, String(at))))
        : []
      return {
        // An entry that was added and left empty counts: the service says what is wrong with it.
        value:
          read.length === 0
            ? undefined
            : read.map(({ value }) => value ?? (control.item.kind === "group" ? {} : "")),
        wrong: Object.assign({}, ...read.map(({ wrong }) => wrong))
      }
    }
    case "fixed":
      return readAs(control.value)
    case "variant": {
      const chosen = chosenOf(control, draft)
      return chosen.control === undefined
        ? readAs(undefined)
        : chosen.control.kind === "group"
          ? readGroup(chosen.control, chosen.of, path, true)
          : readDraft(chosen.control, chosen.of, path)
    }
    case "group":
      return readGroup(control, draft, path)
    case "json":
      return readJson(String(draft), path)
  }
}

const readAs = (value: Json | undefined): DraftValue => ({ value, wrong: {} })

const readGroup = (
  control: ControlOf<"group">,
  draft: Draft,
  path: string,
  isChosen = path === ""
): DraftValue => {
  const drafts = isGroup(draft) ? draft : {}
  const read = control.members.map(({ control: of, name }) => ({
    name,
    control: of,
    ...readDraft(of, drafts[name] ?? "", below(path, name))
  }))
  // What is fixed says nothing by itself: a group with nothing else in it is left out.
  const isGiven = read.some(({ control: of, value }) => value !== undefined && of.kind !== "fixed")
  const given = read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  return {
    // The whole form and a chosen variant are always objects; an untouched one inside is left out.
    value: !isGiven && !isChosen ? undefined : Object.fromEntries(given),
    wrong: Object.assign({}, ...read.map(({ wrong }) => wrong))
  }
}

const readNumber = (text: string, path: string): DraftValue => {
  const trimmed = text.trim()
  if (trimmed === "") return readAs(undefined)
  const value = Number(trimmed)
  return Number.isFinite(value) ? readAs(value) : { value: undefined, wrong: { [path]: "Must be a number." } }
}

/** The value of a text; undefined for an empty one. */
export const readJson = (text: string, path: string): DraftValue => {
  if (text.trim() === "") return readAs(undefined)
  try {
    const value: Json = JSON.parse(text)
    return readAs(value)
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

/**
 * Errors at the deepest part of the form that their path leads to. A member that no field
 * is for is named in the message. That no variant fits says less than what is wrong in it.
 */
export const landed = (
  { control, draft }: { readonly control: Control; readonly draft: Draft },
  fields: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  const places = Object.entries(fields).map(([path, said]) => ({
    said,
    ...placeOf({ control, draft, path: "" }, path === "" ? [] : path.split("."))
  }))
  const found: Record<string, string> = {}
  for (const { isVariant, path, rest, said } of places) {
    if (isVariant && places.some((other) => other.path.startsWith(`${path}.`))) continue
    found[path] ??= rest.length === 0 ? said : `${rest.join(".")}: ${said}`
  }
  return found
}

interface FormPart {
  readonly control: Control
  readonly draft: Draft
  readonly path: string
}

interface Landing {
  readonly path: string
  /** What of the path no part of the form is for. */
  readonly rest: ReadonlyArray<string>
  readonly isVariant: boolean
}

const placeOf = (part: FormPart, [name, ...rest]: ReadonlyArray<string>): Landing => {
  const inner = name === undefined ? undefined : partBelow(part, name)
  if (inner !== undefined) return placeOf(inner, rest)
  const left = name === undefined ? [] : [name, ...rest]
  return { path: part.path, rest: left, isVariant: part.control.kind === "variant" }
}

const partBelow = ({ control, draft, path }: FormPart, name: string): FormPart | undefined => {
  const next = path === "" ? name : `${path}.${name}`
  switch (control.kind) {
    case "variant": {
      const { control: chosen, of } = chosenOf(control, draft)
      return chosen === undefined ? undefined : partBelow({ control: chosen, draft: of, path }, name)
    }
    case "list":
      return { control: control.item, draft: (isDrafts(draft) && draft[Number(name)]) || "", path: next }
    case "group": {
      const member = control.members.find((each) => below("", each.name) === name)
      if (member === undefined || member.control.kind === "fixed") return undefined
      return { control: member.control, draft: (isGroup(draft) && draft[member.name]) || "", path: next }
    }
    default:
      return undefined
  }
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean => sameJson(one) === sameJson(other)

export const isDrafts = (draft: Draft): draft is ReadonlyArray<Draft> => Array.isArray(draft)
export const isGroup = (draft: Draft): draft is { readonly [name: string]: Draft } =>
  typeof draft === "object" && !Array.isArray(draft)
