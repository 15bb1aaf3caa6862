import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import * as Effect from "effect/Effect"
import { Created, demoOf, Detail, typesOf } from "./Demo.ts"
import { bodyOf, eventually, request } from "./Http.ts"
import { developmentServer, SharedServer } from "./RunhookProcess.ts"
import { silentServer } from "./SilentServer.ts"

/** A hanging machine uses up a twentieth of it. */
const secondAwake = () => Effect.repeat(Effect.sleep("50 millis"), { times: 19 })

describe("a server in development mode", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("runs what the banner says to paste, and shows its verified callbacks", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer
        const demo = demoOf(server)
        const [curl = ""] = /^curl [^]*?\}'$/m.exec(server.banner) ?? []

        const { stdout } = yield* Effect.promise(() => promisify(execFile)("bash", ["-c", curl]))

        const { execution_id: id } = JSON.parse(stdout)
        const callbacks = yield* demo.callbacks(id, 3)
        assert.deepStrictEqual(typesOf(callbacks), [
          "execution.queued",
          "execution.started",
          "execution.completed"
        ])
        assert.isTrue(callbacks.every(({ problem, verified }) => verified && problem === null))
      })
    )

    it.effect("fetches a page of its own, keeps it and reports on it", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer
        const demo = demoOf(server)

        const { execution_id: id } = yield* demo.create()
        const { downloads, prints, result, status } = yield* demo.finished(id)

        const page = yield* Effect.flatMap(request(`${server.baseUrl}/demo/page`), (answer) =>
          Effect.promise(() => answer.text())
        )
        assert.strictEqual(status, "completed")
        assert.strictEqual(result?.["status"], 200)
        assert.strictEqual(result?.["title"], "A page worth fetching")
        assert.strictEqual(result?.["sha256"], createHash("sha256").update(page).digest("hex"))
        const [kept, report] = yield* Effect.all([download(downloads[0], demo), download(prints[0], demo)])
        assert.strictEqual(kept, page)
        assert.include(report, "A page worth fetching")
        assert.include(report, "status        200")
      })
    )

    it.effect(
      "gives a status that is no success as a figure, and a page that may not be fetched as an error",
      () =>
        Effect.gen(function* () {
          const server = yield* SharedServer
          const demo = demoOf(server)

          const missing = yield* demo.create({ params: { url: `${server.baseUrl}/nowhere` } })
          const forbidden = yield* demo.create({ params: { url: "http://10.0.0.1/" } })

          const answered = yield* demo.finished(missing.execution_id)
          assert.deepStrictEqual([answered.status, answered.result?.["status"]], ["completed", 404])
          const refused = yield* demo.finished(forbidden.execution_id)
          assert.strictEqual(refused.status, "error")
          assert.include(refused.error_message ?? "", "may not be fetched")
          assert.deepStrictEqual(typesOf(yield* demo.callbacks(forbidden.execution_id, 3)), [
            "execution.queued",
            "execution.started",
            "execution.failed"
          ])
        })
    )

    it.effect("keeps an unsigned callback apart from those it believes", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer

        const answer = yield* request(`${server.baseUrl}/demo/inbox`, { method: "POST", body: "{}" })

        assert.strictEqual(answer.status, 401)
        const strange = Effect.map(demoOf(server).inbox, (items) => items.filter(({ verified }) => !verified))
        assert.deepStrictEqual(
          (yield* eventually(strange, ({ length }) => length > 0)).map(({ problem, verified }) => [
            verified,
            problem
          ]),
          [[false, "X-Webhook-Timestamp is missing or not a Unix time in seconds"]]
        )
      })
    )

    it.effect("shows its pages to its own machine only, and lets them run nothing but their own script", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer

        const [welcome, inbox, docs] = yield* Effect.forEach(["/", "/demo/inbox", "/docs"], (path) =>
          request(server.baseUrl + path)
        )
        const stranger = yield* statusFor(server.baseUrl, "rebound.example")

        assert.deepStrictEqual([welcome?.status, inbox?.status, docs?.status], [200, 200, 200])
        for (const page of [welcome, inbox]) {
          assert.match(
            page?.headers.get("content-security-policy") ?? "",
            /script-src 'self' 'sha256-[^']+'; img-src 'self'; connect-src 'self'/
          )
        }
        assert.strictEqual(stranger, 404)
      })
    )

    it.effect(
      "says on its welcome page that a store in memory keeps nothing, and leaves no inbox behind",
      () =>
        Effect.gen(function* () {
          const server = yield* SharedServer
          const demo = demoOf(server)
          const { execution_id: id } = yield* demo.create()
          yield* demo.callbacks(id, 3)

          const [welcome, files] = yield* Effect.all([
            demo.welcome,
            Effect.promise(() => readdir(server.dataDir))
          ])

          assert.include(welcome, "Nothing is kept: keys, executions and deliveries are in memory")
          assert.notInclude(files, "inbox.json")
        })
    )

    it.effect("runs its demo for its own pages alone, and shows what came of it as text", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer
        const run = (headers: Record<string, string>) =>
          request(`${server.baseUrl}/demo/run`, { method: "POST", headers })

        const refused = yield* Effect.forEach(
          [{}, { origin: "http://evil.example" }, { origin: "null" }, { origin: "http://127.0.0.1:1" }],
          run
        )
        const queued = yield* run({ origin: server.baseUrl })

        assert.deepStrictEqual(
          refused.map(({ status }) => status),
          [403, 403, 403, 403]
        )
        const { execution_id: id } = yield* bodyOf(Created)(queued)
        const detail = yield* eventually(
          Effect.flatMap(request(`${server.baseUrl}/demo/run/${id}`), bodyOf(Detail)),
          ({ status }) => isTerminal(status)
        )
        const page = yield* request(
          `${server.baseUrl}${detail.downloads[0]?.url.replace(/.*executions/, "/demo/run")}`
        )
        assert.deepStrictEqual([queued.status, detail.status, page.status], [201, "completed", 200])
        assert.strictEqual(page.headers.get("content-type"), "text/plain; charset=utf-8")
        assert.include(page.headers.get("content-security-policy") ?? "", "sandbox")
        const missing = yield* request(`${server.baseUrl}/demo/run/${id}/files/${id}`)
        assert.strictEqual(missing.status, 404)
        assert.strictEqual(yield* statusFor(server.baseUrl, "rebound.example", `/demo/run/${id}`), 404)
      })
    )

    it.effect("shows no demo where it is turned off", () =>
      Effect.gen(function* () {
        const server = yield* developmentServer({ RUNHOOK_DEMO: "off" })

        const statuses = yield* Effect.forEach(["/", "/demo/inbox", "/readyz"], (path) =>
          Effect.map(request(server.baseUrl + path), ({ status }) => status)
        )

        assert.deepStrictEqual(statuses, [302, 404, 200])
        assert.strictEqual(server.banner, "")
      })
    )

    it.effect("drops the work of a cancelled execution within a second", () =>
      Effect.gen(function* () {
        const server = yield* SharedServer
        const receiver = yield* silentServer
        const demo = demoOf(server)
        const { execution_id: id } = yield* demo.create({ params: { url: receiver.url } })
        yield* receiver.called

        yield* request(`${demo.executions}/${id}/cancel`, { method: "POST", headers: demo.headers })

        yield* Effect.raceFirst(receiver.leftAlone, Effect.andThen(secondAwake(), Effect.die("It goes on")))
        assert.strictEqual((yield* demo.finished(id)).status, "aborted")
      })
    )
  })
})

/** The text of a file, by the redirect that callers follow. */
const download = Effect.fnUntraced(function* (
  file: { readonly url: string } | undefined,
  { headers }: ReturnType<typeof demoOf>
) {
  const redirect = yield* request(file?.url ?? "", { headers })
  assert.strictEqual(redirect.status, 302)
  const answer = yield* request(redirect.headers.get("location") ?? "")
  return yield* Effect.promise(() => answer.text())
})

/** The status of a page for who calls the server by another name. Fetch sets no Host, so bash does. */
const statusFor = (baseUrl: string, host: string, path = "/") =>
  Effect.map(
    Effect.promise(() =>
      promisify(execFile)("curl", [
        "-s",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "-H",
        `Host: ${host}`,
        baseUrl + path
      ])
    ),
    ({ stdout }) => Number(stdout)
  )
