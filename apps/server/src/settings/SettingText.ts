/** Parsers of settings: each gives the value that the service works with. A text that breaks its rule is never quoted: it may be a secret. */
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import type { Bucket, Encryption } from "@runhook/artifacts/s3/Bucket"
import { AccessRule, isAddress } from "@runhook/core/people/IdentityClaims"
import { RateLimit } from "@runhook/core/keys/RateLimit"
import { parse as parseTargets, type TargetPolicy } from "@runhook/core/shared/target/TargetPolicy"
import { type KeyRing, parse as parseKeyRing } from "@runhook/core/signing/KeyRing"
import { tlsIn } from "@runhook/store-pg/connections/DatabaseUrl"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The value of a text that is not empty, or the broken rule: `must be ...`. */
export type Parse<A> = (text: string) => Result.Result<A, string>

/** The shortest admin key, in characters. */
export const adminKeyLengthMin = 32

const matching =
  <A>(codec: Schema.Codec<A, string>, rule: string): Parse<A> =>
  (text) =>
    Result.mapError(Schema.decodeResult(codec)(text), () => rule)

export const oneOf = <const Words extends ReadonlyArray<string>>(...words: Words): Parse<Words[number]> =>
  matching(Schema.Literals(words), `must be ${words.join(" or ")}`)

export const wholeNumber = (minimum: number, maximum: number): Parse<number> =>
  matching(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })),
    `must be a whole number from ${minimum} to ${maximum}`
  )

/** Kubernetes sets `RUNHOOK_PORT` to an address, in pods beside a Service called `runhook`. */
export const port: Parse<number> = (text) =>
  text.startsWith("tcp://")
    ? Result.fail(
        "is an address, as Kubernetes sets it for a Service called runhook: set enableServiceLinks: false in the pod, or the port itself"
      )
    : wholeNumber(0, 65_535)(text)

export const share: Parse<number> = matching(
  Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  "must be a number from 0 to 1"
)

/**
 * The hundred connections of a usual PostgreSQL are enough for this many workers, and for one that replaces another.
 */
export const workersMax = 5

export const workers: Parse<number> = (text) =>
  text === "auto"
    ? Result.succeed(Math.min(availableParallelism(), workersMax))
    : Result.mapError(wholeNumber(1, 64)(text), (rule) => `${rule}, or auto`)

const lengthOfTime =
  (of: (count: number) => Duration.Duration) =>
  (minimum: number, maximum: number): Parse<Duration.Duration> =>
  (text) =>
    Result.map(wholeNumber(minimum, maximum)(text), of)

export const seconds = lengthOfTime(Duration.seconds)
export const days = lengthOfTime(Duration.days)

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export const logLevel: Parse<(typeof levels)[keyof typeof levels]> = (text) =>
  Result.map(oneOf("debug", "info", "warn", "error", "none")(text), (level) => levels[level])

/** Absolute, so that messages say where it is. */
export const folder: Parse<string> = (text) => Result.succeed(resolve(text))

export const textLike = (pattern: RegExp, rule: string): Parse<string> =>
  matching(Schema.String.check(Schema.isPattern(pattern)), rule)

export const anyText: Parse<string> = Result.succeed

export const secret: Parse<Redacted.Redacted> = (text) => Result.succeed(Redacted.make(text))

/** The trap of URLs with passwords. */
export const escaping = "write the # / ? and % of a password as %23 %2F %3F and %25"

/** The driver says what is wrong with the rest of it; its message contains no password. */
export const databaseUrl: Parse<Redacted.Redacted> = (text) =>
  /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "")
    ? Result.flatMap(tlsIn(text), () => secret(text))
    : Result.fail(`must be like postgres://user:password@host/database: ${escaping}`)

const adminKeyPattern = new RegExp(`^[\\x21-\\x7E]{${adminKeyLengthMin},}$`)

export const adminKey: Parse<Redacted.Redacted> = (text) =>
  adminKeyPattern.test(text)
    ? secret(text)
    : Result.fail(
        `must be at least ${adminKeyLengthMin} characters without spaces; make one with: openssl rand -hex 32`
      )

export const httpUrl: Parse<string> = (text) => {
  const url = URL.parse(text)
  if (url === null || !["http:", "https:"].includes(url.protocol)) return notHttpUrl
  const hasMore = [url.search, url.hash, url.username, url.password].some((part) => part !== "")
  return hasMore ? notHttpUrl : Result.succeed(url.href.replace(/\/+$/, ""))
}

const notHttpUrl = Result.fail("must be an http or https URL such as https://runhook.example.com")

/** Cookies, policies and links of pages name its path, and clients add the paths of the API to it. */
export const baseUrl: Parse<string> = (text) =>
  Result.filterOrFail(
    httpUrl(text),
    (url) => /^(?!.*\/api\/v1\b)(?:\/[\w.~-]+)*\/?$/.test(new URL(url).pathname),
    () => "may have a path like /runhook: of letters, digits, -, ., _ and ~, without /api/v1"
  )

/** An origin, with optional credentials. */
export const proxyUrl: Parse<Redacted.Redacted<URL>> = (text) => {
  const url = URL.parse(text)
  const isProxy =
    url?.protocol === "http:" &&
    url.pathname + url.search + url.hash === "/" &&
    Result.isSuccess(Result.try(() => decodeURIComponent(url.username + url.password)))
  return isProxy ? Result.succeed(Redacted.make(url)) : notProxyUrl
}

const notProxyUrl = Result.fail(
  "must be like http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128"
)

const Role = Schema.Literals(["api", "dispatcher"])
export type Role = typeof Role.Type

export const roles: Parse<ReadonlyArray<Role>> = (text) =>
  Result.mapError(
    Result.all(text.split(",").map((role) => Schema.decodeUnknownResult(Role)(role.trim()))),
    () => "must name api, dispatcher or both, separated by a comma"
  )

/** A rate; null for `off`. */
export const rateLimit: Parse<RateLimit | null> = (text) => {
  if (text === "off") return Result.succeed(null)
  const [, perSecond, burst] = /^(\d+)\/s burst (\d+)$/.exec(text) ?? []
  return Result.mapError(
    Schema.decodeUnknownResult(RateLimit)({ perSecond: Number(perSecond), burst: Number(burst) }),
    () => 'must be off, or like "20/s burst 200", of at most 100000 a second and a burst of 1000000'
  )
}

/** Bytes, such as `10GiB`; null for `off`. */
export const byteSize: Parse<number | null> = (text) => {
  if (text === "off") return Result.succeed(null)
  const [, count, unit = ""] = /^([1-9]\d{0,5})(MiB|GiB|TiB)$/.exec(text) ?? []
  return count === undefined
    ? Result.fail("must be off, or a whole number of MiB, GiB or TiB such as 10GiB")
    : Result.succeed(Number(count) * 1024 ** (2 + ["MiB", "GiB", "TiB"].indexOf(unit)))
}

/** A bucket, and what stands before the keys in it. */
export const bucketUrl: Parse<Pick<Bucket, "name" | "prefix">> = (text) => {
  const [, name, prefix = ""] =
    /^s3:\/\/([0-9a-z][0-9a-z.-]{1,61}[0-9a-z])((?:\/[\w-][\w.-]*)*)\/?$/.exec(text) ?? []
  return name === undefined || prefix.length > 512
    ? Result.fail("must be like s3://bucket/prefix, in letters, digits, dots, dashes and underscores")
    : Result.succeed({ name, prefix: prefix.slice(1) })
}

export const encryption: Parse<Encryption> = (text) => {
  if (text === "AES256") return Result.succeed(text)
  const [, kmsKeyId] = /^aws:kms(?::([\x21-\x7E]{1,2048}))?$/.exec(text) ?? [null, null]
  return kmsKeyId === null
    ? Result.fail("must be AES256, aws:kms or aws:kms:<key id>")
    : Result.succeed({ kmsKeyId: kmsKeyId ?? null })
}

/** Scheme, host and port of a URL. */
export const origin: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isOrigin = /^https?:$/.test(url?.protocol ?? "") && url?.href === `${url?.origin}/`
  return isOrigin
    ? Result.succeed(url.origin)
    : Result.fail("must be like https://minio.example.com:9000, without a path")
}

export const keyRing: Parse<KeyRing> = (text) =>
  Result.mapError(parseKeyRing(text.trim()), ({ message }) => `is wrong: ${message}`)

export const targets: Parse<TargetPolicy> = (text) =>
  Result.mapError(parseTargets(text), ({ message }) => `is wrong: ${message}`)

/** An issuer as OpenID Connect defines it. Without TLS only on this machine. */
export const issuerUrl: Parse<string> = (text) => {
  const url = URL.parse(text)
  const isSafe =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
  return isSafe && url.search + url.hash + url.username + url.password === ""
    ? Result.succeed(text)
    : Result.fail("must be an https URL such as https://login.example.com, as the provider calls itself")
}

const decodeRule = Schema.decodeUnknownResult(AccessRule)

/** Who gets which role in which account: `example.com=<account>:viewer, group:ops=<account>:admin`. */
export const accessRules: Parse<ReadonlyArray<AccessRule>> = (text) =>
  Result.mapError(
    Result.all(
      text.split(",").map((rule) => {
        const [, who = "", accountId = "", role = ""] = /^\s*(.+)=([^=:]+):([a-z]+)\s*$/.exec(rule) ?? []
        return decodeRule({ who: whoOf(who), accountId, role })
      })
    ),
    () =>
      "must be like example.com=<account id>:viewer,ada@example.com=<account id>:admin,group:ops=<account id>:admin"
  )

const whoOf = (who: string): unknown => {
  if (who.startsWith("group:")) return { _tag: "Group", group: who.slice("group:".length) }
  if (isAddress(who)) return { _tag: "Address", address: who }
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(who) ? { _tag: "Domain", domain: who } : null
}
