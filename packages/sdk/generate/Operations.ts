/** The calls of the APIs, in the order of the contract: what every generator reads. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { CallDescription, Calls } from "@runhook/contract/Call"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import type * as SchemaRepresentation from "effect/SchemaRepresentation"
import { definitions, encodedOf, nameOf, queryOf } from "./Definitions.ts"
import { namesOfPlaces } from "./Names.ts"
import type { Body, Client, Operation, QueryField } from "./Operation.ts"
import { declared, descriptionOf, literalsOf } from "./Printer.ts"
import type { ApiName } from "./Spoken.ts"

type Representation = SchemaRepresentation.Representation
type Field = SchemaRepresentation.PropertySignature

const roots = {
  Integration: /^\/api\/v1\/integrations/,
  Admin: /^\/api\/v1\/admin(?:\/accounts\/:account_id(?=\/))?/,
  Runner: /^\/api\/v1\/runner/
}

const clientOf = (api: ApiName, path: string): Client => {
  if (api === "Integration") return "runhook"
  if (api === "Runner") return "runner"
  return path.startsWith("/api/v1/admin/accounts/:account_id/") ? "account" : "admin"
}

/** The named types of a schema, of which a union has several. */
const typesOf = (schema: Schema.Top): ReadonlyArray<string> => namesIn(encodedOf(schema))

const namesIn = (type: Representation): ReadonlyArray<string> => {
  if (type._tag === "Reference") return [nameOf(type.$ref)]
  return type._tag === "Union" ? type.types.flatMap(namesIn) : []
}

/** The type of a list's items. */
const itemOf = (page: string): string => {
  const type = definitions.find(({ name }) => name === page)?.representation
  const data = type && fieldsOf(type).find(({ name }) => name === "data")
  const item = data?.type._tag === "Arrays" ? data.type.rest[0] : undefined
  if (item === undefined) throw new Error(`${page} is no page of a list`)
  return namesIn(item)[0] ?? page
}

/** `jobId` is `job_id`. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The only one is an `id`; of several, each says of what it is. */
const paramsOf = (path: string): ReadonlyArray<string> => {
  const found = [...path.matchAll(/(\w+?)s?\/:(\w+)/g)]
  if (found.length === 1) return ["id"]
  return found.map(([, noun, name = ""]) => (name === "id" ? `${noun}_id` : snakeCase(name)))
}

const withParams = (path: string, params: ReadonlyArray<string>): string => {
  let at = 0
  return path.replaceAll(/:\w+/g, () => `{${params[at++]}}`)
}

const fieldsOf = (type: Representation): ReadonlyArray<Field> =>
  type._tag === "Objects" ? type.propertySignatures : []

/** Queries with the same fields have one name. */
const keyOf = (type: Representation): string =>
  fieldsOf(type)
    .map(({ name }) => String(name))
    .join()

const queryNames = new Map(
  definitions
    .filter(({ side }) => side === "query")
    .map(({ name, representation }) => [keyOf(representation), name])
)

const queryIn = (
  schema: Schema.Top | undefined,
  place: string | undefined,
  fixed: ReadonlySet<string>
): Operation["query"] => {
  if (schema === undefined) return null
  const type = queryOf(schema)
  const chosen = fieldsOf(type).filter(({ name }) => !fixed.has(String(name)))
  if (chosen.length === 0) return null
  return {
    type: place ?? queryNames.get(keyOf(type)) ?? null,
    fields: chosen.map((field) => ({
      name: String(field.name),
      type: typeOfField(field.type),
      isRequired: !field.isOptional,
      description: textOf(field.annotations?.["description"] ?? descriptionOf(field.type))
    }))
  }
}

const typeOfField = (type: Representation): QueryField["type"] => {
  if (literalsOf(type)?.join() === `"true","false"`) return "boolean"
  return type._tag === "Number" ? "number" : "string"
}

/** A body of several schemas may be left out: the others say so. */
const bodyOf = ([schema, ...others]: ReadonlyArray<Schema.Top>): Body | null => {
  if (schema === undefined) return null
  const type = typesOf(schema)[0] ?? ""
  const definition = definitions.find(({ name }) => name === type)
  const [field, ...more] = definition === undefined ? [] : fieldsOf(definition.representation)
  const only =
    field === undefined || more.length > 0
      ? null
      : { name: String(field.name), form: formOf(field), item: itemNameOf(field) }
  return { type, isRequired: others.length === 0, only }
}

const itemNameOf = ({ type }: Field): string | null => {
  if (type._tag !== "Arrays") return null
  const [item] = type.rest
  if (item?._tag === "Reference") return nameOf(item.$ref)
  return item?._tag === "Declaration" ? declared(item) : "string"
}

const formOf = ({ type }: Field): "json" | "list" | "plain" => {
  if (type._tag === "Arrays") return "list"
  return type._tag === "Declaration" ? "json" : "plain"
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const isMethod = (method: string): method is Operation["method"] =>
  ["DELETE", "GET", "PATCH", "POST", "PUT"].includes(method)

const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  name: ApiName,
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      const place = `${group.identifier}.${endpoint.identifier}`
      const { annotations, method, path } = endpoint
      const calls = Context.get(annotations, Calls)
      if (!isMethod(method)) throw new Error(`${place} has the method ${method}`)
      const below = path.replace(roots[name], "")
      const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
      const client = clientOf(name, path)
      const queried = endpoint.query === undefined ? [] : keyOf(encodedOf(endpoint.query)).split(",")
      const fixed = new Set(calls.flatMap(({ query = {} }) => Object.keys(query)))
      const own = (texts: string | undefined) => texts?.replaceAll(/\brunhook\./g, `${client}.`) ?? null
      for (const call of calls) {
        const params = call.params ?? paramsOf(below)
        const kind = call.kind ?? (queried.includes("cursor") ? "list" : "call")
        const answered = (call.answers ?? [...successes.values()].flat()).flatMap(typesOf)
        operations.push({
          api: name,
          client,
          call: call.path ?? (name === "Runner" ? endpoint.identifier : place),
          kind,
          method,
          path: withParams(below, params),
          params,
          query:
            kind === "stream"
              ? null
              : queryIn(endpoint.query, namesOfPlaces[name][`${place} query`]?.[0], fixed),
          fixedQuery: call.query ?? {},
          body: bodyOf(bodies),
          fixedBody: call.body ?? {},
          answers: kind === "list" ? answered.map(itemOf) : answered,
          accept: call.accept ?? null,
          isRepeatable: call.isRepeatable ?? (method !== "POST" || kind === "batch"),
          hasWait: queried.includes("wait"),
          summary: Context.getOrUndefined(annotations, OpenApi.Summary) ?? "",
          description:
            call.says ??
            Context.get(annotations, CallDescription) ??
            Context.getOrUndefined(annotations, OpenApi.Description) ??
            "",
          example: own(call.example),
          pythonExample: call.python ?? null,
          fails: call.fails ?? {},
          errors: [...errors.keys()].toSorted((one, other) => one - other)
        })
      }
    }
  })
  return operations
}

export const operations: ReadonlyArray<Operation> = [
  ...operationsOf("Integration", IntegrationApi),
  ...operationsOf("Admin", AdminApi),
  ...operationsOf("Runner", RunnerApi)
]
