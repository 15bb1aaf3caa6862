/**
 * What the URL of a database says about encryption, by libpq's names and with their meaning. Nothing in it is
 * ignored: what has no meaning here is refused by its name.
 */
import * as Result from "effect/Result"

export const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const

export interface TlsRequest {
  readonly mode: (typeof tlsModes)[number]
  /** A file with the authorities that are trusted, or `system`; null for those that Node trusts. */
  readonly rootCert: string | null
  /** Files with the certificate of this client and its key. */
  readonly client: { readonly cert: string; readonly key: string } | null
}

/** The parameters of encryption, which may come from the environment as well. */
export const tlsParameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const

const known: ReadonlyArray<string> = [
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "application_name",
  "options",
  "connect_timeout",
  ...tlsParameters
]

const isMode = (text: string): text is TlsRequest["mode"] => tlsModes.some((mode) => mode === text)

/** What a URL asks for, or the rule that it breaks. A rule quotes no value: the URL holds a password. */
export const tlsIn = (text: string): Result.Result<TlsRequest, string> => {
  const url = URL.parse(text)
  const parameters = url?.searchParams ?? new URLSearchParams()
  const unknown = [...parameters.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) {
    // What follows the ? of an unescaped password is none.
    const name = /^[a-z_]+$/i.test(unknown) ? `: ${unknown}` : ""
    return Result.fail(`has a parameter that has no meaning here${name}. It may have ${known.join(", ")}`)
  }
  const [given, rootCert, cert, key] = tlsParameters.map((name) => parameters.get(name))
  const isOfSystem = rootCert === "system"
  const mode = given ?? (isOfSystem ? "verify-full" : "disable")
  if (!isMode(mode)) return Result.fail(`must have an sslmode of ${tlsModes.join(", ")}`)
  if (isOfSystem && mode !== "verify-full")
    return Result.fail("must have sslmode=verify-full for sslrootcert=system")
  if (Boolean(cert) !== Boolean(key)) return Result.fail("must have sslcert and sslkey, or neither")
  if (mode === "disable" && !given && (rootCert || cert))
    return Result.fail("must have an sslmode for its certificates, such as sslmode=verify-full")
  // A socket of this machine is not encrypted, whatever the mode, as with libpq.
  const isSocket = decodeURIComponent(parameters.get("host") ?? url?.hostname ?? "").startsWith("/")
  return Result.succeed({
    mode: isSocket ? "disable" : mode,
    rootCert: rootCert || null,
    client: cert && key ? { cert, key } : null
  })
}
