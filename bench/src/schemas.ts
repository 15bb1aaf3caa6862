/** What checking params costs beside ajv alone, and what the event loop notices of schemas made to hold it up. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { AccountId } from "@runhook/core/domain/Ids"
import type { Json, JsonObject } from "@runhook/core/domain/json/Json"
import { ParamsValidator } from "@runhook/core/ports/ParamsValidator"
import * as AjvParamsValidator from "@runhook/params/AjvParamsValidator"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Bench } from "./Bench.ts"
import { median, printTable, progress, ratio } from "./Report.ts"

const accountId = AccountId.make("00000000-0000-7000-8000-000000000001")

/** As people write them. */
const ordinary: { readonly schema: JsonObject; readonly value: JsonObject } = {
  schema: {
    type: "object",
    required: ["url", "format"],
    additionalProperties: false,
    properties: {
      url: { type: "string", minLength: 8, maxLength: 2_000 },
      format: { enum: ["pdf", "png"] },
      pages: { type: "array", maxItems: 50, items: { type: "integer", minimum: 1 } },
      margins: { type: "object", properties: { top: { type: "number" }, left: { type: "number" } } },
      landscape: { type: "boolean", default: false }
    }
  },
  value: {
    url: "https://example.com/invoices/7",
    format: "pdf",
    pages: [1, 2, 3],
    margins: { top: 1.5, left: 2 }
  }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)
const members = (count: number): JsonObject => Object.fromEntries(namesOf(count).map((name) => [name, 1]))
const times = (count: number, item: Json): ReadonlyArray<Json> => Array.from({ length: count }, () => item)

const attacks: Readonly<Record<string, { readonly schema: JsonObject; readonly value: Json }>> = {
  "160 times uniqueItems": {
    schema: { allOf: times(160, { uniqueItems: true }) },
    value: [members(60_000)]
  },
  "dependentRequired, 400 names": {
    schema: { dependentRequired: Object.fromEntries(namesOf(400).map((name) => [name, namesOf(3)])) },
    value: members(5_000)
  },
  "a list of 499 names, 11,000 items": {
    schema: { items: { dependentRequired: { a: namesOf(499) } } },
    value: times(11_000, { a: 1 })
  },
  "200 schemas of allOf": {
    schema: { allOf: namesOf(200).map((name) => ({ properties: { [name]: { type: "string" } } })) },
    value: {}
  },
  "enum of 2,000 objects": { schema: { enum: times(2_000, [{}]) }, value: [members(60_000)] }
}

export const schemas: Bench = async ({ quick, resources }) => {
  const rounds = quick ? 1 : 7
  const runs = quick ? 1_000 : 50_000
  const runtime = ManagedRuntime.make(AjvParamsValidator.layer)
  resources.defer(() => runtime.dispose())
  const validator = await runtime.runPromise(ParamsValidator)

  const checked = validator.validate({ accountId, key: "ordinary", ...ordinary })
  const alone = new Ajv2020({ allErrors: false, useDefaults: true, ownProperties: true, inlineRefs: false })
  const validate = alone.compile(ordinary.schema)
  const plain = Effect.sync(() => {
    const copy: unknown = JSON.parse(JSON.stringify(ordinary.value))
    validate(copy)
    return copy
  })
  /** Microseconds for one. */
  const measure = async <A, E>(effect: Effect.Effect<A, E>) => {
    const before = process.cpuUsage()
    await runtime.runPromise(Effect.repeat(effect, { times: runs }))
    const { system, user } = process.cpuUsage(before)
    return (system + user) / runs
  }
  const measured = { "ajv alone": new Array<number>(), validator: new Array<number>() }
  for (let round = 0; round <= rounds; round++) {
    progress(`schemas: ordinary, round ${round} of ${rounds}`)
    const [ajv, ours] = [await measure(plain), await measure(checked)]
    // The first one warms up.
    if (round === 0) continue
    measured["ajv alone"].push(ajv)
    measured.validator.push(ours)
  }
  const base = median(measured["ajv alone"])
  printTable(
    "schemas, ordinary params",
    Object.entries(measured).map(([side, figures]) => ({
      side,
      "CPU us": median(figures),
      "to ajv alone": ratio(median(figures), base)
    }))
  )

  const rows = []
  for (const [attack, { schema, value }] of Object.entries(attacks)) {
    progress(`schemas: ${attack}`)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const began = performance.now()
    const end = await runtime.runPromise(
      validator
        .checkValueSchema({ accountId, schema })
        .pipe(
          Effect.andThen(validator.validate({ accountId, key: attack, schema, value })),
          Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "valid" })
        )
    )
    const ms = performance.now() - began
    delay.disable()
    rows.push({ attack, answer: end, "answered in ms": ms, "longest delay of the loop, ms": delay.max / 1e6 })
  }
  printTable("schemas, made to hold up the loop", rows)
}
