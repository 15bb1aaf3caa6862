/** Handlers are held to the types of their tasks, and outcomes to what the contract takes. */
import { describe, expectTypeOf, it } from "vitest"
import { createRunner, type RunnerOptions } from "../../src/runner/Runner.ts"
import type { LeaseRef, Outcome, OutcomeReport } from "../../src/wire/Runner.ts"

type KeysOfEach<Union> = Union extends unknown ? keyof Union : never

describe("the types of the runner", () => {
  it("tell everything of an outcome that the contract takes", () => {
    expectTypeOf<KeysOfEach<LeaseRef & Outcome>>().toEqualTypeOf<keyof OutcomeReport>()
    type Told = Exclude<Outcome, { readonly outcome: "completed" }>
    expectTypeOf<LeaseRef & Told>().toExtend<OutcomeReport>()
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
