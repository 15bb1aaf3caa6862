import { assert, describe, it } from "@effect/vitest"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { ExecutionLimits } from "@runhook/core/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { RateLimits } from "../../src/limits/RateLimits.ts"
import { type Operation, operations } from "../Documented.ts"
import { Host, service } from "../Service.ts"
import { breaksOf, leastOf } from "./Breaks.ts"
import { everything } from "./Everything.ts"
import { type Answered, flawOf } from "./Judging.ts"
import { narrowedParts } from "./Narrowing.ts"
import { type Parts, partsOf, requestOf, type Values } from "./Requests.ts"
import { samplesOf } from "./Schemas.ts"

/** How many requests each operation gets that its document allows; the seed decides which. */
const count = Number(process.env["RUNHOOK_DOCUMENT_CASES"] ?? 5)
const seed = Number(process.env["RUNHOOK_SEED"] ?? 1)

/** Rules that no schema says, each told by the description of its field. */
const unsaid = [
  /half of a surrogate pair|null character|key with a backslash/,
  /integer from -9007199254740991/,
  /is required with the kind|is for videos only/,
  /body\.size_bytes: must be at most/,
  /task_id or task_version_id is required/,
  /for the outcome completed|with the outcome error|is for an error that is retryable/,
  /must be at least initial_seconds/,
  /must be none where|cannot be asked for together|must not be after|must be less than \d+ (hours|days) before/,
  /must be in the future|must be later than/,
  /body\.labels\.\W+: is not a known field/,
  /is required (with|beside)|in their place|is for schedules with cron|must be less than every_seconds|is a moment of one execution/,
  /The URL|must be one e-mail address|sends no mails/,
  /is for endpoints of the kind|must say where events are sent/
]

/** The documents themselves are not of the contract. */
const asked = operations.filter(({ path }) => !path.endsWith("/openapi.json"))
const apis = ["/api/v1/integrations/", "/api/v1/runner/", "/api/v1/admin/"]
const operationsOf = (api: string) => asked.filter(({ path }) => path.startsWith(api))

const timeout = 600_000

const unlimited = Layer.mergeAll(
  Layer.succeed(RateLimits, { integration: null, runner: null, admin: null }),
  Layer.effect(
    ExecutionLimits,
    Effect.map(ExecutionLimits, (limits) => ({ ...limits, accountRateLimit: null }))
  )
)

const answerTo = Effect.fnUntraced(function* (operation: Operation, values: Values, key: string) {
  const send = yield* Host
  const { init, target } = requestOf(operation, values, key)
  const answer = yield* send(target, init)
  const form = answer.headers.get("content-type")?.split(";")[0] ?? ""
  // A stream of events has no end.
  const text = yield* Effect.promise(async () =>
    form === "text/event-stream" ? String(await answer.body?.cancel()) : answer.text()
  )
  return { status: answer.status, form, text, asked: `${operation.method} ${target} ${init.body ?? ""}` }
})

const valuesIn = (sample: unknown): Values => {
  const { body, header, path, query } = partOf(sample)
  return { path: partOf(path), query: partOf(query), header: partOf(header), body }
}

/** Values for all parts of a request. */
const wholeOf = (parts: Parts): Part => ({
  type: "object",
  properties: Record.filter({ ...parts }, (part) => part !== undefined),
  required: Object.keys(parts).filter((name) => name !== "body" || parts.body !== undefined)
})

/** The rule for which an allowed request was refused, if a schema could have said it. */
const unsaidRuleOf = ({ status, text }: Answered): string | undefined => {
  if (status !== 400 && status !== 422) return undefined
  const { details, message } = partOf(partOf(JSON.parse(text))["error"])
  const isKnown = unsaid.some((rule) => rule.test(String(message)))
  return status === 422 && !("issues" in partOf(details)) ? undefined : isKnown ? undefined : String(message)
}

describe("a request that its OpenAPI document allows", () => {
  it.live.each(apis)(
    "is answered as the document says: %s",
    (api) =>
      Effect.gen(function* () {
        const flaws: Array<string> = []
        for (const operation of operationsOf(api)) {
          // Some end what others need.
          const { keyOf, known } = yield* everything
          const parts = narrowedParts(operation, partsOf(operation), known)
          for (const sample of samplesOf(wholeOf(parts), { count, seed })) {
            const answer = yield* answerTo(operation, valuesIn(sample), keyOf(operation))
            const flaw = flawOf(operation, answer) ?? unsaidRuleOf(answer)
            if (flaw !== undefined) flaws.push(`${answer.asked}: ${answer.status} ${flaw}`)
          }
        }

        assert.deepStrictEqual(flaws, [])
      }).pipe(Effect.provide(Layer.provideMerge(service, unlimited))),
    timeout
  )
})

describe("a request that its OpenAPI document forbids", () => {
  it.live.each(apis)(
    "is refused for what is wrong with it: %s",
    (api) =>
      Effect.gen(function* () {
        const flaws: Array<string> = []
        const { keyOf, known } = yield* everything
        for (const operation of operationsOf(api)) {
          const parts = partsOf(operation)
          const least = valuesIn(leastOf(wholeOf(narrowedParts(operation, parts, known))))
          for (const broken of brokenValues(parts, least)) {
            const answer = yield* answerTo(operation, broken, keyOf(operation))
            const flaw = flawOf(operation, answer) ?? (isRefusal(answer) ? undefined : answer.text)
            if (flaw !== undefined) flaws.push(`${answer.asked}: ${answer.status} ${flaw}`)
          }
        }

        assert.deepStrictEqual(flaws, [])
      }).pipe(Effect.provide(Layer.provideMerge(service, unlimited))),
    timeout
  )
})

const isRefusal = ({ status }: Answered) => status === 400 || status === 422

/** The values with one part broken, in each way. */
const brokenValues = ({ body, path, query }: Parts, least: Values): ReadonlyArray<Values> => [
  // Without a text, it would be another path.
  ...textBreaksOf(path)
    .filter((broken) => !Object.values(broken).includes(""))
    .map((broken) => ({ ...least, path: { ...least.path, ...broken } })),
  ...textBreaksOf(query).map((broken) => ({ ...least, query: { ...least.query, ...broken } })),
  { ...least, query: { ...least.query, colour: "red" } },
  ...(body === undefined ? [] : breaksOf(judgedAsWhole(body)).map((broken) => ({ ...least, body: broken })))
]

/** In a URL all is text, so only numbers and texts can be wrong. */
const textBreaksOf = (part: Part): ReadonlyArray<Part> =>
  Object.entries(partOf(part["properties"])).flatMap(([name, schema]) => {
    const one = partOf(partOf(schema)["items"] ?? schema)
    const types = one["type"] === "integer" ? ["string", "number"] : ["string"]
    return breaksOf(one)
      .filter((value) => types.includes(typeof value))
      .map((value) => ({ [name]: value }))
  })

/** The items of these lists are answered one by one. */
const judgedAsWhole = (body: Part): Part => {
  const { outcomes: _, ...properties } = partOf(body["properties"])
  if (body["properties"] === undefined) return body
  const { items } = properties
  const judged = items === undefined ? {} : { items: { ...partOf(items), items: { type: "object" } } }
  return { ...body, properties: { ...properties, ...judged } }
}
