/** A service is backed up while it works, killed, and restored elsewhere. */
import { createHash } from "node:crypto"
import { copyFile, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { globSync } from "node:fs"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { accessKeyId, s3Server, secretAccessKey } from "@runhook/test-support/s3/S3Server"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { failing } from "../Callbacks.ts"
import { demoOf } from "../Demo.ts"
import { durableDirectory } from "../DurableDirectory.ts"
import { bodyOf, request } from "../Http.ts"
import { runhook, runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { emptyPostgres, onDatabase, testPostgres } from "../TestPostgres.ts"
import { SqlClient } from "effect/sql/SqlClient"

const Executions = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

/** Settings of a trial in that folder. */
const trial = (dataDir: string, more: Environment = {}) => ({
  RUNHOOK_MODE: "development",
  RUNHOOK_DATA_DIR: dataDir,
  ...more
})

/** Brings what no backup has: `secrets.json`, and the key of the demo. */
const copySecrets = (from: string, to: string) =>
  Effect.forEach(globSync("*.json", { cwd: from }), (name) =>
    Effect.promise(() => copyFile(join(from, name), join(to, name)))
  )

const succeeded = Effect.fnUntraced(function* (args: ReadonlyArray<string>, settings: Environment) {
  const ended = yield* runhook(args, settings)
  assert.deepStrictEqual([ended.stderr.replaceAll(/^\{.*\n/gm, ""), ended.code], ["", 0])
  return ended.stdout
})

type Demo = ReturnType<typeof demoOf>

/** The bytes of the only file that the fetched page leaves. */
const fileOf = Effect.fnUntraced(function* ({ finished, headers }: Demo, baseUrl: string, id: string) {
  const { downloads, prints } = yield* finished(id)
  const { pathname, search } = new URL([...downloads, ...prints][0]?.url ?? "")
  const answer = yield* request(baseUrl + pathname + search, { headers, redirect: "follow" })
  const bytes = yield* Effect.promise(() => answer.arrayBuffer())
  return [answer.status, Buffer.from(bytes).toString("base64")]
})

describe("runhook backup and restore", () => {
  it.live(
    "bring back all that was acknowledged before, from a service that worked meanwhile and was killed",
    () =>
      Effect.gen(function* () {
        const settings = trial(yield* durableDirectory)
        const target = trial(yield* durableDirectory)
        const place = yield* temporaryDirectory
        const receiver = yield* failing(Infinity)
        const first = yield* runningServer(settings)
        const before = demoOf(first)
        const { execution_id: done } = yield* before.create()
        const file = yield* fileOf(before, first.baseUrl, done)
        yield* request(`${first.baseUrl}/api/v1/integrations/webhooks/test`, {
          method: "POST",
          headers: before.headers,
          body: JSON.stringify({ callback_url: receiver.url })
        })
        const [eventId] = yield* receiver.eventIds(1)
        const created = yield* Ref.make<ReadonlyArray<string>>([])
        const creating = before
          .create({ hold: true })
          .pipe(Effect.tap(({ execution_id }) => Ref.update(created, (ids) => [...ids, execution_id])))
        yield* Effect.replicateEffect(creating, 5)
        const load = yield* Effect.forkChild(Effect.forever(creating))

        const acknowledged = yield* Ref.get(created)
        const onItself = yield* runhook(["backup", "--to", settings.RUNHOOK_DATA_DIR], settings)
        yield* succeeded(["backup", "--to", place], settings)
        yield* Fiber.interrupt(load)
        first.signal("SIGKILL")
        yield* first.ended
        const sent = (yield* receiver.eventIds(1)).length
        yield* copySecrets(settings.RUNHOOK_DATA_DIR, target.RUNHOOK_DATA_DIR)
        yield* succeeded(["restore", "--from", place], target)
        const second = yield* runningServer(target)

        const after = demoOf(second)
        assert.strictEqual(onItself.code, 1)
        assert.match(
          onItself.stderr,
          /artifacts is where the service itself keeps its files: name another place/
        )
        assert.strictEqual(after.key, before.key)
        assert.include(second.log(), "This service was restored from its backup of ")
        const { data } = yield* Effect.flatMap(
          request(`${after.executions}?limit=200`, { headers: after.headers }),
          bodyOf(Executions)
        )
        const ids = data.map(({ id }) => id)
        assert.includeMembers(ids, [done, ...acknowledged])
        assert.isTrue(ids.length <= (yield* Ref.get(created)).length + 1)
        assert.deepStrictEqual(yield* fileOf(after, second.baseUrl, done), file)
        const [held] = acknowledged
        yield* request(`${after.executions}/${held}/release`, { method: "POST", headers: after.headers })
        assert.strictEqual((yield* after.finished(held ?? "")).status, "completed")
        assert.deepStrictEqual([...new Set(yield* receiver.eventIds(sent + 1))], [eventId])
      })
  )

  it.live(
    "refuse what cannot be restored whole, name the file that was changed, and go on when it is mended",
    () =>
      Effect.gen(function* () {
        const [old, fresh] = [yield* testPostgres, yield* emptyPostgres]
        const [dataDir, otherDir, place] = yield* Effect.all([
          temporaryDirectory,
          temporaryDirectory,
          temporaryDirectory
        ])
        const settings = trial(dataDir, { RUNHOOK_DATABASE_URL: old.url })
        const target = trial(otherDir, { RUNHOOK_DATABASE_URL: fresh.url })
        const service = yield* runningServer(settings)
        const demo = demoOf(service)
        yield* demo.finished((yield* demo.create()).execution_id)
        yield* succeeded(["backup", "--to", place], settings)
        const files = globSync("**/*", { cwd: place, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() ? [join(entry.parentPath, entry.name)] : []
        )
        const secrets = yield* Effect.promise(() => readFile(join(dataDir, "secrets.json"), "utf8"))
        const restore = runhook(["restore", "--from", place], target)
        const refusal = Effect.map(restore, ({ code, stderr }) => `${code} ${stderr}`)

        const wrongKey = yield* refusal
        const tables = yield* onDatabase(
          fresh.url,
          SqlClient.use((sql) => sql`SELECT FROM pg_tables WHERE schemaname = 'public'`)
        )
        assert.match(wrongKey, /^1 runhook: The secret key [0-9a-f]{16} of the backed-up service is missing,/)
        assert.lengthOf(tables, 0)
        yield* copySecrets(dataDir, otherDir)

        const part = (path: string) => files.find((file) => file.includes(path)) ?? path
        const changes = ["artifacts/", "/execution_requests.1.gz", "manifests/"].map(part)
        for (const path of changes) {
          const bytes = yield* Effect.promise(() => readFile(path))
          const changed = Buffer.from(bytes)
          changed[20] = (changed[20] ?? 0) ^ 1
          yield* Effect.promise(() => writeFile(path, changed))
          const words = yield* refusal
          yield* Effect.promise(() => writeFile(path, bytes))
          assert.include(words, path)
          assert.match(words, /^1 runhook: .* was changed: its bytes are not those of the backup\n$/)
        }
        const forged = part("manifests/")
        const signed = yield* Effect.promise(() => readFile(forged, "utf8"))
        const manifest = JSON.parse(signed)
        const backup = { ...manifest.backup, release: "9.9.9" }
        const sha256 = createHash("sha256").update(JSON.stringify(backup)).digest("hex")
        const forgeries: ReadonlyArray<readonly [string, string]> = [
          [forged, JSON.stringify({ ...manifest, sha256, backup })],
          [forged, JSON.stringify({ ...manifest, mac: { ...manifest.mac, secret_key_id: "0" } })],
          [forged, JSON.stringify({ sha256, backup })],
          [join(dirname(forged), "2999-01-01T00-00-00.000Z.json"), signed]
        ]
        for (const [path, text] of forgeries) {
          yield* Effect.promise(() => writeFile(path, text))
          const words = yield* refusal
          yield* path === forged
            ? Effect.promise(() => writeFile(forged, signed))
            : Effect.promise(() => rm(path))
          assert.match(words, /was changed: its bytes are not those of the backup|The secret key 0 of/)
        }
        assert.match(
          (yield* runhook(["migrate"], target)).stderr,
          /: a backup is being restored into it, or was not to the end: run `runhook restore` again/
        )

        yield* succeeded(["restore", "--from", place], target)
        assert.match(
          yield* refusal,
          /a service has worked with this database already: restore into an empty one/
        )

        const texts = yield* Effect.promise(() =>
          Promise.all(files.map(async (file) => [file, await readFile(file)] as const))
        )
        const all = texts
          .map(([file, bytes]) => String(file.endsWith(".gz") ? gunzipSync(bytes) : bytes))
          .join()
        const kept = [demo.key, ...(secrets.match(/[\w+/=-]{40,}/g) ?? [])]
        assert.deepStrictEqual([kept.length, kept.filter((secret) => all.includes(secret))], [3, []])

        yield* Effect.promise(() => rename(forged, `${forged}.unfinished`))
        assert.strictEqual(yield* refusal, `1 runhook: ${place} has no complete backup. Complete are: none\n`)
        assert.include(
          (yield* runhook(["backup", "--to", place], {
            ...settings,
            RUNHOOK_STORE: "memory",
            RUNHOOK_DATABASE_URL: ""
          })).stderr,
          "RUNHOOK_STORE=memory keeps nothing that could be backed up"
        )
      })
  )

  it.live("verify a backup by restoring it, and name the execution whose history is broken", () =>
    Effect.gen(function* () {
      const database = yield* testPostgres
      const [dataDir, place] = [yield* temporaryDirectory, yield* temporaryDirectory]
      const settings = trial(dataDir, { RUNHOOK_DATABASE_URL: database.url })
      const demo = demoOf(yield* runningServer(settings))
      const { execution_id: id } = yield* demo.create()
      yield* demo.finished(id)
      const verify = ["verify-backup", "--from", place]
      yield* succeeded(["backup", "--to", place], settings)

      const nowhere = join(dataDir, "nowhere")
      yield* Effect.promise(() => symlink(join(dataDir, "gone"), nowhere))
      const refused = yield* runhook(["backup", "--to", nowhere], settings)
      const { stderr: said, stdout: whole } = yield* runhook(verify, settings)
      const keyless = yield* runhook(verify, trial(yield* temporaryDirectory))
      const unsigned = yield* runhook(
        ["backup", "--to", place],
        trial(yield* temporaryDirectory, { RUNHOOK_DATABASE_URL: database.url })
      )
      yield* onDatabase(
        database.url,
        SqlClient.use((sql) => sql`DELETE FROM execution_events WHERE number = 2`)
      )
      yield* succeeded(["backup", "--to", place], settings)
      const broken = yield* runhook(verify, settings)
      const [file = ""] = globSync(join(place, "artifacts/???/*"))
      yield* Effect.promise(() => writeFile(file, "x".repeat(9)))
      const changed = yield* runhook(verify, settings)

      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /^runhook: .+: Could not make .+: .+ \(EEXIST\)$/m)
      assert.notInclude(refused.stderr, "fault of its own")
      assert.deepStrictEqual([said, whole.includes('"authentic": true')], ["", true])
      assert.deepStrictEqual(
        [
          keyless.code,
          keyless.stdout.includes('"authentic": false'),
          keyless.stderr.includes("Only digests")
        ],
        [0, true, true]
      )
      assert.strictEqual(unsigned.code, 1)
      assert.match(unsigned.stderr, /The secret key [0-9a-f]{16} of the backed-up service is missing/)
      assert.match(whole, /"files": 2,\s+"executions": 1,\s+"broken": \[\]/)
      assert.strictEqual(broken.code, 1)
      assert.include(broken.stdout, `${id}: events are numbered without a gap`)
      assert.strictEqual(changed.code, 1)
      assert.include(changed.stderr, file)
    })
  )

  it.live("keep everything in a bucket as well, where a second backup sends no file again", () =>
    Effect.gen(function* () {
      const server = yield* s3Server("files")
      const [old, fresh] = [yield* testPostgres, yield* emptyPostgres]
      const dataDir = yield* temporaryDirectory
      const store = {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey
      }
      const settings = trial(dataDir, { ...store, RUNHOOK_DATABASE_URL: old.url })
      const target = trial(dataDir, {
        ...store,
        RUNHOOK_DATABASE_URL: fresh.url,
        RUNHOOK_ARTIFACTS_URL: "s3://files/runs"
      })
      const first = yield* runningServer(settings)
      const demo = demoOf(first)
      const { execution_id: id } = yield* demo.create()
      const file = yield* fileOf(demo, first.baseUrl, id)

      yield* succeeded(["backup", "--to", "s3://files/backups"], settings)
      const again = yield* succeeded(["backup", "--to", "s3://files/backups"], settings)
      yield* succeeded(["restore", "--from", "s3://files/backups"], target)
      const second = yield* runningServer(target)

      assert.match(again, /"files": [1-9]\d*,[^]*"files_copied": 0,/)
      assert.deepStrictEqual(yield* fileOf(demoOf(second), second.baseUrl, id), file)
    })
  )
})
