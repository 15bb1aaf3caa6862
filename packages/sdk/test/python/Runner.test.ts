/** The runner for Python does what that for TypeScript does. */
import { wireTo } from "@runhook/test-support/receivers/Wire"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, shortLeases, shortRounds, startService } from "@runhook/test-support/world/Service"
import { makeSdkTenant, until } from "../runner/SdkTenant.ts"
import { kinds, type Press, startPress } from "./Press.ts"
import { python } from "./Python.ts"

/** Leases of the service under test live 5 s. */
const longerThanALease = 6

type Stage = Awaited<ReturnType<typeof makeSdkTenant>>

let service: Service
/** Its leases outlast the start of a process, however slow the machine is. */
let steady: Service
beforeAll(async () => {
  if (python === undefined) return
  ;[service, steady] = await Promise.all([
    startService({ timings: shortLeases }),
    startService({ timings: shortRounds })
  ])
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await steady?.[Symbol.asyncDispose]()
})

/** The handler of such work has begun: its progress is there. */
const begun = (tenant: Stage, id: string) =>
  until(async () => (await tenant.client.executions.get(id)).status === "running")

describe.runIf(python !== undefined)("a runner in Python", () => {
  let tenant: Stage
  let press: Press
  beforeAll(async () => {
    tenant = await makeSdkTenant({ service, attemptsMax: 3 })
    press = startPress(tenant, { capacity: 10 })
  })
  afterAll(() => press[Symbol.asyncDispose]())

  it.each(["print", "print-async"])(
    "gives the handler of %s what it needs to know, and the caller its result",
    async (slug) => {
      const id = await tenant.queue(slug, { copies: 2 })

      const { result, status } = await tenant.outcome(id)

      const seen = {
        attempt: 1,
        execution_id: id,
        is_resumed: false,
        metadata: {},
        params: { copies: 2 },
        slug
      }
      assert.deepStrictEqual([status, result], ["completed", { pages: 6, seen }])
    }
  )

  it("reports what handlers raise, and results that cannot be or that the task does not promise", async () => {
    const slugs = ["breaks", "exits", "cancels", "lies", "unwritable", "nothing", "lists"]
    const ends = await Promise.all(slugs.map(async (slug) => tenant.outcome(await tenant.queue(slug))))

    assert.deepStrictEqual(
      ends.map(({ error_message, status, status_reason }) => [status, status_reason ?? error_message]),
      [
        ["error", "ValueError: no paper"],
        ["error", "RuntimeError: the handler raised SystemExit: 7"],
        ["cancelled", "nobody is home"],
        ["error", ends[3]?.error_message],
        ["error", ends[4]?.error_message],
        ["completed", null],
        ["error", "TypeError: a handler returns a dictionary or None, and not a list"]
      ]
    )
    assert.match(ends[3]?.error_message ?? "", /outcome was refused/)
    assert.match(ends[4]?.error_message ?? "", /outcome was refused: .*result\.pages is a set/)
    await until(() => kinds(press).length >= 5)
    assert.sameMembers(kinds(press), [
      "attempt_failed",
      "attempt_failed",
      "attempt_failed",
      "outcome_refused",
      "outcome_refused"
    ])
  })

  it("belongs to its own process, and lets one that its work forks be ended", async () => {
    const { result } = await tenant.outcome(await tenant.queue("forks"))

    const refusal = "the context works only in the process of its runner, and not in a fork of it"
    assert.deepStrictEqual(result, { pages: 1, refusals: Array(4).fill(refusal), ended: -15 })
  })

  it("lets work without a handler be tried again by others", async () => {
    const id = await tenant.queue("unheard-of")

    await until(() => kinds(press).includes("no_handler"))

    const { attempt, status } = await tenant.client.executions.get(id)
    assert.deepStrictEqual([attempt, status], [1, "queued"])
    await tenant.client.executions.cancel(id)
  })

  it("begins an attempt with the last checkpoint of the one before", async () => {
    const [walked, grown] = await Promise.all(
      ["walks", "grows"].map(async (slug) => tenant.outcome(await tenant.queue(slug)))
    )

    assert.deepStrictEqual(walked?.result, { last: { page: 2, before: { page: 1, before: null } } })
    assert.deepStrictEqual(grown?.result, { kept: "small" })
    assert.include(kinds(press), "checkpoint_failed")
  })

  it.each(["waits", "waits-async"])(
    "stops the work of %s when its caller cancels, and still takes files",
    async (slug) => {
      const id = await tenant.queue(slug)
      await begun(tenant, id)
      await until(() => tenant.client.executions.explain(id).then(({ state }) => state === "started"))

      await tenant.client.executions.cancel(id, { reason: `no more ${slug}` })

      await until(async () => (await tenant.client.executions.artifacts(id)).screenshots.length === 1)
      assert.deepInclude(press.said, { stopped: "cancelled", message: `no more ${slug}`, same: true })
      assert.strictEqual((await tenant.outcome(id)).status, "aborted")
    }
  )

  it("asks its caller, holding the work or letting go of it", async () => {
    const ids = [await tenant.queue("login"), await tenant.queue("login-async")] as const

    await tenant.answer(ids[0], "1234")
    for (const value of ["1234", "5678"]) await tenant.answer(ids[1], value)

    const ends = await Promise.all(ids.map(tenant.outcome))
    assert.deepStrictEqual(
      ends.map(({ result }) => result),
      [{ code: "1234" }, { codes: ["1234", "5678"] }]
    )
  })

  it("delivers files from paths, bytes, streams and parts, byte for byte", async () => {
    const id = await tenant.queue("files")
    const { result } = await tenant.outcome(id)

    const { downloads, prints, screenshots, videos } = await tenant.client.executions.artifacts(id)
    assert.deepStrictEqual(
      [...downloads, ...prints, ...screenshots].map(({ content_type, file_name }) => [
        file_name,
        content_type
      ]),
      [
        ["press.py", "application/octet-stream"],
        ["print.pdf", "application/pdf"],
        ["page.png", "image/png"]
      ]
    )
    const texts = await Promise.all(
      [...prints, ...screenshots].map(async (file) => (await tenant.client.files.download(file)).text())
    )
    assert.deepStrictEqual(texts, ["from a stream", "from parts"])
    assert.deepStrictEqual([downloads[0]?.size_bytes, videos.length], [Number(result?.["size"]), 1])
  })

  it("adds what handlers log to the log of the execution, once and in order", async () => {
    const id = await tenant.queue("logs")
    assert.strictEqual((await tenant.outcome(id)).status, "completed")

    const lines: Array<readonly [string, string]> = []
    for await (const { level, message } of tenant.client.executions.followLogs(id))
      lines.push([level, message.slice(0, 8).trim()])
    assert.deepStrictEqual(lines, [
      ["info", "signed i"],
      ["warn", "slow: 3"],
      ["info", "cut in"],
      ...Array.from({ length: 300 }, (_, number) => ["debug", `${number} xxxxxxx`.slice(0, 8)] as const),
      ["error", "the last"]
    ])
  })

  // Real seconds: only a lease that would have run out shows that something kept it.
  it("keeps its leases while work computes for longer than one lives, in threads and in the event loop", async () => {
    const computing = ["computes", "computes-async"].map((slug) =>
      tenant.queue(slug, { seconds: longerThanALease })
    )

    const ends = await Promise.all((await Promise.all(computing)).map(tenant.outcome))

    assert.deepStrictEqual(
      ends.map(({ attempt, result, status }) => [status, attempt, result]),
      [
        ["completed", 1, { stopped: false }],
        ["completed", 1, { stopped: false }]
      ]
    )
    assert.notInclude(kinds(press), "lease_lost")
  })
})

describe.runIf(python !== undefined)("the process of a runner in Python", () => {
  it("lets work finish at SIGTERM, takes no more, and closes the session", async () => {
    const tenant = await makeSdkTenant({ service })
    await using press = startPress(tenant)
    const id = await tenant.queue("login")
    await tenant.client.executions.waitFor(id, { until: "input" })

    press.kill("SIGTERM")
    await until(async () => (await tenant.agent())?.status === "draining")
    const late = await tenant.queue("print")
    await tenant.answer(id, "1234")

    assert.deepStrictEqual((await tenant.outcome(id)).result, { code: "1234" })
    assert.deepStrictEqual(await press.exited, [0, null])
    assert.deepInclude(press.said, { left: true })
    assert.strictEqual((await tenant.client.executions.get(late)).status, "queued")
    assert.strictEqual(await tenant.runners(), 0)
  })

  it("stops its work at the second signal, which may be tried again", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    await using press = startPress(tenant)
    const ids = [await tenant.queue("waits"), await tenant.queue("waits-async")]
    for (const id of ids) await begun(tenant, id)

    press.kill("SIGTERM")
    await until(async () => (await tenant.agent())?.status === "draining")
    press.kill("SIGINT")

    assert.deepStrictEqual(await press.exited, [0, null])
    for (const id of ids) assert.strictEqual((await tenant.client.executions.get(id)).status, "queued")
  })

  it("leaves its work to others when it is killed, and to itself when it comes back under its name", async () => {
    const tenant = await makeSdkTenant({ service: steady, attemptsMax: 2 })
    const press = startPress(tenant, { instance_id: "press-1" })
    const id = await tenant.queue("waits")
    await begun(tenant, id)
    press.kill("SIGKILL")
    await press.exited

    await using again = startPress(tenant, { instance_id: "press-1" })

    await until(async () => (await tenant.client.executions.get(id)).attempt === 2)
    await until(() =>
      again.said.some(({ message }) => String(message).startsWith("attempt 1 failed, again in"))
    )
    assert.strictEqual((await tenant.client.executions.cancel(id)).status, "aborted")
  })

  it("takes up what an earlier process had begun where that is wished", async () => {
    const tenant = await makeSdkTenant({ service: steady })
    const press = startPress(tenant, { instance_id: "press-2" })
    const id = await tenant.queue("login")
    await tenant.client.executions.waitFor(id, { until: "input" })
    press.kill("SIGKILL")
    await press.exited

    await using _ = startPress(tenant, { instance_id: "press-2", recover: "resume" })
    await tenant.answer(id, "1234")

    const { attempt, result } = await tenant.outcome(id)
    assert.deepStrictEqual([attempt, result], [1, { code: "1234" }])
  })

  it("reports what ended while the service was away, and stops work whose lease ran out", async () => {
    await using wire = await wireTo(service.url)
    const tenant = await makeSdkTenant({ service, runnerUrl: wire.url })
    await using press = startPress(tenant)
    const [short, long] = [await tenant.queue("computes", { seconds: 2 }), await tenant.queue("waits")]
    for (const id of [short, long]) await begun(tenant, id)

    wire.cut()
    await until(() => kinds(press).includes("service_away"))
    await until(() => press.said.some(({ stopped }) => stopped === "lease_lost"))
    assert.lengthOf(
      kinds(press).filter((kind) => kind === "service_away"),
      1
    )
    wire.mend(service.url)

    assert.strictEqual((await tenant.outcome(long)).error_message, "runner lost")
    assert.strictEqual((await tenant.outcome(await tenant.queue("print"))).status, "completed")
  })

  it("ends when the service refuses its key", async () => {
    const tenant = await makeSdkTenant({ service })
    await using press = startPress({ ...tenant, runnerKey: "rhrun_wrong_key" })

    assert.deepStrictEqual(await press.exited, [1, null])
  })
})
