/** How a connection is encrypted, and what it shows and demands, as its URL asks. */
import { readFile } from "node:fs/promises"
import { type ConnectionOptions, getCACertificates } from "node:tls"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { saslprep } from "@mongodb-js/saslprep"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { sqlStateOf } from "../database/Outages.ts"
import { type TlsRequest, tlsIn } from "./DatabaseUrl.ts"

/** A URL that asks for what cannot be had. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", { problem: Schema.String }) {
  override get message() {
    return this.problem
  }
}

/** The same options, with the encryption that the URL asks for, and a password as SCRAM wants it. */
export const secured = Effect.fnUntraced(function* <Options extends PgConnection.Config>(options: Options) {
  if (options.url === undefined) return options
  const url = Redacted.value(options.url)
  const asked = tlsIn(url)
  if (Result.isFailure(asked)) return yield* new UrlRefused({ problem: `the URL ${asked.failure}` })
  const password = options.password ?? passwordIn(url)
  const known = password === undefined ? options : { ...options, password }
  if (options.ssl !== undefined) return known
  const ssl = yield* tlsOptions(asked.success)
  return { ...known, ssl: asked.success.mode === "prefer" ? yield* offered({ ...known, ssl }) : ssl }
})

/** RFC 4013, which PostgreSQL applies where it can be applied, and leaves out where it cannot. */
const passwordIn = (url: string): Redacted.Redacted | undefined => {
  const { password = "", searchParams } = URL.parse(url) ?? {}
  const text = Result.getOrUndefined(
    Result.try(() => searchParams?.get("password") ?? decodeURIComponent(password))
  )
  if (text === undefined || text === "") return undefined
  return Redacted.make(
    Result.getOrElse(
      Result.try(() => saslprep(text)),
      () => text
    )
  )
}

const tlsOptions = Effect.fnUntraced(function* ({ client, mode, rootCert }: TlsRequest) {
  if (mode === "disable") return false
  const isTrusting = mode === "prefer" || (mode === "require" && rootCert === null)
  const options: ConnectionOptions = {
    rejectUnauthorized: !isTrusting,
    ...(client !== null && {
      cert: yield* contentOf("sslcert", client.cert),
      key: yield* contentOf("sslkey", client.key)
    }),
    ...(rootCert !== null && {
      ca: rootCert === "system" ? getCACertificates("system") : yield* contentOf("sslrootcert", rootCert)
    }),
    // With an authority, `require` is `verify-ca`: any name will do.
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined })
  }
  return options
})

const contentOf = (parameter: string, file: string) =>
  Effect.tryPromise({
    try: () => readFile(file),
    catch: (cause) =>
      new UrlRefused({
        problem: `${parameter} cannot be read: ${file} (${Object(cause).code})`
      })
  })

/** What the server lets in of the two that `prefer` allows: TLS, or else nothing. */
const offered = (options: PgConnection.Config & { readonly ssl: boolean | ConnectionOptions }) =>
  PgConnection.make(options).pipe(
    Effect.scoped,
    Effect.as(options.ssl),
    Effect.catchIf(isTlsRefused, () => Effect.succeed(false))
  )

/** By the server itself, or by its rules for who may connect how. */
const isTlsRefused = (error: SqlError): boolean =>
  error.message === "PgConnection: Server refused TLS" || sqlStateOf(error) === "28000"
