/** A command that makes one call of the contract, and shows the answer. */
import type { ApiRequest } from "@runhook/sdk/admin"
import type * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../../logging/Reporting.ts"
import { show } from "../../output/Output.ts"
import { called } from "../AdminClient.ts"
import { group, isWatching, limit } from "../Catalog.ts"
import { watched } from "../Watching.ts"
import { argumentOf, flagOf, type Part, pathArgument, switchOf } from "./Flags.ts"
import type { Field, Operation } from "./Operation.ts"
import { operations } from "./Operations.generated.ts"
import { type Owner, owners } from "./Owner.ts"
import type { Switch, Take, Values } from "./Row.ts"
import { type PlainCommand, plainCommands } from "./Tables.ts"

type Param = Argument.Argument<Part> | Flag.Flag<Part>

const found = <A>(value: A | undefined, name: string): A => {
  if (value === undefined) throw new Error(`There is no ${name}: npm run generate`)
  return value
}

const fieldOf = ({ body, query }: Operation, { field }: Take): Field =>
  found(query[field] ?? body?.[field], field)

/** Switches are named by their flags: `--poll`. */
const paramsOf = ({ args = [], takes }: PlainCommand, operation: Operation): Record<string, Param> => {
  const path = [...operation.path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(
    ([, noun = "", id = ""]) => ({ noun, id, says: args.find(({ field }) => field === id)?.says }) as const
  )
  const paramOf = (take: Switch | Take): readonly [string, Param] =>
    "sets" in take ? [`--${take.flag}`, switchOf(take)] : [take.field, flagOf(take, fieldOf(operation, take))]
  return Object.fromEntries<Param>([
    ...path.map(({ id, noun, says }) => [`{${id}}`, pathArgument(noun, says)] as const),
    ...args
      .filter(({ field }) => !path.some(({ id }) => id === field))
      .map((take) => [take.field, argumentOf(take, fieldOf(operation, take))] as const),
    ...takes.map(paramOf)
  ])
}

const inPath = (id: unknown): string => {
  const text = String(id)
  // A URL has no such parts: they are ways up.
  if (/^\.{0,2}$/.test(text))
    throw new CommandFailed({ reason: "An id must not be empty or made of dots", exitCode: 2 })
  return encodeURIComponent(text)
}

const queryOf = (values: Values): ApiRequest["query"] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value)
    ])
  )

/** `execution.params` is a field of `execution`. */
const bodyOf = (values: Values): Values => {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const [outer = "", inner] = name.split(".")
    body[outer] = inner === undefined ? value : Object.assign({}, body[outer], { [inner]: value })
  }
  return body
}

const requestOf = ({ body, method, path, query }: Operation, values: Values): ApiRequest => {
  const where = (name: string) => {
    if (name.startsWith("{")) return "path"
    return body === undefined || Object.hasOwn(query, name) ? "query" : "body"
  }
  const those = (place: string) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => where(name) === place))
  return {
    method,
    path: path.replaceAll(/\{\w+\}/g, (id) => inPath(values[id])),
    query: queryOf(those("query")),
    ...(body !== undefined && { body: bodyOf(those("body")) })
  }
}

type Parts = Readonly<Record<string, Part>>

const isSwitch = (name: string): boolean => name.startsWith("--")

/** What the parts are for this owner, one after the other: each may look for a thing. Switches come first, so others win. */
const valuesOf = async ({ completes, sets }: PlainCommand, parts: Parts, owner: Owner): Promise<Values> => {
  const values: Record<string, unknown> = { ...sets }
  const inOrder = Object.entries(parts).toSorted(
    ([one], [other]) => Number(isSwitch(other)) - Number(isSwitch(one))
  )
  for (const [name, part] of inOrder) {
    const value = await part(owner, values)
    if (value !== undefined) Object.assign(values, isSwitch(name) ? value : { [name]: value })
  }
  return completes?.(values) ?? values
}

/** A list of an account can be watched, and is as long as is wanted. */
const lists = {
  modes: { watch: isWatching },
  params: {
    limit: Flag.map(
      limit,
      (count): Part =>
        () =>
          Promise.resolve(count)
    )
  }
}

const commandFrom = (command: PlainCommand) => {
  const { columns, examples = [], name, noun, of, says } = command
  const operation = found(operations[`${noun} ${name}`], `${noun} ${name}`)
  const { find, flags } = owners[of]
  const isList = of === "account" && name === "list"
  const modes: Record<string, Flag.Flag<boolean>> = isList ? lists.modes : {}
  const parts: Record<string, Param> = { ...(isList && lists.params), ...paramsOf(command, operation) }
  const choice: Record<string, Flag.Flag<string | undefined>> = flags
  return Command.make(
    name,
    { choice, modes, parts },
    Effect.fnUntraced(function* (given) {
      const owner: Owner = yield* find(given.choice["account"])
      const look = called(async () => {
        const values = await valuesOf(command, given.parts, owner)
        // An answer without a body shows nothing.
        return (await owner.request(requestOf(operation, values))) ?? undefined
      })
      yield* given.modes["watch"] && owner.account
        ? watched(owner.account, look, columns)
        : Effect.flatMap(look, (answer) => show(answer, columns))
    })
  ).pipe(
    Command.withDescription(says ?? `${operation.summary}. ${operation.description}`),
    Command.withShortDescription(says ?? operation.summary),
    Command.withExamples(examples)
  )
}

/** The plain commands of a noun. */
const commandsOf = (noun: string) => plainCommands.filter((command) => command.noun === noun)

/** One of them, beside others that do more. */
export const plain = (noun: string, name: string) =>
  commandFrom(
    found(
      commandsOf(noun).find((command) => command.name === name),
      `${noun} ${name}`
    )
  )

/** A noun all of whose commands are plain. */
export const plainGroup = (noun: string, about: string) =>
  group(noun, about, commandsOf(noun).map(commandFrom))
