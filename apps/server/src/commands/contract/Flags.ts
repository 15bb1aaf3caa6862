/** The arguments and flags of a command, each of which says what it adds to the request. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import { byId, endpointArgument, idOf, idsOf, named, onlyOne, optional, several } from "../Names.ts"
import type { Field } from "./Operation.ts"
import { type Kind, type Owner, kindNamed } from "./Owner.ts"
import type { Take } from "./Tables.ts"

/** What is given becomes a value of the request; undefined is left out. */
export type Part = (owner: Owner) => Promise<unknown>

const plain =
  (value: unknown): Part =>
  () =>
    Promise.resolve(value)

const singular = (noun: string): string => noun.replace(/ies$/, "y").replace(/(?<!u)s$/, "")

/** The thing that an id in a path is of: a name of it is enough where it has one. */
export const pathArgument = (noun: string): Argument.Argument<Part> => {
  const thing = singular(noun)
  const kind = kindNamed(thing)
  const called = thing.replace(/.*-/, "")
  if (kind === undefined) return Argument.map(byId(called), plain)
  const argument = kind === "endpoint" ? endpointArgument : named(called)
  return Argument.map(
    argument,
    (meant): Part =>
      (owner) =>
        idOf(meant, owner.things(kind))
  )
}

/** A field that is no flag. */
export const argumentOf = ({ field, says }: Take, { says: inContract = "" }: Field) =>
  Argument.String(field).pipe(Argument.withDescription(says ?? inContract), Argument.map(plain))

/** The kind of thing that a field names by its id, or by several. */
const kindIn = (field: string): Kind | undefined =>
  kindNamed(/(?:^|[._])(agent|key|task)_ids?$/.exec(field)?.[1] ?? "")

/** `execution.callback_url` is `--callback-url`, `every_seconds` is `--every`, `agent_id` is `--agent`. */
const nameOf = (field: string, { isList }: Field): string => {
  const name = field
    .replace(/.*\./, "")
    .replace(/_(?:seconds|ids?)$/, "")
    .replaceAll("_", "-")
  return isList ? singular(name) : name
}

export const flagOf = (take: Take, field: Field): Flag.Flag<Part> => {
  const kind = kindIn(take.field)
  if (kind !== undefined) return thingFlag(kind, take, field)
  const name = take.flag ?? nameOf(take.field, field)
  const says = take.says ?? field.says ?? ""
  const flag = valueFlag(name, field).pipe(Flag.withDescription(says))
  if (field.isList)
    return flag.pipe(
      Flag.withDescription(/repeated/.test(says) ? says : `${says}; may be repeated`),
      Flag.atLeast(0),
      Flag.map((values) => plain(values.length === 0 ? undefined : values))
    )
  if (take.unlessGiven !== undefined)
    return flag.pipe(Flag.withDefault<unknown>(take.unlessGiven), Flag.map(plain))
  return Flag.map(field.isRequired ? flag : optional(flag), plain)
}

const thingFlag = (kind: Kind, take: Take, field: Field): Flag.Flag<Part> => {
  const says = take.says ?? field.says ?? ""
  if (field.isList)
    return Flag.map(
      several(kind),
      (meant): Part =>
        (owner) =>
          idsOf(meant, owner.things(kind))
    )
  if (take.isOnlyOne ?? field.isRequired)
    return Flag.map(
      onlyOne(kind, says),
      (meant): Part =>
        (owner) =>
          idOf(meant, owner.things(kind))
    )
  return Flag.String(kind).pipe(
    Flag.withMetavar("name|id"),
    Flag.withDescription(says),
    optional,
    Flag.map(
      (meant): Part =>
        async (owner) =>
          meant && idOf(meant, owner.things(kind))
    )
  )
}

const JsonObject = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))

const valueFlag = (name: string, { metavar, type }: Field): Flag.Flag<unknown> => {
  if (typeof type === "object") return Flag.Literals(name, type)
  if (type === "boolean") return Flag.Boolean(name)
  if (type === "json") return Flag.String(name).pipe(Flag.withSchema(JsonObject), Flag.withMetavar("json"))
  const flag: Flag.Flag<number | string> = type === "integer" ? Flag.Int(name) : Flag.String(name)
  return metavar === undefined ? flag : Flag.withMetavar(flag, metavar)
}
