import { assert, describe, it } from "vitest"
import { sharedService } from "@runhook/test-support/world/Service"
import { makeSdkTenant } from "./SdkTenant.ts"

const service = await sharedService()

describe("a question of a handler", () => {
  it("asks its caller, with the handler waiting", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = tenant.runner({
      login: async ({ ask }) => ({
        code: await ask({ key: "code", prompt: "Which code?", schema: { type: "string" } })
      })
    })
    await runner.start()
    const id = await tenant.queue("login")

    await tenant.answer(id, "1234")

    assert.deepStrictEqual((await tenant.outcome(id)).result, { code: "1234" })
  })

  it("asks its caller, letting go of the work meanwhile", async () => {
    const tenant = await makeSdkTenant({ service, capacity: 1 })
    const question = {
      key: "code",
      prompt: "Which code?",
      schema: { type: "string" },
      mode: "release"
    } as const
    await using runner = tenant.runner({
      login: async ({ ask }) => ({ code: await ask(question) }),
      print: () => ({ pages: 1 })
    })
    await runner.start()
    const id = await tenant.queue("login")
    await tenant.client.executions.waitFor(id, { until: "input" })

    const other = await tenant.outcome(await tenant.queue("print"))
    await tenant.answer(id, "1234")

    assert.strictEqual(other.status, "completed")
    assert.deepStrictEqual((await tenant.outcome(id)).result, { code: "1234" })
  })

  it("asks more than once, letting go each time, and is given all answers so far from its beginning", async () => {
    const tenant = await makeSdkTenant({ service, capacity: 1 })
    const asking = (key: string) =>
      ({ key, prompt: "Which code?", schema: { type: "string" }, mode: "release" }) as const
    await using runner = tenant.runner({
      login: async ({ ask }) => ({ codes: [await ask(asking("one")), await ask(asking("other"))] })
    })
    await runner.start()
    const id = await tenant.queue("login")

    for (const value of ["1234", "5678"]) await tenant.answer(id, value)

    assert.deepStrictEqual((await tenant.outcome(id)).result, { codes: ["1234", "5678"] })
  })
})
