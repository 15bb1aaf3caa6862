/** `sslmode` and its companions, and passwords, at a real PostgreSQL that takes TLS. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { localhost, tlsServer } from "@runhook/test-support/postgres/TlsServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { sqlStateOf } from "../../src/database/Outages.ts"
import * as PgDatabase from "../../src/PgDatabase.ts"

type Server = Effect.Success<ReturnType<typeof tlsServer>>

/** The server, and files with authorities. */
class Tls extends Context.Service<Tls, Server & { readonly own: string; readonly other: string }>()(
  "@runhook/store-pg/test/Tls"
) {
  static readonly layer = Layer.effect(
    Tls,
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-tls-"))),
        (each) => Effect.promise(() => rm(each, { recursive: true, force: true, maxRetries: 10 }))
      )
      const server = yield* tlsServer(join(directory, "database"))
      const [own, other] = [join(directory, "own.crt"), join(directory, "other.crt")]
      yield* Effect.promise(() => writeFile(own, localhost.certificate))
      yield* Effect.promise(() => writeFile(other, Certificates.authority))
      return { ...server, own, other }
    })
  )
}

const on = <A, E>(url: string, work: Effect.Effect<A, E, SqlClient>) =>
  Effect.provide(work, PgDatabase.layerWithoutMigrations({ url: Redacted.make(url), maxConnections: 1 }), {
    local: true
  })

/** Whether the connection is encrypted, or why there is none. */
const outcomeOf = (url: string) =>
  on(
    url,
    SqlClient.use((sql) => sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)
  ).pipe(
    Effect.map(([row]) => (row?.["ssl"] === true ? "encrypted" : "plain")),
    Effect.catch((error) => Effect.succeed(error._tag === "SqlError" ? sqlStateOf(error) : error.message))
  )

/** The server shows another certificate: what comes of a URL from then on. */
const showing = Effect.fnUntraced(function* (certificate: string, url: string, before?: string) {
  const { identify } = yield* Tls
  yield* Effect.promise(() => identify({ certificate, privateKey: Certificates.privateKey }))
  return yield* Effect.repeat(outcomeOf(url), {
    schedule: Schedule.spaced("20 millis"),
    until: (outcome) => outcome !== before
  })
})

describe("the encryption of a connection", () => {
  it.layer(Tls.layer, { excludeTestServices: true })((it) => {
    it.effect("is what the URL asks for", () =>
      Effect.gen(function* () {
        const { other, own, urlBy } = yield* Tls
        const selfSigned = "DEPTH_ZERO_SELF_SIGNED_CERT"

        for (const [parameters, expected] of [
          ["", "plain"],
          ["sslmode=disable", "plain"],
          ["sslmode=prefer", "encrypted"],
          ["sslmode=require", "encrypted"],
          ["sslmode=verify-ca", selfSigned],
          ["sslmode=verify-full", selfSigned],
          ["sslrootcert=system", selfSigned],
          [`sslmode=require&sslrootcert=${own}`, "encrypted"],
          [`sslmode=verify-ca&sslrootcert=${own}`, "encrypted"],
          [`sslmode=verify-full&sslrootcert=${own}`, "encrypted"],
          [`sslmode=prefer&sslrootcert=${other}`, "encrypted"],
          [`sslmode=require&sslrootcert=${other}`, selfSigned],
          [`sslmode=verify-ca&sslrootcert=${other}`, selfSigned]
        ] as const) {
          assert.strictEqual(yield* outcomeOf(urlBy(parameters)), expected, parameters)
        }
        // The certificate names localhost alone.
        for (const [mode, expected] of [
          ["verify-ca", "encrypted"],
          ["verify-full", "ERR_TLS_CERT_ALTNAME_INVALID"]
        ] as const) {
          const url = urlBy(`sslmode=${mode}&sslrootcert=${own}`, "127.0.0.1")
          assert.strictEqual(yield* outcomeOf(url), expected, mode)
        }
      })
    )

    it.effect("is the same when the server starts, is checked and is backed up", () =>
      Effect.gen(function* () {
        const { own, urlBy } = yield* Tls
        const ssl = SqlClient.use(
          (sql) => sql`SELECT count(*)::int AS plain FROM pg_stat_ssl s
          JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'tls' AND NOT s.ssl`
        )
        const options = {
          url: Redacted.make(urlBy(`sslmode=verify-full&sslrootcert=${own}`)),
          applicationName: "tls",
          minConnections: 4
        }

        const [found] = yield* Effect.provide(ssl, PgDatabase.layer(options), { local: true })
        const described = yield* PgDatabase.checked(options)

        assert.deepStrictEqual(found, { plain: 0 })
        assert.match(described, /^PostgreSQL \d/)
      })
    )

    it.effect("says what is wrong with the files that it names", () =>
      Effect.gen(function* () {
        const { own, urlBy } = yield* Tls

        const missing = yield* outcomeOf(urlBy("sslmode=verify-ca&sslrootcert=/no/such.crt"))
        const clientless = yield* outcomeOf(urlBy(`sslmode=require&sslcert=${own}&sslkey=/no/such.key`))

        assert.strictEqual(missing, "sslrootcert cannot be read: /no/such.crt (ENOENT)")
        assert.strictEqual(clientless, "sslkey cannot be read: /no/such.key (ENOENT)")
      })
    )

    it.effect("takes a password as SCRAM does, whatever its letters", () =>
      Effect.gen(function* () {
        const { urlBy } = yield* Tls
        const passwords = ["p\u00a0ss", "\u2168", "ma\u00f1ana", "I\u00adX", "plain", "\u0007bell"]

        let url = urlBy("")
        for (const password of [...passwords, new URL(url).password]) {
          yield* on(
            url,
            SqlClient.use((sql) => sql.unsafe(`ALTER ROLE CURRENT_USER PASSWORD '${password}'`))
          )
          const next = new URL(url)
          next.password = encodeURIComponent(password)
          url = next.href

          assert.strictEqual(yield* outcomeOf(url), "plain", JSON.stringify(password))
        }
      })
    )

    it.effect("is refused for what is wrong with the certificate", () =>
      Effect.gen(function* () {
        const { other, urlBy } = yield* Tls
        const verified = urlBy(`sslmode=verify-ca&sslrootcert=${other}`)

        const known = yield* showing(Certificates.certificate, verified, "DEPTH_ZERO_SELF_SIGNED_CERT")
        const named = yield* outcomeOf(urlBy(`sslmode=verify-full&sslrootcert=${other}`))
        const unknown = yield* outcomeOf(urlBy("sslmode=verify-full"))
        const expired = yield* showing(Certificates.expiredCertificate, verified, "encrypted")

        assert.deepStrictEqual(
          [known, named, unknown, expired],
          ["encrypted", "ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_HAS_EXPIRED"]
        )
      })
    )
  })
})
