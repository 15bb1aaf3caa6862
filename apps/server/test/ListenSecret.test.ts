import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { verifyWebhook } from "@runhook/sdk/webhooks"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { givenSecret } from "../src/commands/ListenSecret.ts"
import { callbacks } from "./Callbacks.ts"
import { decoded, execute, inDemo, listeningIn, makeKey } from "./ListenCommand.ts"
import { runhook, SharedServer, temporaryDirectory } from "./RunhookProcess.ts"

const decodeFirst = decoded(
  Schema.Struct({ endpoint_id: Schema.String, signing_secret: Schema.NullOr(Schema.String) })
)

const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

/** Listens for a moment, and answers with the secret that it shows. */
const secretShown = Effect.fnUntraced(function* (environment: Environment, ...args: ReadonlyArray<string>) {
  const { output } = yield* listeningIn(environment, ...args)
  const { signing_secret } = yield* decodeFirst(output.stdout)
  return { signing_secret, stderr: output.stderr }
}, Effect.scoped)

/** A new key, and a data directory of its own. */
const makeMachine = Effect.gen(function* () {
  const dataDir = yield* temporaryDirectory
  return { dataDir, environment: { RUNHOOK_API_KEY: yield* makeKey, RUNHOOK_DATA_DIR: dataDir } }
})

/** The only file in the directory. */
const fileIn = (folder: string) =>
  Effect.promise(async () => {
    const names = await readdir(folder)
    assert.lengthOf(names, 1)
    return join(folder, names[0] ?? "")
  })

describe("the secret of runhook listen", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect("is the same at every start, for each key and account, and only its owner can read it", () =>
      Effect.gen(function* () {
        const { settings } = yield* SharedServer
        const { dataDir, environment } = yield* makeMachine
        const ofAnotherKey = { ...environment, RUNHOOK_API_KEY: yield* makeKey }
        const { RUNHOOK_DATA_DIR } = settings
        const ofAccount = { RUNHOOK_DATA_DIR }

        const first = yield* secretShown(environment)
        const file = yield* fileIn(dataDir)
        const second = yield* secretShown(environment, "--event", "execution.completed")
        const another = yield* secretShown(ofAnotherKey)
        const account = yield* secretShown(ofAccount, ...inDemo)

        assert.strictEqual(second.signing_secret, first.signing_secret)
        assert.strictEqual((yield* secretShown(ofAccount, ...inDemo)).signing_secret, account.signing_secret)
        assert.strictEqual(
          new Set([first, another, account].map(({ signing_secret }) => signing_secret)).size,
          3
        )
        const { mode } = yield* Effect.promise(() => stat(file))
        assert.strictEqual(mode & 0o777, 0o600)
      })
    )

    it.effect("signs what a receiver gets that knows it from an earlier start", () =>
      Effect.gen(function* () {
        const { environment } = yield* makeMachine
        const receiver = yield* callbacks(() => 204)
        const { signing_secret } = yield* secretShown(environment)
        yield* listeningIn(environment, "--forward", receiver.url, "--event", "execution.queued")

        yield* receiver.arrived(yield* execute, "queued")

        const [{ body, headers } = assert.fail()] = receiver.all
        const event = yield* Effect.promise(() =>
          verifyWebhook({ body, headers, secrets: signing_secret ?? "" })
        )
        assert.strictEqual(event.type, "execution.queued")
      })
    )

    it.effect("is that of the first when two start at once", () =>
      Effect.gen(function* () {
        const { dataDir, environment } = yield* makeMachine

        const both = yield* Effect.all([secretShown(environment), secretShown(environment)], {
          concurrency: "unbounded"
        })

        const file = yield* fileIn(dataDir)
        const kept = JSON.parse(yield* Effect.promise(() => readFile(file, "utf8")))
        assert.deepStrictEqual(
          both.map(({ signing_secret }) => signing_secret),
          [kept.signing_secret, kept.signing_secret]
        )
      })
    )

    it.effect("is that of --secret, also with blanks around it, which is neither shown nor kept", () =>
      Effect.gen(function* () {
        const { dataDir, environment } = yield* makeMachine
        const receiver = yield* callbacks(() => 204)
        const given = [`--secret= ${secret}\n`, "--forward", receiver.url, "--event", "execution.queued"]
        const { output } = yield* listeningIn(environment, "--no-json", ...given)
        yield* receiver.arrived(yield* execute, "queued")

        const forProgram = yield* secretShown(environment, ...given)

        const [{ body, headers } = assert.fail()] = receiver.all
        const event = yield* Effect.promise(() => verifyWebhook({ body, headers, secrets: secret }))
        assert.strictEqual(event.type, "execution.queued")
        assert.match(
          output.stdout,
          /^Passing events on to \S+, until Ctrl-C. They are signed with the secret of --secret\n/
        )
        assert.notInclude(output.stdout, "whsec_")
        assert.isNull(forProgram.signing_secret)
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(dataDir)), [])
      })
    )

    it.effect("is refused in another form, and not quoted", () =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* runhook(["listen", "--secret", secret.slice(6)], {})

        assert.deepStrictEqual(
          [code, stderr, stdout],
          [
            2,
            'runhook: --secret is wrong: A signing secret is "whsec_" followed by the base64 of 32 bytes\n',
            ""
          ]
        )
        for (const text of ["", "whsec_", "whsec_c2hvcnQ=", `${secret},${secret}`, `"${secret}"`])
          assert.isTrue(Result.isFailure(givenSecret(text)), text)
      })
    )

    it.effect("is not replaced where its file cannot be used", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const { dataDir, environment } = yield* makeMachine
        yield* secretShown(environment)
        const file = yield* fileIn(dataDir)
        const listen = Effect.map(
          runhook(["listen"], { ...environment, RUNHOOK_BASE_URL: baseUrl }),
          ({ code, stderr }) => [code, stderr.replace(file, "<file>")]
        )
        const broken = yield* Effect.forEach(["", '{"signing_secret": "whsec_"}'], (text) =>
          Effect.andThen(
            Effect.promise(() => writeFile(file, text)),
            listen
          )
        )
        const folder = join(yield* temporaryDirectory, "data")
        yield* Effect.promise(() => mkdir(join(folder, file.slice(dataDir.length)), { recursive: true }))

        const unreadable = yield* runhook(["listen"], {
          ...environment,
          RUNHOOK_BASE_URL: baseUrl,
          RUNHOOK_DATA_DIR: folder
        })

        assert.deepStrictEqual(
          broken,
          Array.from({ length: 2 }, () => [
            1,
            "runhook: <file> holds no signing secret: remove it to get a new one, or name a secret with --secret\n"
          ])
        )
        assert.match(
          unreadable.stderr,
          /^runhook: \S.+\.json cannot be read: it is a folder and not a file \(EISDIR\); make it readable, or name a secret with --secret\n$/
        )
      })
    )

    it.effect("is used with a warning where others can read it, and where it cannot be kept", () =>
      Effect.gen(function* () {
        const { dataDir, environment } = yield* makeMachine
        const { signing_secret } = yield* secretShown(environment)
        const file = yield* fileIn(dataDir)
        yield* Effect.promise(() => chmod(file, 0o644))

        const open = yield* secretShown(environment)
        const unkept = yield* secretShown({ ...environment, RUNHOOK_DATA_DIR: "/proc/x" })

        assert.deepStrictEqual(open, {
          signing_secret,
          stderr: `Others on this machine can read the signing secret in ${file}: chmod 600 that file\n`
        })
        assert.match(unkept.signing_secret ?? "", /^whsec_/)
        assert.strictEqual(
          unkept.stderr,
          "RUNHOOK_DATA_DIR cannot be written: /proc/x: it cannot be made there (ENOENT); set it to a directory of this user. Until then, each start signs with another secret\n"
        )
      })
    )
  })
})
