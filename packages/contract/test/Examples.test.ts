import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { AdminApi } from "../src/AdminApi.ts"
import { IntegrationApi } from "../src/IntegrationApi.ts"
import { partOf } from "../src/openapi/Document.ts"
import { errorExamples } from "../src/openapi/examples/Errors.ts"
import { fields } from "../src/openapi/examples/Fields.ts"
import { shown } from "../src/openapi/examples/ObjectFields.ts"
import { requestParsing } from "../src/RequestRules.ts"
import { RunnerApi } from "../src/RunnerApi.ts"
import { CancelRepeated, WouldCancel } from "../src/cancels/CancelJobWire.ts"
import { WouldCreate } from "../src/executions/ExecutionWire.ts"
import { ExecutionEvent, TestEvent } from "../src/deliveries/WebhookWire.ts"
import { apiNames, documents, type Place, placesOf } from "./Documents.ts"

const groups: ReadonlyArray<HttpApiGroup.Top> = [IntegrationApi, RunnerApi, AdminApi].flatMap((api) =>
  Object.values(api.groups)
)

/** The definitions of all bodies but the error, by the names that they have in the documents. */
const definitions = new Map(
  groups
    .flatMap(({ endpoints }) => Object.values(endpoints))
    .flatMap((endpoint) => [
      ...[...endpoint.payload.values()].flatMap(({ schemas }) => schemas),
      ...endpoint.success
    ])
    .concat(CancelRepeated, ExecutionEvent, TestEvent, WouldCancel, WouldCreate)
    .map((schema) => [SchemaAST.resolveIdentifier(schema.ast), schema])
)

/** Everything that is sent as JSON, in operations and webhooks. */
const bodies: ReadonlyArray<Place> = apiNames.flatMap((name) => {
  const { paths, webhooks } = partOf(documents[name])
  return placesOf({ paths, webhooks }, [name]).filter(({ path }) => path.at(-1) === "application/json")
})

const ownDescription = ({ path }: Place) => path.some((part) => part.endsWith("/openapi.json"))

/** The examples of bodies, by the names of their schemas. */
const examples = new Map(
  bodies
    .filter((body) => !ownDescription(body))
    .flatMap(({ part: { example, examples: several, schema } }): ReadonlyArray<[string, unknown]> => {
      const name = String(partOf(schema)["$ref"]).split("/").at(-1) ?? ""
      return several === undefined
        ? [[name, example]]
        : Object.entries(partOf(several)).map(([each, shownAs]) => [each, partOf(shownAs)["value"]])
    })
)

/** All of them are decoded without the help of any service. */
const isDefinition = (
  schema: Schema.Top | undefined
): schema is Schema.Top & Schema.ConstraintDecoder<unknown> => schema !== undefined

const ofContract = [...examples].flatMap(([name, value]) => {
  const schema = definitions.get(name)
  return isDefinition(schema) ? [{ name, schema, value }] : []
})

const ofErrors = Object.entries(errorExamples).map(([name, example]) => ({ name, ...example }))

describe("the examples of the OpenAPI documents", () => {
  it.effect.each([...ofContract, ...ofErrors])(
    "$name is what the contract says, with nothing beside",
    ({ schema, value }) => Schema.decodeUnknownEffect(schema)(value, requestParsing).pipe(Effect.asVoid)
  )

  it("are all looked at", () => {
    const others = [...examples.keys()].filter((name) => !definitions.has(name))

    assert.deepStrictEqual(others, ["Error"])
  })

  it("stand beside every body", () => {
    const without = bodies.filter(
      (body) => !("example" in body.part) && !("examples" in body.part) && !ownDescription(body)
    )

    assert.deepStrictEqual(
      without.map(({ path }) => path.join(" ")),
      []
    )
  })

  it("are composed of fields that some body has", () => {
    const text = JSON.stringify([...examples.values()])

    const unused = Object.keys(fields).filter((name) => !text.includes(`"${name}":`))

    assert.deepStrictEqual(unused, [])
  })

  it("leave no text open: `openapi/examples/Fields.ts` has each", () => {
    const open = [...examples].filter(([, value]) => JSON.stringify(value).includes('"..."'))

    assert.deepStrictEqual(Object.fromEntries(open), {})
  })

  it("show what their objects may leave out, as far as is said", () => {
    const known = JSON.stringify(documents)

    const unknown = Object.entries(shown).flatMap(([object, names]) =>
      [object, ...names.split(" ")].filter((name) => !known.includes(`"${name}":`))
    )

    assert.deepStrictEqual(unknown, [])
  })
})
