import { describe, expectTypeOf, it } from "@effect/vitest"
import type { Caller } from "@runhook/contract/Authorization"
import type { Conflict, NotFound } from "@runhook/contract/Errors"
import type { Executions } from "@runhook/core/executions/Executions"
import type * as Effect from "effect/Effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { HandlerTable } from "../../src/pipeline/Handlers.ts"
import type { TestApi } from "../TestApi.ts"

type Groups = typeof TestApi extends HttpApi.HttpApi<string, infer All> ? All : never
type Things = HandlerTable<HttpApiGroup.WithIdentifier<Groups, "things">>
type Keyed = HandlerTable<HttpApiGroup.WithIdentifier<Groups, "keyed">>

/** Nothing but the request id, which no handler gives. */
type Thing = Readonly<Record<never, never>>

describe("a table of handlers", () => {
  it("has one for each endpoint of its group", () => {
    expectTypeOf<Omit<Things, "get">>().not.toExtend<Things>()
    expectTypeOf<keyof Things>().toEqualTypeOf<
      "broken" | "change" | "create" | "file" | "get" | "misshapen" | "slow"
    >()
  })

  it("fails with nothing but what the endpoint declares", () => {
    expectTypeOf<() => Effect.Effect<Thing, NotFound>>().toExtend<Things["get"]>()
    expectTypeOf<() => Effect.Effect<Thing, Conflict>>().not.toExtend<Things["get"]>()
  })

  it("answers what the endpoint declares", () => {
    expectTypeOf<() => Effect.Effect<{ readonly id: string }, never, Caller>>().not.toExtend<Keyed["me"]>()
  })

  it("asks for who calls where the endpoint does, and for no service of the host", () => {
    expectTypeOf<() => Effect.Effect<{ readonly prefix: string }, never, Caller>>().toExtend<Keyed["me"]>()
    expectTypeOf<() => Effect.Effect<Thing, never, Caller>>().not.toExtend<Things["slow"]>()
    expectTypeOf<() => Effect.Effect<Thing, never, Executions>>().not.toExtend<Things["slow"]>()
  })
})
