/** What the settings mean together, and which of them keep the server from starting. */
import { join } from "node:path"
import type { AccessRule } from "@runhook/core/people/IdentityClaims"
import { rateOfAccount } from "@runhook/core/keys/RateLimit"
import { parse, strict } from "@runhook/core/shared/target/TargetPolicy"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Given, given as readGiven, worker as readWorker } from "../config.ts"
import { StartupProblems } from "../process/StartupProblems.ts"
import { artifactsDirOf, bucketOf } from "./ArtifactsKept.ts"
import { workersMax } from "./SettingText.ts"

/** Where everything is kept. */
export type StorePlace =
  | { readonly _tag: "Memory" }
  /** A PostgreSQL that the service starts itself. */
  | { readonly _tag: "Embedded"; readonly directory: string }
  /** A PostgreSQL that the operator runs. */
  | { readonly _tag: "Server"; readonly url: Redacted.Redacted }

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly rules: ReadonlyArray<AccessRule>
}

/** One of several workers. */
export interface WorkerPlace {
  readonly place: number
  /** Whether others answer while it starts. */
  readonly isJoining: boolean
}

/** Of a process: `worker` is null if it is alone, or the parent of several. */
export type ServerSettings = ReturnType<typeof settled> & { readonly worker: WorkerPlace | null }

/** The settings, if the server can start with them. */
export const serverSettings: Effect.Effect<ServerSettings, StartupProblems> = Effect.gen(function* () {
  const given = yield* readGiven
  const problems = rules.flatMap(([applies, problem]) => (applies(given) ? [problem] : []))
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new StartupProblems({ problems })
  const { isJoining, place } = yield* Effect.orDie(readWorker)
  const worker = Option.getOrNull(Option.map(place, (number) => ({ place: number, isJoining })))
  return { ...settled(given), worker }
})

/** What was given, and what follows from several settings. */
const settled = (given: Given) => ({
  ...given,
  store: storePlaceOf(given),
  hasDemo: hasDemo(given),
  provider: providerOf(given),
  callbackTargets: given.callbackAllow ?? (given.mode === "production" ? strict : loopback),
  retention: {
    executions: given.executionsKept,
    delivered: given.deliveredKept,
    dead: given.deadKept,
    audit: given.auditKept
  },
  rateLimits: {
    integration: given.rateLimit,
    runner: given.runnerRateLimit,
    admin: given.adminRateLimit
  },
  accountRateLimit: accountRateLimitOf(given),
  bucket: bucketOf(given),
  artifactsDir: artifactsDirOf(given),
  stopNotice: given.stopNotice ?? stopNoticeDefault(given)
})

/** Where the settings keep everything. */
export const storePlaceOf = ({ dataDir, databaseUrl, store }: Given): StorePlace => {
  if (store === "memory") return { _tag: "Memory" }
  if (databaseUrl !== undefined) return { _tag: "Server", url: databaseUrl }
  return { _tag: "Embedded", directory: join(dataDir, "postgres") }
}

const accountRateLimitOf = ({ accountRateLimit, rateLimit }: Given) =>
  accountRateLimit === undefined && rateLimit !== null ? rateOfAccount(rateLimit) : (accountRateLimit ?? null)

const loopback = Result.getOrThrow(parse("127.0.0.0/8,::1,localhost"))

/** In development there is no balancer, and nobody sends requests to a dispatcher. */
const stopNoticeDefault = ({ mode, roles }: Given): Duration.Duration =>
  Duration.seconds(mode === "production" && roles.includes("api") ? 5 : 0)

const hasDemo = ({ demo, mode, roles }: Given): boolean =>
  mode === "development" && demo !== "off" && roles.includes("api")

/** Whether several processes can work with what this service keeps. */
const isShared = ({ mode, store }: Given): boolean => mode === "production" && store === "postgres"

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
    ({ alertFrom, mailServer }) => mailServer !== undefined && alertFrom === undefined,
    "RUNHOOK_ALERT_FROM must be set for RUNHOOK_SMTP_URL: the address that alerts come from, such as alerts@example.com"
  ],
  [
    ({ alertFrom, mailServer }) => alertFrom !== undefined && mailServer === undefined,
    "RUNHOOK_SMTP_URL (or RUNHOOK_SMTP_URL_FILE) must be set for RUNHOOK_ALERT_FROM: the mail server that takes alerts"
  ],
  [
    ({ oidcAllow, oidcClientId, oidcClientSecret, oidcIssuer }) => {
      const provider = [oidcAllow, oidcClientId, oidcClientSecret, oidcIssuer]
      return provider.includes(undefined) && provider.some((each) => each !== undefined)
    },
    "RUNHOOK_OIDC_ISSUER, RUNHOOK_OIDC_CLIENT_ID, RUNHOOK_OIDC_CLIENT_SECRET and RUNHOOK_OIDC_ALLOW belong together: set all of them, or none"
  ],
  [
    (given) => given.mode === "production" && given.secretKey === undefined,
    "RUNHOOK_SECRET_KEY (or RUNHOOK_SECRET_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -base64 32 > secret.key), and set RUNHOOK_SECRET_KEY_FILE=secret.key"
  ],
  [
    (given) => given.mode === "production" && given.adminKey === undefined,
    "RUNHOOK_ADMIN_KEY (or RUNHOOK_ADMIN_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -hex 32 > admin.key), and set RUNHOOK_ADMIN_KEY_FILE=admin.key"
  ],
  [
    (given) => given.store === "memory" && given.databaseUrl !== undefined,
    "RUNHOOK_STORE=memory and RUNHOOK_DATABASE_URL are both set: unset one of them"
  ],
  [
    (given) => given.artifactsUrl !== undefined && bucketOf(given) === null,
    "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE) must be set for RUNHOOK_ARTIFACTS_URL"
  ],
  [
    (given) => new Set(given.roles).size < 2 && (given.store === "memory" || given.databaseUrl === undefined),
    "RUNHOOK_ROLES must be api,dispatcher unless RUNHOOK_DATABASE_URL is set: no other process can see what this one keeps"
  ],
  [
    (given) => given.workers > 1 && !isShared(given),
    "RUNHOOK_WORKERS must be 1 in development and with RUNHOOK_STORE=memory: no worker would see what another keeps; several need RUNHOOK_MODE=production and a database"
  ],
  [
    (given) => given.workers > workersMax && isShared(given) && given.databaseUrl === undefined,
    `RUNHOOK_WORKERS must be at most ${workersMax} unless RUNHOOK_DATABASE_URL is set: the service's own database has connections for so many`
  ],
  [
    (given) => given.mode === "production" && given.demo === "on",
    "RUNHOOK_DEMO=on is for RUNHOOK_MODE=development: production has no demo"
  ],
  [
    (given) => hasDemo(given) && !isLoopback(given.host),
    "RUNHOOK_HOST would show the demo account to the network: set it to 127.0.0.1, or set RUNHOOK_DEMO to off"
  ]
]
