import { wireTo } from "@runhook/test-support/receivers/Wire"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, shortLeases, startService } from "@runhook/test-support/world/Service"
import { makeSdkTenant, moment, until, untilAborted } from "./SdkTenant.ts"

/** Leases of the service under test live 5 s. */
const longerThanALeaseMs = 6_000

let service: Service
beforeAll(async () => {
  service = await startService({
    timings: shortLeases
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

describe("a runner", () => {
  // Real seconds: only a lease that would have run out shows that something kept it.
  it("keeps its lease while the work blocks the event loop for longer than a lease lives", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = tenant.runner({
      print: ({ progress, signal }) => {
        progress({ percent: 10, step: "blocking" })
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, longerThanALeaseMs)
        return { wasAborted: signal.aborted }
      }
    })
    await runner.start()

    const execution = await tenant.outcome(await tenant.queue("print"))

    assert.deepStrictEqual([execution.status, execution.result], ["completed", { wasAborted: false }])
    assert.isEmpty(runner.problems)
  })

  it("stops work whose lease ran out while the service could not be reached", async () => {
    await using wire = await wireTo(service.url)
    const tenant = await makeSdkTenant({ service, runnerUrl: wire.url })
    const begun = moment()
    const reasons: Array<unknown> = []
    await using runner = tenant.runner({
      print: ({ signal }) => {
        begun.come()
        signal.addEventListener("abort", () => reasons.push(signal.reason.kind))
        return untilAborted(signal)
      }
    })
    await runner.start()
    const id = await tenant.queue("print")
    await begun.comes

    wire.cut()

    await until(() => reasons.length > 0)
    assert.deepStrictEqual(reasons, ["lease_lost"])
    wire.mend(service.url)
    assert.strictEqual((await tenant.outcome(id)).error_message, "runner lost")
  })

  it("opens another session when its own is forgotten", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) })
    await runner.start()
    const path = `/runner/sessions/${runner.log[0]?.fields?.["session_id"]}`

    const { status } = await service.raw({ key: tenant.runnerKey, path, method: "DELETE" })

    assert.strictEqual(status, 204)
    assert.strictEqual((await tenant.outcome(await tenant.queue("print"))).status, "completed")
  })
})
