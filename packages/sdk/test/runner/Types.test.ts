/** The types written by hand say what the contract says, and handlers are held to those of their tasks. */
import type { OutcomeBody } from "@runhook/contract/wire/OutcomeWire"
import type * as Contract from "@runhook/contract/wire/RunnerWire"
import { describe, expectTypeOf, it } from "vitest"
import { createRunner, type RunnerOptions } from "../../src/runner/Runner.ts"
import type * as Wire from "../../src/runner/Wire.ts"

interface Codec {
  readonly Encoded: unknown
}

/** What the service gives can be read, and no field is missing in the type. */
type Reads<S extends Codec, Written> = S["Encoded"] extends Written
  ? Exclude<keyof S["Encoded"], keyof Written>
  : ["does not fit", S["Encoded"]]

/** What is written fits what the service takes, and every field that it takes can be written. */
type Writes<S extends Codec, Written> = Written extends S["Encoded"]
  ? Exclude<keyof S["Encoded"], keyof Written>
  : ["does not fit", S["Encoded"]]

type KeysOfEach<Union> = Union extends unknown ? keyof Union : never

type Fenced<Body> = Body & { readonly epoch: number }

describe("the types of the runner", () => {
  it("read what the contract's answers say", () => {
    expectTypeOf<Reads<typeof Contract.SessionOpened, Wire.Session>>().toEqualTypeOf<"request_id">()
    expectTypeOf<Reads<typeof Contract.Claim, Wire.Claim>>().toEqualTypeOf<never>()
    expectTypeOf<Reads<typeof Contract.ClaimAnswer, Wire.ClaimAnswer>>().toEqualTypeOf<"request_id">()
    expectTypeOf<Reads<typeof Contract.HeartbeatAnswer, Wire.HeartbeatAnswer>>().toEqualTypeOf<"request_id">()
    expectTypeOf<Reads<typeof Contract.Started, Wire.Started>>().toEqualTypeOf<"request_id">()
    expectTypeOf<Reads<typeof Contract.Asked, Wire.Asked>>().toEqualTypeOf<"request_id">()
    expectTypeOf<
      Reads<typeof Contract.ArtifactRegistered, Wire.ArtifactRegistered>
    >().toEqualTypeOf<"request_id">()
  })

  it("write what the contract's requests take", () => {
    expectTypeOf<Writes<typeof Contract.OpenSessionBody, Wire.OpenSession>>().toEqualTypeOf<never>()
    type Claiming = { readonly Encoded: Omit<(typeof Contract.ClaimBody)["Encoded"], "outcomes"> }
    expectTypeOf<Writes<Claiming, Wire.ClaimWork>>().toEqualTypeOf<never>()
    type Reported = NonNullable<Wire.ClaimWork["outcomes"]>[number]
    expectTypeOf<keyof (typeof OutcomeBody)["Encoded"]>().toEqualTypeOf<KeysOfEach<Reported>>()
    expectTypeOf<Writes<typeof Contract.HeartbeatBody, Wire.Heartbeat>>().toEqualTypeOf<never>()
    expectTypeOf<
      Writes<typeof Contract.RegisterArtifactBody, Fenced<Wire.ArtifactFields>>
    >().toEqualTypeOf<never>()
    expectTypeOf<Writes<typeof Contract.AskBody, Fenced<Wire.AskFields>>>().toEqualTypeOf<never>()
  })

  it("give handlers the params of their task, and hold them to its result", () => {
    interface Tasks {
      readonly print: { readonly params: PrintParams; readonly result: { readonly pages: number } }
    }
    interface PrintParams {
      readonly copies: number
    }
    type Print = RunnerOptions<Tasks>["tasks"]["print"]

    expectTypeOf<Parameters<Print>[0]["params"]>().toEqualTypeOf<PrintParams>()
    expectTypeOf<ReturnType<Print>>().toEqualTypeOf<
      { readonly pages: number } | Promise<{ readonly pages: number }>
    >()
    expectTypeOf(createRunner<Tasks>)
      .parameter(0)
      .toHaveProperty("tasks")
      .toEqualTypeOf<{ readonly print: Print }>()
  })
})
