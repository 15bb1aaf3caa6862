import { silence } from "@runhook/test-support/receivers/Receiver"
import { assert, describe, it } from "vitest"
import { failureOf, meeting } from "./Meeting.ts"
import { json, refusal } from "./RawServer.ts"

const page = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
  json(200, { data: ids.map((id) => ({ id })), next_cursor, request_id: "req_1" })

const execution = (status: string) => json(200, { execution_id: "e-1", status, request_id: "req_1" })

describe("a list", () => {
  it("gives page after page", async () => {
    const { client, server } = await meeting([page(["1"], "2"), page(["2"], null)])
    await using _ = server

    const sizes: Array<number> = []
    for await (const { data } of client.tasks.list().pages()) sizes.push(data.length)

    assert.deepStrictEqual(sizes, [1, 1])
  })

  it("asks for no page that toArray does not need", async () => {
    const { client, server } = await meeting([page(["1", "2"], "2"), page(["3"], null)])
    await using _ = server

    const first = await client.agents.list().toArray({ limit: 2 })
    const none = await client.agents.list().toArray({ limit: 0 })

    assert.deepStrictEqual([first.length, none.length, server.received.length], [2, 0, 1])
  })

  it("ends with the signal, also in the middle of a page", async () => {
    const { client, server } = await meeting([page(["1", "2"], "2")])
    await using _ = server
    const stop = new AbortController()
    const ids: Array<string> = []

    const reading = async () => {
      for await (const { id } of client.executions.list({}, { signal: stop.signal })) {
        ids.push(id)
        stop.abort("enough")
      }
    }

    assert.strictEqual(await failureOf(reading()), "enough")
    assert.deepStrictEqual(ids, ["1"])
  })
})

describe("a call", () => {
  class Order {
    readonly id = 1
  }
  const circle: Array<unknown> = []
  circle.push({ circle })

  it.each([
    [{ pages: NaN }, "params.pages is NaN, which has no JSON"],
    [{ total: [1, -Infinity] }, "params.total[1] is -Infinity"],
    [{ at: new Date(NaN) }, "params.at is Invalid Date"],
    [{ tags: new Map([["a", 1]]) }, "params.tags is a Map"],
    [{ list: [{ tags: new Set([1]) }] }, "params.list[0].tags is a Set"],
    [{ id: 5n }, "params.id is a bigint"],
    [{ act: () => {} }, "params.act is a function"],
    [{ mark: Symbol("s") }, "params.mark is a symbol"],
    [{ list: [undefined] }, "params.list[0] is undefined"],
    [{ order: new Order() }, "params.order is a Order"],
    [{ bytes: new Uint8Array(2) }, "params.bytes is a Uint8Array"],
    [{ pattern: /a/ }, "params.pattern is a RegExp"],
    [{ fault: new Error("no") }, "params.fault is a Error"],
    [{ text: "half \ud83d" }, "params.text has half of a character"],
    [{ "half \ude00": 1 }, "params has a name with half of a character"],
    [{ circle }, "params.circle[0].circle contains itself"]
  ])("is refused with what has no JSON, by its path: %o", async (params, message) => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server

    // Untyped programs pass anything.
    const fields = Object.assign({ agent_id: "a-1", task_id: "t-1" }, { params: params as never })
    const failures = await Promise.all([
      failureOf(client.executions.create(fields)),
      failureOf(client.request({ method: "POST", path: "/things", body: { params } }))
    ])

    for (const failure of failures) {
      assert.instanceOf(failure, TypeError)
      assert.include(String(failure), message)
    }
    assert.strictEqual(server.received.length, 0)
  })

  it("sends what says itself what it is in JSON, and leaves out fields without a value", async () => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server
    const body = {
      at: new Date(0),
      link: new URL("http://localhost/a"),
      none: undefined,
      bare: Object.assign(Object.create(null), { whole: "😀" }),
      twice: [circle.slice(1), circle.slice(1)]
    }

    await client.request({ method: "POST", path: "/things", body })

    assert.deepStrictEqual(JSON.parse(server.received[0]?.body ?? ""), {
      at: "1970-01-01T00:00:00.000Z",
      link: "http://localhost/a",
      bare: { whole: "😀" },
      twice: [[], []]
    })
  })

  it.each([
    [new Map(), "q is a Map"],
    [new Date(NaN), "q is Invalid Date"],
    [NaN, "q is NaN"],
    [["a", 5n], "q is a bigint"],
    ["half \ud83d", "q has half of a character"],
    [{}, "q must be text, a number or a boolean"],
    [[["a"]], "q must be text, a number or a boolean"],
    [null, "q must be text, a number or a boolean"]
  ])("is refused with a parameter that is none: %o", async (value, message) => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server

    const failure = await failureOf(
      client.request({ method: "GET", path: "/executions", query: { q: value as never } })
    )

    assert.instanceOf(failure, TypeError)
    assert.include(String(failure), message)
    assert.strictEqual(server.received.length, 0)
  })

  it("has its parameters as text, and a date in ISO 8601", async () => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server
    const query = { a: ["x", "y"], n: 5, b: false, at: new Date(0) as never, none: undefined }

    await client.request({ method: "GET", path: "/executions", query })

    assert.match(server.received[0]?.path ?? "", /\?a=x&a=y&n=5&b=false&at=1970-01-01T00%3A00%3A00.000Z$/)
  })

  it.each(["漢", "", "a b", "a\n", "x".repeat(256)])(
    "is refused under the idempotency key %j",
    async (key) => {
      const { client, server } = await meeting([execution("queued")])
      await using _ = server

      const failure = await failureOf(
        client.executions.create({ agent_id: "a-1", task_id: "t-1" }, { idempotencyKey: key })
      )

      assert.include(String(failure), "TypeError: idempotencyKey must be")
      assert.strictEqual(server.received.length, 0)
    }
  )

  it("is refused with an id that is no whole text", async () => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server

    assert.throws(
      () => client.executions.get("e-\ud83d"),
      TypeError,
      "an id must be text of whole characters"
    )
    assert.strictEqual(server.received.length, 0)
  })

  it("that waits is refused with a limit that is none, before it creates anything", async () => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server

    const failure = await failureOf(
      client.executions.createAndWait({ agent_id: "a-1", task_id: "t-1" }, { waitMs: NaN })
    )

    assert.include(String(failure), "TypeError: waitMs must be a number that is not negative")
    assert.strictEqual(server.received.length, 0)
  })
})

describe("an abort", () => {
  it("ends an attempt", async () => {
    const stop = new AbortController()
    const { client, server } = await meeting([() => stop.abort("enough"), silence])
    await using _ = server

    assert.strictEqual(await failureOf(client.executions.get("e-1", { signal: stop.signal })), "enough")
    assert.strictEqual(server.received.length, 1)
  })

  it("ends the pause before a retry", async () => {
    const stop = new AbortController()
    const { client, server } = await meeting([refusal(500, "internal_error")], {
      log: ({ event }) => void (event === "retry" && stop.abort("enough"))
    })
    await using _ = server

    assert.strictEqual(await failureOf(client.executions.get("e-1", { signal: stop.signal })), "enough")
    assert.strictEqual(server.received.length, 1)
  })

  it("ends a wait", async () => {
    const stop = new AbortController()
    const { client, server } = await meeting([
      execution("running"),
      (response, request) => {
        stop.abort("enough")
        execution("running")(response, request)
      }
    ])
    await using _ = server

    const failure = await failureOf(client.executions.waitFor("e-1", { signal: stop.signal }))

    assert.strictEqual(failure, "enough")
  })
})

describe("hooks", () => {
  it("see every attempt, and may set headers but the key's", async () => {
    const { client, server } = await meeting([refusal(500, "internal_error"), execution("queued")], {
      onRequest: ({ attempt, headers }) => {
        headers.set("traceparent", `attempt-${attempt}`)
        headers.set("authorization", "Bearer other")
      }
    })
    await using _ = server

    await client.executions.get("e-1")

    assert.deepStrictEqual(
      server.received.map(({ headers }) => [headers["traceparent"], headers.authorization]),
      [
        ["attempt-1", "Bearer rhlive_prefix_hush"],
        ["attempt-2", "Bearer rhlive_prefix_hush"]
      ]
    )
  })

  it("end the call with what they throw", async () => {
    const { client, server } = await meeting([execution("queued")], {
      onResponse: () => {
        throw new RangeError("no")
      }
    })
    await using _ = server

    assert.instanceOf(await failureOf(client.executions.get("e-1")), RangeError)
    assert.strictEqual(server.received.length, 1)
  })

  it("of the log tell of attempts, retries and the end", async () => {
    const entries: Array<unknown> = []
    const { client, server } = await meeting([refusal(500, "internal_error")], {
      retries: 1,
      log: ({ event, attempt, status, path, delayMs }) =>
        entries.push([event, attempt, status, path, delayMs])
    })
    await using _ = server

    await failureOf(client.executions.get("e-1", { wait: 1 }))

    assert.deepStrictEqual(entries, [
      ["retry", 1, 500, "/executions/e-1", 250],
      ["failure", 2, 500, "/executions/e-1", undefined]
    ])
  })
})

describe("withResponse", () => {
  it("gives headers, request id and attempts beside the body", async () => {
    const { client, server } = await meeting([execution("queued")])
    await using _ = server

    const { attempts, body, requestId, response } = await client.executions.get("e-1").withResponse()

    assert.deepStrictEqual([attempts, requestId, response.status, body.status], [1, "req_1", 200, "queued"])
  })

  it("is the only one to hear of a failure", async () => {
    const { client, server } = await meeting([refusal(404, "not_found")])
    await using _ = server

    // An unhandled rejection of the call itself would fail the whole run.
    assert.instanceOf(await failureOf(client.executions.get("e-1").withResponse()), Error)
  })
})

describe("a batch", () => {
  const answered = (...statuses: ReadonlyArray<number>) =>
    json(200, {
      data: statuses.map((status, index) => ({ index, status, execution: { execution_id: `${index}` } })),
      request_id: "req_1"
    })

  it("sends items again under their keys, and tells the answers and requests of all", async () => {
    const { client, server } = await meeting([answered(429, 201, 429), answered(200, 201)])
    await using _ = server
    const item = { agent_id: "a-1", task_id: "t-1" }

    const { attempts, body } = await client.executions
      .createBatch([item, { ...item, idempotency_key: "mine" }, { ...item, idempotency_key: "last" }])
      .withResponse()

    const [first = [], second] = server.received.map(
      (request): ReadonlyArray<unknown> => JSON.parse(request.body).items
    )
    assert.deepStrictEqual(second, [first[0], { ...item, idempotency_key: "last" }])
    assert.deepStrictEqual(
      body.data.map(({ index, status }) => [index, status]),
      [
        [0, 200],
        [1, 201],
        [2, 201]
      ]
    )
    assert.strictEqual(attempts, 2)
  })
})
