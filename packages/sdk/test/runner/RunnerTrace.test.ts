import { assert, describe, it } from "vitest"
import { sharedService } from "@runhook/test-support/world/Service"
import { makeSdkTenant } from "./SdkTenant.ts"
import { tapped } from "./Wiretap.ts"

const service = await sharedService()

describe("a runner whose caller sends a trace", () => {
  it("gives the handler the trace of its caller, and names it in the calls for that attempt alone", async () => {
    const tenant = await makeSdkTenant({ service, capacity: 1 })
    const { fetch, said } = tapped()
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
    const seen: Array<string | null> = []
    await using runner = tenant.runner(
      {
        print: async (context) => {
          seen.push(context.traceparent)
          await context.artifacts.screenshot(Buffer.from("picture"))
          await context.ask({ key: "code", prompt: "Which code?", schema: {} })
        }
      },
      { fetch }
    )
    await runner.start()
    for (const headers of [{ traceparent }, { traceparent: `${traceparent}-more` }]) {
      const id = await tenant.queue("print", {}, { headers })
      const { input_request } = await tenant.client.executions.waitFor(id, { until: "input" })
      assert(input_request)
      const of = { execution_id: id, input_id: input_request.input_id }
      await tenant.client.executions.answer(of, { value: 1 })
      await tenant.outcome(id)
    }

    assert.deepStrictEqual(seen, [traceparent, null])
    const traced = said.filter((each) => each.traceparent === traceparent).map(({ path }) => path)
    assert.includeMembers(
      traced.map((path) => path.split("/")[3] ?? ""),
      ["artifacts", "inputs"]
    )
    assert.isTrue(said.every((each) => each.traceparent === null || traced.includes(each.path)))
    assert.isTrue(traced.every((path) => path.startsWith("/executions/{id}/")))
  })
})
