/** What the settings mean together, and which of them keep the server from starting. */
import type { AccessRule } from "@runhook/core/domain/console/IdentityClaims"
import type { DeliveryOrder } from "@runhook/core/domain/delivery/DeliveryOrder"
import { type RateLimit, rateOfAccount } from "@runhook/core/domain/keys/RateLimit"
import type { Retention } from "@runhook/core/domain/Retention"
import { parse, strict, type TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import type { KeyRing } from "@runhook/core/signing/KeyRing"
import type { RateLimits } from "@runhook/http/limits/RateLimits"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as LogLevel from "effect/LogLevel"
import * as Path from "effect/Path"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { given as readGiven, type Given } from "../config.ts"
import * as CaBundle from "../network/CaBundle.ts"
import { StartupProblems } from "../process/StartupProblems.ts"
import type { Role } from "./SettingText.ts"

/** Where everything is kept. */
export type StorePlace =
  | { readonly _tag: "Memory" }
  /** A PostgreSQL that the service starts itself. */
  | { readonly _tag: "Embedded"; readonly directory: string }
  /** A PostgreSQL that somebody else runs. */
  | { readonly _tag: "Server"; readonly url: Redacted.Redacted }

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly rules: ReadonlyArray<AccessRule>
}

export interface ServerSettings {
  readonly mode: "development" | "production"
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Null: made of the address that it listens on. */
  readonly baseUrl: string | null
  /** Absolute. */
  readonly dataDir: string
  readonly store: StorePlace
  /** How long the database may take to answer. */
  readonly databaseTimeout: Duration.Duration
  /** What this process does. */
  readonly roles: ReadonlyArray<Role>
  /** Null in development: made there. */
  readonly adminKey: Redacted.Redacted | null
  /** Null in development: made there. */
  readonly keyRing: KeyRing | null
  readonly hasDemo: boolean
  /** Where people sign in, and who is let in; null: only by links. */
  readonly provider: ProviderSettings | null
  /** The lowest level that is logged. */
  readonly logLevel: LogLevel.LogLevel
  readonly callbackTargets: TargetPolicy
  readonly deliveryLease: Duration.Duration
  readonly callbackOrder: DeliveryOrder
  /** How long callbacks are kept. */
  readonly retention: Retention
  readonly usageKept: Duration.Duration
  /** PEM certificates of authorities that are trusted besides the public ones. */
  readonly authorities: ReadonlyArray<string>
  /** Null: callbacks need none. */
  readonly egressProxy: Redacted.Redacted<URL> | null
  readonly rateLimits: RateLimits
  /** Of all integration keys of an account; null: no limit. */
  readonly accountRateLimit: RateLimit | null
  /** Proxies in front of the service. */
  readonly trustedProxies: number
  /** Absolute; where captured files are kept. */
  readonly artifactsDir: string
  /** Bytes of all captured files of an account; null for no limit. */
  readonly artifactsQuotaBytes: number | null
  /** Bytes of its volume that uploads leave free. */
  readonly artifactsFreeBytesMin: number
  readonly maxLive: number
  /** How long a process that was told to stop still takes requests. */
  readonly stopNotice: Duration.Duration
  /** For a page of a list. */
  readonly pageBytes: number
  readonly maxConnections: number
}

/** The settings, if the server can start with them. */
export const serverSettings: Effect.Effect<
  ServerSettings,
  StartupProblems,
  FileSystem.FileSystem | Path.Path
> = Effect.gen(function* () {
  const given = yield* readGiven
  const problems = [...refusals(given)]
  const authorities = yield* Effect.result(authoritiesOf(given))
  if (Result.isFailure(authorities)) problems.push(authorities.failure)
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new StartupProblems({ problems })
  return {
    mode: modeOf(given),
    host: given.host,
    port: given.port,
    baseUrl: given.baseUrl ?? null,
    dataDir: yield* dataDirOf(given),
    store: yield* storePlaceOf(given),
    databaseTimeout: databaseTimeoutOf(given),
    roles: given.roles,
    adminKey: given.adminKey ?? null,
    keyRing: given.secretKey ?? null,
    hasDemo: hasDemo(given),
    provider: providerOf(given),
    logLevel: levels[given.logLevel],
    callbackTargets: given.callbackAllow ?? (modeOf(given) === "development" ? loopback : strict),
    deliveryLease: Duration.seconds(given.deliveryLease),
    callbackOrder: given.callbackOrder,
    retention: {
      delivered: Duration.days(given.deliveredDays),
      dead: Duration.days(given.deadDays),
      audit: Duration.days(given.auditDays)
    },
    usageKept: Duration.days(given.usageDays),
    authorities: Result.getOrElse(authorities, () => []),
    egressProxy: given.egressProxy ?? null,
    rateLimits: {
      integration: rateOf(given.rateLimit),
      runner: rateOf(given.runnerRateLimit),
      admin: rateOf(given.adminRateLimit)
    },
    accountRateLimit: accountRateOf(given),
    trustedProxies: given.trustProxy,
    artifactsDir: yield* artifactsDirOf(given),
    artifactsQuotaBytes: given.artifactsQuota || null,
    artifactsFreeBytesMin: given.artifactsFreeSpace,
    maxLive: given.maxLive,
    stopNotice: Duration.seconds(given.stopNotice ?? stopNoticeDefault(given)),
    pageBytes: given.pageBytes,
    maxConnections: given.maxConnections
  }
})

/** How long the settings let the database take to answer. */
export const databaseTimeoutOf = (given: Given): Duration.Duration => Duration.seconds(given.databaseTimeout)

const accountRateOf = ({ accountRateLimit, rateLimit }: Given): RateLimit | null => {
  if (accountRateLimit !== undefined) return rateOf(accountRateLimit)
  return rateLimit === "off" ? null : rateOfAccount(rateLimit)
}

const rateOf = (given: RateLimit | "off"): RateLimit | null => (given === "off" ? null : given)

/** Absolute, so that messages say where it is. */
export const dataDirOf = (given: Given): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.resolve(given.dataDir))

const artifactsDirOf = Effect.fnUntraced(function* (given: Given) {
  const path = yield* Path.Path
  return path.resolve(given.artifactsDir ?? path.join(yield* dataDirOf(given), "artifacts"))
})

/** Where the settings keep everything. */
export const storePlaceOf = Effect.fnUntraced(function* (
  given: Given
): Effect.fn.Return<StorePlace, never, Path.Path> {
  if (given.store === "memory") return { _tag: "Memory" }
  if (given.databaseUrl !== undefined) return { _tag: "Server", url: given.databaseUrl }
  const path = yield* Path.Path
  return { _tag: "Embedded", directory: path.join(yield* dataDirOf(given), "postgres") }
})

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

const loopback = Result.getOrThrow(parse("127.0.0.0/8,::1,localhost"))

const modeOf = (given: Given) => given.mode ?? "production"
const isProduction = (given: Given): boolean => modeOf(given) === "production"
/** In development there is no balancer, and nobody sends requests to a dispatcher. */
const stopNoticeDefault = (given: Given): number =>
  isProduction(given) && given.roles.includes("api") ? 5 : 0
const hasDemo = (given: Given): boolean =>
  !isProduction(given) && given.demo !== "off" && given.roles.includes("api")

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host)

const providerOf = ({
  oidcAllow,
  oidcClientId,
  oidcClientSecret,
  oidcIssuer
}: Given): ProviderSettings | null =>
  oidcIssuer && oidcClientId && oidcClientSecret && oidcAllow
    ? { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret, rules: oidcAllow }
    : null

/** A rule that refuses some settings, and its message. */
type Refusal = readonly [applies: (given: Given) => boolean, problem: string]

const rules: ReadonlyArray<Refusal> = [
  [
    ({ oidcAllow, oidcClientId, oidcClientSecret, oidcIssuer }) => {
      const provider = [oidcAllow, oidcClientId, oidcClientSecret, oidcIssuer]
      return provider.includes(undefined) && provider.some((each) => each !== undefined)
    },
    "RUNHOOK_OIDC_ISSUER, RUNHOOK_OIDC_CLIENT_ID, RUNHOOK_OIDC_CLIENT_SECRET and RUNHOOK_OIDC_ALLOW belong together: set all of them, or none"
  ],
  [
    (given) => isProduction(given) && given.secretKey === undefined,
    "RUNHOOK_SECRET_KEY (or RUNHOOK_SECRET_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -base64 32 > secret.key), and set RUNHOOK_SECRET_KEY_FILE=secret.key"
  ],
  [
    (given) => isProduction(given) && given.adminKey === undefined,
    "RUNHOOK_ADMIN_KEY (or RUNHOOK_ADMIN_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -hex 32 > admin.key), and set RUNHOOK_ADMIN_KEY_FILE=admin.key"
  ],
  [
    (given) => given.store === "memory" && given.databaseUrl !== undefined,
    "RUNHOOK_STORE=memory and RUNHOOK_DATABASE_URL are both set: unset one of them"
  ],
  [
    (given) => given.artifacts?.startsWith("s3://") === true,
    "RUNHOOK_ARTIFACTS=s3://... is not available in this version: set it to disk, which keeps files under RUNHOOK_DATA_DIR"
  ],
  [
    (given) => new Set(given.roles).size < 2 && (given.store === "memory" || given.databaseUrl === undefined),
    "RUNHOOK_ROLES must be api,dispatcher unless RUNHOOK_DATABASE_URL is set: no other process can see what this one keeps"
  ],
  [
    (given) => isProduction(given) && given.demo === "on",
    "RUNHOOK_DEMO=on is for RUNHOOK_MODE=development: production has no demo"
  ],
  [
    (given) => hasDemo(given) && !isLoopback(given.host),
    "RUNHOOK_HOST would show the demo account to the network: set it to 127.0.0.1, or set RUNHOOK_DEMO to off"
  ]
]

const refusals = (given: Given): ReadonlyArray<string> =>
  rules.flatMap(([applies, problem]) => (applies(given) ? [problem] : []))

const authoritiesOf = ({
  caBundle
}: Given): Effect.Effect<ReadonlyArray<string>, string, FileSystem.FileSystem> =>
  caBundle === undefined ? Effect.succeed([]) : CaBundle.read(caBundle)
