/** The arguments and flags of a command, each of which says what it adds to the request. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Function from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { byId, endpointArgument, idOf, idsOf, named, onlyOne, optional, several } from "../Names.ts"
import type { Field } from "./Operation.ts"
import { type Kind, type Owner, kindNamed } from "./Owner.ts"
import type { Switch, Take, Values } from "./Row.ts"

/** What is given becomes a value of the request, beside the values of the parts before it; undefined is left out. */
export type Part = (owner: Owner, values: Values) => Promise<unknown>

const plain =
  (value: unknown): Part =>
  () =>
    Promise.resolve(value)

const singular = (noun: string): string => noun.replace(/ies$/, "y").replace(/(?<!u)s$/, "")

/** The id of the thing that is meant. */
const thing =
  (kind: Kind) =>
  (meant: string | undefined): Part =>
  (owner, values) =>
    idOf(meant, owner.things(kind, values))

/** What an id in a path is of: a name of it is enough where it has one. */
export const pathArgument = (noun: string, says: string | undefined): Argument.Argument<Part> => {
  const word = singular(noun)
  const kind = kindNamed(word)
  const called = word.replace(/.*-/, "")
  if (kind === undefined)
    return byId(called).pipe(
      says === undefined ? Function.identity : Argument.withDescription(says),
      Argument.map(plain)
    )
  return Argument.map(kind === "endpoint" ? endpointArgument : named(called), thing(kind))
}

/** A field that is no flag. */
export const argumentOf = ({ field: name, says }: Take, field: Field): Argument.Argument<Part> => {
  const kind = kindIn(name)
  const argument = Argument.String(kind ?? name).pipe(Argument.withDescription(says ?? field.says ?? ""))
  if (kind !== undefined) return Argument.map(argument, thing(kind))
  return field.isRequired
    ? Argument.map(argument, plain)
    : argument.pipe(Argument.optional, Argument.map(Option.getOrUndefined), Argument.map(plain))
}

/** The kind of thing that a field names by its id, or by several. */
const kindIn = (field: string): Kind | undefined =>
  kindNamed(/(?:^|[._])(agent|key|task|^version)_ids?$/.exec(field)?.[1] ?? "")

/** Its value is what it sets. */
export const switchOf = ({ flag, says, sets }: Switch): Flag.Flag<Part> =>
  Flag.Boolean(flag).pipe(
    Flag.withDescription(says),
    Flag.withDefault(false),
    Flag.map((isGiven) => plain(isGiven ? sets : {}))
  )

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
  const flag = valueFlag(name, take, field).pipe(Flag.withDescription(says))
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
        (owner, values) =>
          idsOf(meant, owner.things(kind, values))
    )
  if (take.isOnlyOne ?? field.isRequired) return Flag.map(onlyOne(kind, says), thing(kind))
  return Flag.String(kind).pipe(
    Flag.withMetavar("name|id"),
    Flag.withDescription(says),
    optional,
    Flag.map((meant) => (meant === undefined ? plain(meant) : thing(kind)(meant)))
  )
}

const JsonObject = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))

const valueFlag = (name: string, { between }: Take, { metavar, type }: Field): Flag.Flag<unknown> => {
  if (typeof type === "object") return Flag.Literals(name, type)
  if (type === "boolean") return Flag.Boolean(name)
  if (type === "json") return Flag.String(name).pipe(Flag.withSchema(JsonObject), Flag.withMetavar("json"))
  if (between !== undefined)
    return Flag.withSchema(Flag.Int(name), Schema.Int.check(Schema.isBetween(between)))
  const flag: Flag.Flag<number | string> = type === "integer" ? Flag.Int(name) : Flag.String(name)
  return metavar === undefined ? flag : Flag.withMetavar(flag, metavar)
}
