import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { demoOf, typesOf } from "./Demo.ts"
import { eventually, request } from "./Http.ts"
import { developmentServer } from "./RunhookProcess.ts"
import { silentReceiver } from "./SilentReceiver.ts"

describe("a server in development mode", () => {
  it.live("runs what the banner says to paste, and shows its verified callbacks", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
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

  it.live("fetches a page of its own, keeps it and reports on it", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
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
      assert.include(report, "Status        200")
    })
  )

  it.live(
    "gives a status that is no success as a figure, and a page that may not be fetched as an error",
    () =>
      Effect.gen(function* () {
        const server = yield* developmentServer()
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

  it.live("keeps an unsigned callback apart from those it believes", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()

      const answer = yield* request(`${server.baseUrl}/demo/inbox`, { method: "POST", body: "{}" })

      assert.strictEqual(answer.status, 401)
      const items = yield* eventually(demoOf(server).inbox, ({ length }) => length > 0)
      assert.deepStrictEqual(
        items.map(({ problem, verified }) => [verified, problem]),
        [[false, "X-Webhook-Timestamp is missing or not a Unix time in seconds"]]
      )
    })
  )

  it.live("shows its pages to its own machine only, and lets them run nothing but their own script", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()

      const [welcome, inbox, docs] = yield* Effect.forEach(["/", "/demo/inbox", "/docs"], (path) =>
        request(server.baseUrl + path)
      )
      const stranger = yield* statusFor(server.baseUrl, "rebound.example")

      assert.deepStrictEqual([welcome?.status, inbox?.status, docs?.status], [200, 200, 200])
      assert.match(
        inbox?.headers.get("content-security-policy") ?? "",
        /script-src 'sha256-[^']+'; connect-src 'self'/
      )
      assert.match(welcome?.headers.get("content-security-policy") ?? "", /script-src 'none'/)
      assert.strictEqual(stranger, 404)
    })
  )

  it.live("says on its welcome page that a store in memory keeps nothing, and leaves no inbox behind", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
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

  it.live("shows no demo where it is turned off", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer({ RUNHOOK_DEMO: "off" })

      const statuses = yield* Effect.forEach(["/", "/demo/inbox", "/readyz"], (path) =>
        Effect.map(request(server.baseUrl + path), ({ status }) => status)
      )

      assert.deepStrictEqual(statuses, [404, 404, 200])
      assert.strictEqual(server.banner, "")
    })
  )

  it.live("drops the work of a cancelled execution within a second", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
      const receiver = yield* silentReceiver
      const demo = demoOf(server)
      const { execution_id: id } = yield* demo.create({ params: { url: receiver.url } })
      yield* receiver.called

      yield* request(`${demo.executions}/${id}/cancel`, { method: "POST", headers: demo.headers })

      yield* receiver.leftAlone.pipe(Effect.timeout("1 second"))
      assert.strictEqual((yield* demo.finished(id)).status, "aborted")
    })
  )
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

/** The status of the welcome page for who calls the server by another name. Fetch sets no Host, so bash does. */
const statusFor = (baseUrl: string, host: string) =>
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
        `${baseUrl}/`
      ])
    ),
    ({ stdout }) => Number(stdout)
  )
