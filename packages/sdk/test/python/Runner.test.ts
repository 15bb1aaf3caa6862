/** The runner for Python does what that for TypeScript does. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openGate } from "../runner/Gate.ts"
import { setStage, until } from "../runner/Stage.ts"
import { type Service, startService } from "../service/Service.ts"
import { type Press, startPress } from "./Press.ts"
import { python } from "./Python.ts"

/** Leases of the service under test live 5 s. */
const longerThanALease = 6

/** Longer than any machine takes. */
const timeout = 60_000

type Stage = Awaited<ReturnType<typeof setStage>>

let service: Service
beforeAll(async () => {
  if (python === undefined) return
  service = await startService({
    preload: ["ShortRounds", "ShortLeases"].map((name) => new URL(`../runner/${name}.ts`, import.meta.url))
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const kinds = ({ said }: Press) => said.flatMap(({ kind }) => kind ?? [])

/** The handler of such work has begun: its progress is there. */
const begun = (stage: Stage, id: string) =>
  until(async () => (await stage.client.executions.get(id)).status === "running")

const answered = async (stage: Stage, id: string, value: string) => {
  const { input_request } = await stage.client.executions.waitFor(id, { until: "input" })
  assert(input_request)
  await stage.client.executions.answer({ execution_id: id, input_id: input_request.input_id }, { value })
}

describe.runIf(python !== undefined)("a runner in Python", { timeout }, () => {
  let stage: Stage
  let press: Press
  beforeAll(async () => {
    stage = await setStage({ service, attemptsMax: 3 })
    press = startPress(stage, { capacity: 10 })
  })
  afterAll(() => press[Symbol.asyncDispose]())

  it.each(["print", "print-async"])(
    "gives the handler of %s what it needs to know, and the caller its result",
    async (slug) => {
      const id = await stage.queue(slug, { copies: 2 })

      const { result, status } = await stage.outcome(id)

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
    const slugs = ["breaks", "exits", "cancels", "lies", "unwritable", "nothing"]
    const ends = await Promise.all(slugs.map(async (slug) => stage.outcome(await stage.queue(slug))))

    assert.deepStrictEqual(
      ends.map(({ error_message, status, status_reason }) => [status, status_reason ?? error_message]),
      [
        ["error", "ValueError: no paper"],
        ["error", "RuntimeError: the handler raised SystemExit: 7"],
        ["cancelled", "nobody is home"],
        ["error", ends[3]?.error_message],
        ["error", ends[4]?.error_message],
        ["completed", null]
      ]
    )
    assert.match(ends[3]?.error_message ?? "", /outcome was refused/)
    assert.match(ends[4]?.error_message ?? "", /outcome was refused: .*not JSON serializable/)
    await until(() => kinds(press).length >= 4)
    assert.sameMembers(kinds(press), [
      "attempt_failed",
      "attempt_failed",
      "outcome_refused",
      "outcome_refused"
    ])
  })

  it("lets work without a handler be tried again by others", async () => {
    const id = await stage.queue("unheard-of")

    await until(() => kinds(press).includes("no_handler"))

    const { attempt, status } = await stage.client.executions.get(id)
    assert.deepStrictEqual([attempt, status], [1, "queued"])
    await stage.client.executions.cancel(id)
  })

  it("begins an attempt with the last checkpoint of the one before", async () => {
    const [walked, grown] = await Promise.all(
      ["walks", "grows"].map(async (slug) => stage.outcome(await stage.queue(slug)))
    )

    assert.deepStrictEqual(walked?.result, { last: { page: 2, before: { page: 1, before: null } } })
    assert.deepStrictEqual(grown?.result, { kept: "small" })
    assert.include(kinds(press), "checkpoint_failed")
  })

  it.each(["waits", "waits-async"])(
    "stops the work of %s when its caller cancels, and still takes files",
    async (slug) => {
      const id = await stage.queue(slug)
      await begun(stage, id)
      await until(() => stage.client.executions.explain(id).then(({ state }) => state === "started"))

      await stage.client.executions.cancel(id, { reason: `no more ${slug}` })

      await until(async () => (await stage.client.executions.artifacts(id)).screenshots.length === 1)
      assert.deepInclude(press.said, { stopped: "cancelled", message: `no more ${slug}`, same: true })
      assert.strictEqual((await stage.outcome(id)).status, "aborted")
    }
  )

  it("asks its caller, holding the work or letting go of it", async () => {
    const ids = [await stage.queue("login"), await stage.queue("login-async")] as const

    await answered(stage, ids[0], "1234")
    for (const value of ["1234", "5678"]) await answered(stage, ids[1], value)

    const ends = await Promise.all(ids.map(stage.outcome))
    assert.deepStrictEqual(
      ends.map(({ result }) => result),
      [{ code: "1234" }, { codes: ["1234", "5678"] }]
    )
  })

  it("delivers files from paths, bytes, streams and parts, byte for byte", async () => {
    const id = await stage.queue("files")
    const { result } = await stage.outcome(id)

    const { downloads, prints, screenshots, videos } = await stage.client.executions.artifacts(id)
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
      [...prints, ...screenshots].map(async (file) => (await stage.client.files.download(file)).text())
    )
    assert.deepStrictEqual(texts, ["from a stream", "from parts"])
    assert.deepStrictEqual([downloads[0]?.size_bytes, videos.length], [Number(result?.["size"]), 1])
  })

  it("adds what handlers log to the log of the execution, once and in order", async () => {
    const id = await stage.queue("logs")
    assert.strictEqual((await stage.outcome(id)).status, "completed")

    const lines: Array<readonly [string, string]> = []
    for await (const { level, message } of stage.client.executions.followLogs(id))
      lines.push([level, message.slice(0, 8).trim()])
    assert.deepStrictEqual(lines, [
      ["info", "signed i"],
      ["warn", "slow"],
      ...Array.from({ length: 300 }, (_, number) => ["debug", `${number} xxxxxxx`.slice(0, 8)] as const),
      ["error", "the last"]
    ])
  })

  // Real seconds: only a lease that would have run out shows that something kept it.
  it("keeps its leases while work computes for longer than one lives, in threads and in the event loop", async () => {
    const computing = ["computes", "computes-async"].map((slug) =>
      stage.queue(slug, { seconds: longerThanALease })
    )

    const ends = await Promise.all((await Promise.all(computing)).map(stage.outcome))

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

describe.runIf(python !== undefined)("the process of a runner in Python", { timeout }, () => {
  it("lets work finish at SIGTERM, takes no more, and closes the session", async () => {
    const stage = await setStage({ service })
    await using press = startPress(stage)
    const id = await stage.queue("login")
    await stage.client.executions.waitFor(id, { until: "input" })

    press.kill("SIGTERM")
    await until(
      async () => (await stage.client.agents.list().toArray({ limit: 1 }))[0]?.status === "draining"
    )
    const late = await stage.queue("print")
    await answered(stage, id, "1234")

    assert.deepStrictEqual((await stage.outcome(id)).result, { code: "1234" })
    assert.deepStrictEqual(await press.exited, [0, null])
    assert.deepInclude(press.said, { left: true })
    assert.strictEqual((await stage.client.executions.get(late)).status, "queued")
    assert.strictEqual(await stage.runners(), 0)
  })

  it("stops its work at the second signal, which may be tried again", async () => {
    const stage = await setStage({ service, attemptsMax: 2 })
    await using press = startPress(stage)
    const ids = [await stage.queue("waits"), await stage.queue("waits-async")]
    for (const id of ids) await begun(stage, id)

    press.kill("SIGTERM")
    await until(
      async () => (await stage.client.agents.list().toArray({ limit: 1 }))[0]?.status === "draining"
    )
    press.kill("SIGINT")

    assert.deepStrictEqual(await press.exited, [0, null])
    for (const id of ids) assert.strictEqual((await stage.client.executions.get(id)).status, "queued")
  })

  it("leaves its work to others when it is killed, and to itself when it comes back under its name", async () => {
    const stage = await setStage({ service, attemptsMax: 2 })
    const press = startPress(stage, { instance_id: "press-1" })
    const id = await stage.queue("waits")
    await begun(stage, id)
    press.kill("SIGKILL")
    await press.exited

    await using again = startPress(stage, { instance_id: "press-1" })

    await until(async () => (await stage.client.executions.get(id)).attempt === 2)
    await until(() =>
      again.said.some(({ message }) => String(message).startsWith("attempt 1 failed, again in"))
    )
    assert.strictEqual((await stage.client.executions.cancel(id)).status, "aborted")
  })

  it("takes up what an earlier process had begun where that is wished", async () => {
    const stage = await setStage({ service })
    const press = startPress(stage, { instance_id: "press-2" })
    const id = await stage.queue("login")
    await stage.client.executions.waitFor(id, { until: "input" })
    press.kill("SIGKILL")
    await press.exited

    await using _ = startPress(stage, { instance_id: "press-2", recover: "resume" })
    await answered(stage, id, "1234")

    const { attempt, result } = await stage.outcome(id)
    assert.deepStrictEqual([attempt, result], [1, { code: "1234" }])
  })

  it("reports what ended while the service was away, and stops work whose lease ran out", async () => {
    await using gate = await openGate(service.url)
    const stage = await setStage({ service, runnerUrl: gate.url })
    await using press = startPress(stage)
    const [short, long] = [await stage.queue("computes", { seconds: 2 }), await stage.queue("waits")]
    for (const id of [short, long]) await begun(stage, id)

    gate.close()
    await until(() => kinds(press).includes("service_away"))
    await until(() => press.said.some(({ stopped }) => stopped === "lease_lost"))
    gate.open(service.url)

    assert.strictEqual((await stage.outcome(long)).error_message, "runner lost")
    assert.strictEqual((await stage.outcome(await stage.queue("print"))).status, "completed")
    assert.strictEqual(kinds(press).filter((kind) => kind === "service_away").length, 1)
  })

  it("reports an outcome again until it is acknowledged, by whatever way its answers get lost", async () => {
    const reported: Array<string | undefined> = []
    await using proxy = await behindProxy(service.url, async ({ body, endpoint }, send) => {
      if (!/"outcomes?":/.test(body)) return send()
      reported.push(endpoint?.replace(/^.*\//, ""))
      // The first is answered by somebody else. The second arrives, but its answer does not.
      if (reported.length === 1) return { status: 200, told: "<h1>Please sign in</h1>" }
      const answer = await send()
      return reported.length === 2 ? null : answer
    })
    const stage = await setStage({ service, runnerUrl: proxy.url })
    await using _ = startPress(stage)

    const { attempt, result, status } = await stage.outcome(await stage.queue("print"))
    await until(() => reported.length === 3)

    assert.deepInclude(result, { pages: 6 })
    assert.deepStrictEqual([status, attempt], ["completed", 1])
    assert.deepStrictEqual(reported, ["claims", "complete", "complete"])
  })

  it("calls everything that the contract has", async () => {
    await using older = await anOlderService(service.url)
    const stage = await setStage({ service, runnerUrl: older.url })
    await using press = startPress(stage, { capacity: 2 })
    const id = await stage.queue("everything")
    await stage.client.executions.waitFor(id, { until: "input" })

    // Work that is given in the moment of the drain goes back.
    older.onWork(async () => {
      press.kill("SIGTERM")
      // Its word that it drains is on its way before the work is.
      await until(() => older.draining())
    })
    const late = await stage.queue("print")

    assert.deepStrictEqual(await press.exited, [0, null])
    assert.strictEqual((await stage.outcome(id)).status, "completed")
    assert.strictEqual((await stage.client.executions.get(late)).status, "queued")
    assert.sameMembers([...older.called], endpoints)
  })

  it("ends when the service refuses its key", async () => {
    const stage = await setStage({ service })
    await using press = startPress({ ...stage, runnerKey: "rhrun_wrong_key" })

    assert.deepStrictEqual(await press.exited, [1, null])
  })
})

const endpoints = Object.values(RunnerApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path}`)

/** The endpoint that a request was for; undefined for uploads. */
const endpointOf = (request: string): string | undefined =>
  endpoints.find((endpoint) => new RegExp(`^${endpoint.replace(/:\w+/g, "[^/]+")}$`).test(request))

/** An answer, as a proxy passes it on; null: the connection breaks in its place. */
type Passed = { readonly status: number; readonly told: string } | null

/** The service behind a proxy, in which a test may come in between. */
const behindProxy = async (
  to: string,
  between: (
    asked: { readonly endpoint: string | undefined; readonly body: string },
    send: () => Promise<NonNullable<Passed>>
  ) => Promise<Passed>
) => {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "" } = request
    const body = await text(request)
    const passed = await between({ endpoint: endpointOf(`${method} ${url}`), body }, async () => {
      const answer = await fetch(`${to}${url}`, {
        method,
        headers: { authorization: String(request.headers.authorization), "content-type": "application/json" },
        ...(body === "" ? {} : { body })
      })
      return { status: answer.status, told: await answer.text() }
    })
    if (passed === null) return void response.destroy()
    response.writeHead(passed.status, { "content-type": "application/json" }).end(passed.told)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** One that notes what is called, and answers as an older service does, whose work does not begin with its claim. */
const anOlderService = async (to: string) => {
  const called = new Set<string>()
  let onWork = async () => {}
  let isDraining = false
  const proxy = await behindProxy(to, async ({ body, endpoint }, send) => {
    const { status, told } = await send()
    if (body.includes('"draining":true')) isDraining = true
    if (endpoint !== undefined) called.add(endpoint)
    const { outcomes: _, ...older } = told === "" ? {} : JSON.parse(told)
    if (older.claims?.length > 0) await onWork()
    return { status, told: told && JSON.stringify(older) }
  })
  return {
    ...proxy,
    called,
    draining: () => isDraining,
    onWork: (act: () => Promise<void>) => {
      onWork = act
    }
  }
}
