/** What the settings mean together, and which of them keep the server from starting. */
import type { RateLimit } from "@runhook/core/domain/ApiKeyRecord"
import { parse, strict, type TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import type { KeyRing } from "@runhook/core/signing/KeyRing"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { given as readGiven, type Given } from "./config.ts"
import { keyRing } from "./SettingText.ts"
import { StartRefused } from "./StartRefused.ts"

export interface ServerSettings {
  readonly mode: "development" | "production"
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Null: from the address that is listened on. */
  readonly baseUrl: string | null
  /** Absolute. */
  readonly dataDir: string
  /** Null in development: made there. */
  readonly adminKey: Redacted.Redacted | null
  /** Null in development: made there. */
  readonly keyRing: KeyRing | null
  readonly hasDemo: boolean
  readonly callbackTargets: TargetPolicy
  readonly rateLimit: RateLimit
  readonly maxLive: number
}

export const hostDefault = "127.0.0.1"
export const portDefault = 8_700
const dataDirDefault = "data"

/** The settings, if the server can start with them. */
export const serverSettings: Effect.Effect<ServerSettings, StartRefused, FileSystem.FileSystem | Path.Path> =
  Effect.gen(function* () {
    const given = yield* readGiven
    const problems = [...refusals(given)]
    const keys = yield* Effect.result(keyRingOf(given))
    if (Result.isFailure(keys)) problems.push(keys.failure)
    if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new StartRefused({ problems })
    return {
      mode: modeOf(given),
      host: given.host ?? hostDefault,
      port: given.port ?? portDefault,
      baseUrl: given.baseUrl ?? null,
      dataDir: yield* dataDirOf(given),
      adminKey: given.adminKey ?? null,
      keyRing: Result.getOrElse(keys, () => null),
      hasDemo: hasDemo(given),
      callbackTargets: given.callbackAllow ?? (modeOf(given) === "development" ? loopback : strict),
      rateLimit: given.rateLimit ?? { perSecond: 20, burst: 200 },
      maxLive: given.maxLive ?? 10_000
    }
  })

/** Absolute, so that messages say where it is. */
export const dataDirOf = (given: Given): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.resolve(given.dataDir ?? dataDirDefault))

const loopback = Result.getOrThrow(parse("127.0.0.0/8,::1,localhost"))

const modeOf = (given: Given) => given.mode ?? "production"
const isProduction = (given: Given): boolean => modeOf(given) === "production"
const hasDemo = (given: Given): boolean => !isProduction(given) && given.demo !== "off"

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host)

/** A rule that refuses some settings, and what it says then. */
type Refusal = readonly [applies: (given: Given) => boolean, problem: string]

const rules: ReadonlyArray<Refusal> = [
  [
    (given) => isProduction(given) && given.secretKey === undefined && given.secretKeyFile === undefined,
    "RUNHOOK_SECRET_KEY (or RUNHOOK_SECRET_KEY_FILE) must be set in production; make one with: openssl rand -base64 32"
  ],
  [
    (given) => given.secretKey !== undefined && given.secretKeyFile !== undefined,
    "RUNHOOK_SECRET_KEY and RUNHOOK_SECRET_KEY_FILE are both set: set one of them"
  ],
  [
    (given) => isProduction(given) && given.adminKey === undefined,
    "RUNHOOK_ADMIN_KEY must be set in production; make one with: openssl rand -hex 32"
  ],
  [
    (given) => isProduction(given) && given.store === undefined && given.databaseUrl === undefined,
    "RUNHOOK_STORE must be set to memory in production: this version has no durable store, and memory keeps nothing after a stop"
  ],
  [
    (given) => given.store === "postgres",
    "RUNHOOK_STORE=postgres is not available in this version: set it to memory, which keeps nothing after a stop"
  ],
  [
    (given) => given.databaseUrl !== undefined,
    "RUNHOOK_DATABASE_URL is not available in this version: unset it, and set RUNHOOK_STORE to memory, which keeps nothing after a stop"
  ],
  [
    (given) => given.artifacts?.startsWith("s3://") === true,
    "RUNHOOK_ARTIFACTS=s3://... is not available in this version: set it to disk, which keeps files under RUNHOOK_DATA_DIR"
  ],
  [
    ({ roles }) => roles !== undefined && new Set(roles).size < 2,
    "RUNHOOK_ROLES must be api,dispatcher with the memory store: no other process can see what it holds"
  ],
  [
    (given) => isProduction(given) && given.demo === "on",
    "RUNHOOK_DEMO=on is for RUNHOOK_MODE=development: production has no demo"
  ],
  [
    (given) => hasDemo(given) && !isLoopback(given.host ?? hostDefault),
    "RUNHOOK_HOST would show the demo account to the network: set it to 127.0.0.1, or set RUNHOOK_DEMO to off"
  ]
]

const refusals = (given: Given): ReadonlyArray<string> =>
  rules.flatMap(([applies, problem]) => (applies(given) ? [problem] : []))

const keyRingOf = Effect.fnUntraced(function* ({ secretKey, secretKeyFile }: Given) {
  if (secretKey !== undefined || secretKeyFile === undefined) return secretKey ?? null
  const files = yield* FileSystem.FileSystem
  const content = yield* files
    .readFileString(secretKeyFile)
    .pipe(Effect.mapError(() => `RUNHOOK_SECRET_KEY_FILE cannot be read: ${secretKeyFile}`))
  return yield* Effect.fromResult(keyRing(content)).pipe(
    Effect.mapError((rule) => `The content of RUNHOOK_SECRET_KEY_FILE ${rule}`)
  )
})
