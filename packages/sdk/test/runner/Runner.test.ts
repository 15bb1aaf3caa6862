import { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Runhook as EffectRunhook } from "../../src/effect/Runhook.ts"
import type { ExecutionLogLine } from "../../src/Runhook.ts"
import { assert, describe, it } from "vitest"
import { sharedService } from "@runhook/test-support/world/Service"
import { StoppedError, TaskCancelled, TaskError } from "../../src/runner/Runner.ts"
import { makeSdkTenant, moment, until, untilAborted } from "./SdkTenant.ts"

const service = await sharedService()

describe("a runner", () => {
  it("gives the handler what it needs to know, and the caller its result", async () => {
    const tenant = await makeSdkTenant({ service })
    const id = await tenant.queue("print", { copies: 2 })
    await using runner = tenant.runner({
      print: ({ attempt, execution_id, is_resumed, metadata, params, task }) => ({
        pages: 6,
        seen: { attempt, execution_id, is_resumed, metadata, params, slug: task.slug }
      })
    })

    await runner.start()

    const { result, status } = await tenant.outcome(id)
    const params = { copies: 2 }
    const seen = { attempt: 1, execution_id: id, is_resumed: false, metadata: {}, params, slug: "print" }
    assert.deepStrictEqual([status, result], ["completed", { pages: 6, seen }])
  })

  it("reports what handlers throw, and results that the task does not promise", async () => {
    const tenant = await makeSdkTenant({ service })
    await using runner = tenant.runner({
      breaks: () => Promise.reject(new TypeError("no paper")),
      cancels: () => Promise.reject(new TaskCancelled("nobody is home")),
      lies: () => ({ pages: "many" })
    })
    await runner.start()

    const [broken, cancelled, lied, unknown] = await Promise.all(
      ["breaks", "cancels", "lies", "unheard-of"].map(async (slug) =>
        tenant.outcome(await tenant.queue(slug))
      )
    )

    assert.deepStrictEqual([broken?.status, broken?.error_message], ["error", "no paper"])
    assert.deepStrictEqual([cancelled?.status, cancelled?.status_reason], ["cancelled", "nobody is home"])
    assert.strictEqual(lied?.status, "error")
    assert.include(lied?.error_message, "outcome was refused")
    assert.include(unknown?.error_message, "unheard-of")
    await until(() => runner.problems.length === 3)
    assert.sameMembers(
      runner.problems.map(({ kind }) => kind),
      ["attempt_failed", "outcome_refused", "no_handler"]
    )
  })

  it("begins an attempt with the last checkpoint of the one before, also where that was not awaited", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 3 })
    const begunWith: Array<unknown> = []
    await using runner = tenant.runner({
      walks: ({ attempt, checkpoint, last_checkpoint }) => {
        begunWith.push(last_checkpoint)
        const position = { page: attempt, seen: [attempt] }
        void checkpoint(0)
        void checkpoint(position)
        position.seen.push(99)
        if (attempt < 3) throw new TaskError("later", { retryable: true, delayMillis: 1 })
        return { pages: attempt }
      }
    })
    await runner.start()

    const walked = await tenant.outcome(await tenant.queue("walks"))
    const again = await tenant.client.executions.rerun(walked.execution_id)
    await tenant.outcome(again.execution_id)

    assert.strictEqual(walked.status, "completed")
    const attempts = [null, { page: 1, seen: [1] }, { page: 2, seen: [2] }]
    assert.deepStrictEqual(begunWith, [...attempts, ...attempts])
  })

  it("tells a handler of a checkpoint that is too large, and keeps the one before", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    await using runner = tenant.runner({
      grows: async ({ attempt, checkpoint, last_checkpoint }) => {
        if (attempt === 2) return { kept: last_checkpoint }
        await checkpoint("small")
        const refusal = await checkpoint("x".repeat(65_535)).catch((cause: unknown) => cause)
        throw new TaskError(String(refusal), { retryable: true, delayMillis: 1 })
      }
    })
    await runner.start()

    const { result } = await tenant.outcome(await tenant.queue("grows"))

    assert.deepStrictEqual(result, { kept: "small" })
    const told = runner.problems.map(({ kind, message }) => `${kind}: ${message}`)
    assert.match(told[0] ?? "", /^checkpoint_failed: .*at most 65536 bytes of JSON, is 65537/)
  })

  it("sends what a handler logs, each line once and in order, to all who follow, while it works and at its end", async () => {
    const tenant = await makeSdkTenant({ service })
    const read = moment()
    const many = Array.from({ length: 450 }, (_, index) => `line ${index} ${"x".repeat(60)}`)
    await using runner = tenant.runner({
      talks: async ({ log }) => {
        log.info("begun")
        await read.comes
        for (const line of many) log.debug(line)
        log.error("y".repeat(5_000))
        return { pages: 1 }
      }
    })
    const id = await tenant.queue("talks")
    const sharing = Effect.gen(function* () {
      const { executions } = yield* EffectRunhook
      const shared = yield* Stream.share(executions.followLogs(id), { capacity: "unbounded" })
      return yield* Effect.all([Stream.runCollect(shared), Stream.runCollect(shared)], {
        concurrency: "unbounded"
      })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.provide(
          EffectRunhook.layer({ baseUrl: service.url, apiKey: Redacted.make(tenant.apiKey) }),
          FetchHttpClient.layer
        )
      )
    )
    const shared = Effect.runPromise(sharing)
    await runner.start()

    const all: Array<ExecutionLogLine> = []
    for await (const line of tenant.client.executions.followLogs(id)) {
      all.push(line)
      // The first comes while it works.
      read.come()
    }

    const [first] = all
    assert.deepInclude(first, { level: "info", message: "begun", attempt: 1 })
    assert.deepStrictEqual(
      all.map(({ message }) => message),
      ["begun", ...many, "y".repeat(4_096)]
    )
    assert.deepStrictEqual(
      all.map(({ sequence }) => sequence),
      all.map((_, index) => index + 1)
    )
    assert.deepStrictEqual(await shared, [all, all])
  })

  it("tells its author what a handler threw, where, and whether it is tried again", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    const cause = new TaskError("the shop is down", { retryable: true, delayMillis: 30_000 })
    cause.cause = new Error("no route to the shop")
    await using runner = tenant.runner({
      later: () => Promise.reject(cause),
      never: () => Promise.reject(new TypeError("no paper")),
      cancels: () => Promise.reject(new TaskCancelled("nobody is home"))
    })
    await runner.start()

    const later = await tenant.queue("later")
    const never = await tenant.queue("never")
    await tenant.outcome(await tenant.queue("cancels"))
    await until(() => runner.problems.length === 2)

    const kind = "attempt_failed"
    const [retried, ended] = runner.problems.toSorted((one, two) =>
      (one.task ?? "").localeCompare(two.task ?? "")
    )
    const message = "attempt 1 failed, again in 30 s: the shop is down"
    assert.deepStrictEqual(retried, { kind, message, execution_id: later, task: "later", attempt: 1, cause })
    assert.deepInclude(ended, { kind, message: "attempt 1 failed: no paper", execution_id: never })
    const line = runner.log.find(({ level, task }) => level === "error" && task === "later")
    assert.deepInclude(line, { message, execution_id: later })
    assert.deepInclude(line?.fields, { kind, attempt: 1 })
    assert.match(
      String(line?.fields?.["stack"]),
      /^TaskError: the shop is down\n +at .*Runner\.test\.ts[^]*\ncaused by: Error: no route to the shop\n +at /
    )
  })

  it("lets work be tried again when its error says so", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    await using runner = tenant.runner({
      print: ({ attempt }) => {
        if (attempt === 1) throw new TaskError("jammed", { retryable: true, delayMillis: 0 })
        return { pages: attempt }
      }
    })
    await runner.start()

    const { result } = await tenant.outcome(await tenant.queue("print"))

    assert.deepStrictEqual(result, { pages: 2 })
  })

  it("aborts the signal at once when its caller cancels, and still takes files", async () => {
    const tenant = await makeSdkTenant({ service })
    const begun = moment()
    const reasons: Array<unknown> = []
    await using runner = tenant.runner({
      print: async ({ artifacts, signal }) => {
        begun.come()
        await untilAborted(signal).catch((reason: unknown) => reasons.push(reason))
        await artifacts.screenshot(Buffer.from("picture"))
      }
    })
    await runner.start()
    const id = await tenant.queue("print")
    await begun.comes

    await tenant.client.executions.cancel(id, { reason: "changed my mind" })

    await until(async () => (await tenant.client.executions.artifacts(id)).screenshots.length === 1)
    const [reason] = reasons
    assert.instanceOf(reason, StoppedError)
    assert.deepStrictEqual([reason.kind, reason.message], ["cancelled", "changed my mind"])
    assert.strictEqual((await tenant.outcome(id)).status, "aborted")
    assert.isEmpty(runner.problems)
  })

  it.each([
    ["/nowhere/report.pdf", /^ENOENT: .*'\/nowhere\/report.pdf'$/],
    [import.meta.dirname, /runner is no file$/]
  ])("says which file it could not read: %s", async (path, words) => {
    const tenant = await makeSdkTenant({ service })
    await using runner = tenant.runner({ print: ({ artifacts }) => artifacts.print(path) })
    await runner.start()

    const { error_message } = await tenant.outcome(await tenant.queue("print"))

    assert.match(error_message ?? "", words)
  })

  it("delivers files from paths, bytes and streams, byte for byte", async () => {
    const tenant = await makeSdkTenant({ service })
    const path = import.meta.filename
    await using runner = tenant.runner({
      print: async ({ artifacts }) => {
        const saved = await artifacts.download(path)
        await artifacts.print(Readable.from([Buffer.from("node "), Buffer.from("stream")]))
        await artifacts.screenshot(new Blob(["web stream"]).stream(), { file_name: "page.png" })
        // Not waited for, and delivered all the same.
        void artifacts.video(Buffer.from("moving pictures"), {
          platform_id: "00000000-0000-7000-8000-000000000001",
          handler: "browser",
          started_offset_ms: 5
        })
        return { pages: 1, size: saved.size_bytes }
      }
    })
    await runner.start()

    const id = await tenant.queue("print")
    const { result } = await tenant.outcome(id)

    const { downloads, prints, screenshots, videos } = await tenant.client.executions.artifacts(id)
    assert.deepStrictEqual(
      [...downloads, ...prints, ...screenshots].map(({ content_type, file_name }) => [
        file_name,
        content_type
      ]),
      [
        ["Runner.test.ts", "application/octet-stream"],
        ["print.pdf", "application/pdf"],
        ["page.png", "image/png"]
      ]
    )
    const texts = await Promise.all(
      [...prints, ...screenshots].map(async (file) => (await tenant.client.files.download(file)).text())
    )
    assert.deepStrictEqual(texts, ["node stream", "web stream"])
    assert.deepStrictEqual([downloads[0]?.size_bytes, videos.length], [Number(result?.["size"]), 1])
  })
})
