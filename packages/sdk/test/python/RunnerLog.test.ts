/** The logs of runners say the same about work, in both languages. */
import { sharedService } from "@runhook/test-support/world/Service"
import { assert, describe, it } from "vitest"
import { TaskCancelled, TaskError } from "../../src/runner/Runner.ts"
import { makeSdkTenant, until, untilAborted } from "../runner/SdkTenant.ts"
import { startPress } from "./Press.ts"
import { python } from "./Python.ts"

const service = await sharedService()

type SdkTenant = Awaited<ReturnType<typeof makeSdkTenant>>

/** What the log says of an execution. */
type LinesOf = (id: string) => ReadonlyArray<string>

const runners: ReadonlyArray<
  readonly [string, (tenant: SdkTenant) => Promise<AsyncDisposable & { linesOf: LinesOf }>]
> = [
  [
    "TypeScript",
    async (tenant) => {
      const runner = tenant.runner({
        jams: () => Promise.reject(new TaskError("jammed", { retryable: true, delayMillis: 250 })),
        lies: () => ({ pages: "many" }),
        cancels: () => Promise.reject(new TaskCancelled("nobody is home")),
        waits: ({ progress, signal }) => {
          progress({ message: "waits" })
          return untilAborted(signal)
        }
      })
      await runner.start()
      const linesOf: LinesOf = (id) =>
        runner.log.filter(({ execution_id }) => execution_id === id).map(({ message }) => message)
      return Object.assign(runner, { linesOf })
    }
  ],
  ...(python === undefined
    ? []
    : [
        [
          "Python",
          async (tenant: SdkTenant) => {
            const press = startPress(tenant)
            // There a line also names the task and the execution.
            const linesOf: LinesOf = (id) =>
              press.said
                .filter(({ execution_id, line }) => line !== undefined && execution_id === id)
                .map(({ line }) => String(line).replace(/^(begins) .+| \(.+\)$/, "$1"))
            return Object.assign(press, { linesOf })
          }
        ] as const
      ])
]

describe.each(runners)("the log of a runner for %s", (_, startRunner) => {
  it("says once how an attempt failed after which another follows, and when", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    await using runner = await startRunner(tenant)
    const id = await tenant.queue("jams")
    await until(() => runner.linesOf(id).includes("ends: error"))

    const lines = runner.linesOf(id).map((line) => line.replace(/in \d+ ms/, "in <n> ms"))

    assert.deepStrictEqual(lines, [
      "begins",
      "attempt 1 failed, again in <n> ms: jammed",
      "begins",
      "attempt 2 failed: jammed",
      "ends: error"
    ])
  })

  it("says why work was cancelled, by its caller or by its handler", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = await startRunner(tenant)
    const [waiting, leaving] = [await tenant.queue("waits"), await tenant.queue("cancels")]
    await until(async () => (await tenant.client.executions.get(waiting)).status === "running")

    await tenant.client.executions.cancel(waiting, { reason: "changed my mind" })

    await until(() => [waiting, leaving].every((id) => runner.linesOf(id).length === 2))
    assert.deepStrictEqual(runner.linesOf(waiting), ["begins", "ends: cancelled: changed my mind"])
    assert.deepStrictEqual(runner.linesOf(leaving), ["begins", "ends: cancelled: nobody is home"])
  })

  it("says that work failed whose result was refused", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = await startRunner(tenant)
    const id = await tenant.queue("lies")

    await until(() => runner.linesOf(id).length === 3)

    assert.match(runner.linesOf(id).join(), /^begins,the outcome was refused: .+,ends: error$/)
  })
})
