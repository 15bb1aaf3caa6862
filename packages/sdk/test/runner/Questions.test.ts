import { assert, describe, it } from "vitest"
import { sharedService } from "../service/SharedService.ts"
import { setStage } from "./Stage.ts"

const service = await sharedService()

describe("a question of a handler", () => {
  it("asks its caller, with the handler waiting", async () => {
    const stage = await setStage({ service })
    await using runner = stage.runner({
      login: async ({ ask }) => ({
        code: await ask({ key: "code", prompt: "Which code?", schema: { type: "string" } })
      })
    })
    await runner.start()
    const id = await stage.queue("login")

    await stage.answer(id, "1234")

    assert.deepStrictEqual((await stage.outcome(id)).result, { code: "1234" })
  })

  it("asks its caller, letting go of the work meanwhile", async () => {
    const stage = await setStage({ service, capacity: 1 })
    const question = {
      key: "code",
      prompt: "Which code?",
      schema: { type: "string" },
      mode: "release"
    } as const
    await using runner = stage.runner({
      login: async ({ ask }) => ({ code: await ask(question) }),
      print: () => ({ pages: 1 })
    })
    await runner.start()
    const id = await stage.queue("login")
    await stage.client.executions.waitFor(id, { until: "input" })

    const other = await stage.outcome(await stage.queue("print"))
    await stage.answer(id, "1234")

    assert.strictEqual(other.status, "completed")
    assert.deepStrictEqual((await stage.outcome(id)).result, { code: "1234" })
  })

  it("asks more than once, letting go each time, and is given all answers so far from its beginning", async () => {
    const stage = await setStage({ service, capacity: 1 })
    const asking = (key: string) =>
      ({ key, prompt: "Which code?", schema: { type: "string" }, mode: "release" }) as const
    await using runner = stage.runner({
      login: async ({ ask }) => ({ codes: [await ask(asking("one")), await ask(asking("other"))] })
    })
    await runner.start()
    const id = await stage.queue("login")

    for (const value of ["1234", "5678"]) await stage.answer(id, value)

    assert.deepStrictEqual((await stage.outcome(id)).result, { codes: ["1234", "5678"] })
  })
})
