import type { Answer } from "@runhook/test-support/receivers/Receiver"
import { assert, describe, it } from "vitest"
import { NotFoundError } from "../../src/admin/Admin.ts"
import { follow } from "../../src/admin/Changes.ts"
import { settingsWith } from "../../src/call/Settings.ts"
import { makeSend } from "../../src/promise/Send.ts"
import type { AccountChange } from "../../src/wire/Admin.ts"
import { refusal, startServer, testClock } from "../call/RawServer.ts"

/** A stream of these texts, which then ends, breaks off or falls silent. */
const stream =
  (texts: ReadonlyArray<string>, end: "ends" | "breaks off" | "is silent" = "ends"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const text of texts) response.write(text)
    if (end === "ends") response.end()
    // A moment later, so that what was written has been read.
    if (end === "breaks off") setImmediate(() => setImmediate(() => response.destroy()))
  }

const hello = `event: hello\nid: a-1\ndata: {"account_id":"one","is_resumed":false}\n\n`
const changed = `event: change\nid: a-2\ndata: {"kind":"key","id":"k","state":"active","is_new":false}\n\n`
const reset = "event: reset\nid: b-7\ndata: {}\n\n"

const changesFrom = async (count: number, ...answers: ReadonlyArray<Answer>) => {
  await using server = await startServer(...answers)
  const send = makeSend(settingsWith({ baseUrl: server.url }, { api: "admin", apiKey: "key" }), testClock())
  const told: Array<AccountChange> = []
  for await (const change of follow("/accounts/one/changes", { send, clock: testClock(), options: {} })) {
    told.push(change)
    if (told.length === count) break
  }
  return { told, queries: server.received.map(({ path }) => path?.split("/changes")[1]) }
}

describe("changes", () => {
  it.each(["ends", "breaks off"] as const)(
    "go on behind what was read, when the connection %s",
    async (end) => {
      const { queries, told } = await changesFrom(2, stream([hello, ":\n\n", changed], end), stream([reset]))

      assert.deepStrictEqual(told, [
        { event: "change", kind: "key", id: "k", state: "active", is_new: false },
        { event: "reset" }
      ])
      assert.deepStrictEqual(queries, ["", "?after=a-2"])
    }
  )

  it("are read whatever the pieces in which they come", async () => {
    const { told } = await changesFrom(1, stream([...`${hello}${changed}`]))

    assert.deepStrictEqual(told[0]?.event, "change")
  })

  it("leave out events that are of no kind that it knows", async () => {
    const { told } = await changesFrom(1, stream([hello, `event: weather\ndata: {"rain":1}\n\n`, changed]))

    assert.deepStrictEqual(told[0]?.event, "change")
  })

  it("come back when the service is away, and reject when it refuses", async () => {
    const refused = changesFrom(
      9,
      refusal(503, "internal_error"),
      stream([hello, changed]),
      refusal(404, "not_found")
    )

    const error: unknown = await refused.catch((cause: unknown) => cause)

    assert.instanceOf(error, NotFoundError)
  })

  it("end with the signal's reason", async () => {
    await using server = await startServer(stream([hello, changed], "is silent"))
    const send = makeSend(settingsWith({ baseUrl: server.url }, { api: "admin", apiKey: "key" }), testClock())
    const stop = new AbortController()
    const changes = follow("/accounts/one/changes", {
      send,
      clock: { ...testClock(), after: () => () => {} },
      options: { signal: stop.signal }
    })
    await changes.next()
    const next = changes.next().catch((cause: unknown) => cause)

    stop.abort("enough")

    assert.strictEqual(await next, "enough")
  })

  it("come from another connection when one says nothing for longer than the service would", async () => {
    await using server = await startServer(stream([hello, changed], "is silent"), stream([reset]))
    const send = makeSend(settingsWith({ baseUrl: server.url }, { api: "admin", apiKey: "key" }), testClock())
    const timers: Array<() => void> = []
    const clock = {
      ...testClock(),
      after: (milliseconds: number, act: () => void) => {
        if (milliseconds === 35_000) timers.push(act)
        return () => {}
      }
    }
    const changes = follow("/accounts/one/changes", { send, clock, options: {} })
    await changes.next()
    const next = changes.next()

    timers.at(-1)?.()

    assert.deepStrictEqual((await next).value, { event: "reset" })
    await changes.return()
  })
})
