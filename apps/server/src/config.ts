/**
 * Every setting, and the only file that reads the environment. The page of settings
 * is made from this table.
 */
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { certificatesIn } from "./network/CaBundle.ts"
import { StartupProblems } from "./process/StartupProblems.ts"
import { artifactSettings } from "./settings/ArtifactSettings.ts"
import { databaseTlsSettings, withTls } from "./settings/DatabaseTls.ts"
import { mailSettings } from "./settings/MailSettings.ts"
import { providerSettings } from "./settings/ProviderSettings.ts"
import { retentionSettings } from "./settings/RetentionSettings.ts"
import {
  fileVariableOf,
  readBy,
  secretSetting,
  type Setting,
  setting,
  settingWithDefault
} from "./settings/Setting.ts"
import * as Text from "./settings/SettingText.ts"
import { telemetrySettings } from "./settings/TelemetrySettings.ts"
import { unknownIn } from "./settings/UnknownSettings.ts"

export const settings = {
  mode: settingWithDefault({
    name: "RUNHOOK_MODE",
    default: "production",
    shown: "`development` for `runhook start`, else `production`",
    meaning: "`production` has no demo, no inbox and no generated secrets.",
    parse: Text.oneOf("development", "production")
  }),
  host: settingWithDefault({
    name: "RUNHOOK_HOST",
    default: "127.0.0.1",
    meaning: "The address to listen on; `0.0.0.0` is every IPv4 address of the machine.",
    parse: Text.textLike(/^[0-9A-Za-z.:-]{1,253}$/, "must be an address or a host name, without a port")
  }),
  port: settingWithDefault({
    name: "RUNHOOK_PORT",
    default: "8700",
    meaning: "The TCP port to listen on; 0 takes any free one and prints it.",
    parse: Text.port
  }),
  baseUrl: setting({
    name: "RUNHOOK_BASE_URL",
    default: "from host and port",
    meaning:
      "The service's URL as its callers see it. All links begin with it, and commands look for the server there. It may have a path, which [a proxy takes off](install.md#below-a-path).",
    parse: Text.baseUrl
  }),
  databaseUrl: secretSetting({
    name: "RUNHOOK_DATABASE_URL",
    default: "unset: a PostgreSQL that the service starts itself, under the data directory",
    meaning:
      "The PostgreSQL database (15 or later) that keeps everything, `postgres://user:password@host/database`. Any number of processes may share it. For encryption see [TLS to the database](database-tls.md).",
    parse: Text.databaseUrl
  }),
  ...databaseTlsSettings,
  databaseTimeout: settingWithDefault({
    name: "RUNHOOK_DATABASE_TIMEOUT",
    default: "5",
    meaning:
      "Seconds for the database to answer, including the wait for a connection. A request that waits longer gets 503, and the connection is closed. Work that the service does by itself has a minute, or this if it is longer.",
    parse: Text.seconds(1, 300)
  }),
  dataDir: settingWithDefault({
    name: "RUNHOOK_DATA_DIR",
    default: "./data",
    meaning:
      "Directory of the service's own database, of the artifacts, and of generated secrets: those of development mode, and those with which `runhook listen` signs.",
    parse: Text.folder
  }),
  stopNotice: setting({
    name: "RUNHOOK_STOP_NOTICE",
    default: "`5` in production for a process that answers requests, else `0`",
    meaning:
      "Seconds for which a process that was told to stop still takes requests, while `/readyz` answers 503. Make it longer than your balancer takes to notice.",
    parse: Text.seconds(0, 300)
  }),
  store: settingWithDefault({
    name: "RUNHOOK_STORE",
    default: "postgres",
    meaning: "`memory` keeps nothing after a stop; it is for trials and tests.",
    parse: Text.oneOf("postgres", "memory")
  }),
  adminKey: secretSetting({
    name: "RUNHOOK_ADMIN_KEY",
    default: "made and printed once in development",
    meaning: `Opens the admin API: at least ${Text.adminKeyLengthMin} characters. Production must set it.`,
    parse: Text.adminKey
  }),
  ...providerSettings,
  secretKey: secretSetting({
    name: "RUNHOOK_SECRET_KEY",
    default: "made in development",
    meaning:
      "Base64 of 32 bytes (`openssl rand -base64 32`), or several of these, separated by commas or lines. Signing secrets and the pepper of API keys are sealed under the first; the others only open what was sealed before. Production must set it.",
    parse: Text.keyRing
  }),
  demo: setting({
    name: "RUNHOOK_DEMO",
    default: "`on` in development",
    meaning: "`off`: no demo account, no built-in runner and no inbox.",
    parse: Text.oneOf("on", "off")
  }),
  roles: settingWithDefault({
    name: "RUNHOOK_ROLES",
    default: "api,dispatcher",
    meaning:
      "What this process does: `api` answers requests, `dispatcher` delivers callbacks. A process with only one of them needs `RUNHOOK_DATABASE_URL`, to share a database with the others.",
    parse: Text.roles
  }),
  workers: settingWithDefault({
    name: "RUNHOOK_WORKERS",
    default: "1",
    meaning:
      "Processes that answer on one port as one service: see [scale](scale.md). `auto`: one for each core, five at most.",
    parse: Text.workers
  }),
  callbackAllow: setting({
    name: "RUNHOOK_CALLBACK_ALLOW",
    default: "`127.0.0.0/8,::1,localhost` in development, else none",
    meaning: "Private networks, addresses and hosts that callbacks may reach, separated by commas.",
    parse: Text.targets
  }),
  logLevel: settingWithDefault({
    name: "RUNHOOK_LOG_LEVEL",
    default: "info",
    meaning:
      "The lowest level that is logged: `debug`, which adds probes and, in development, requests; `info`; `warn`; `error`; or `none`.",
    parse: Text.logLevel
  }),
  deliveryLease: settingWithDefault({
    name: "RUNHOOK_DELIVERY_LEASE",
    default: "45",
    meaning:
      "Seconds after which, at the latest, another process takes over a callback whose process has gone silent. An attempt takes up to 15 s: with less, slow receivers may get callbacks twice.",
    parse: Text.seconds(5, 3_600)
  }),
  callbackOrder: settingWithDefault({
    name: "RUNHOOK_CALLBACK_ORDER",
    default: "bounded",
    meaning:
      "Whether callbacks of one execution wait for the earlier ones. `strict`: until those have arrived or are given up, which may take days. `bounded`: also until a receiver that is up has refused them 3 times or failed them 5 times in any way (attempts count, not time, so nothing is passed during an outage). `none`: they do not wait.",
    parse: Text.oneOf("bounded", "strict", "none")
  }),
  ...retentionSettings,
  authorities: setting({
    name: "RUNHOOK_CA_BUNDLE",
    default: "unset: the public authorities",
    meaning:
      "A PEM file with certificates of authorities to trust for receivers, in addition to the public ones.",
    parse: certificatesIn
  }),
  egressProxy: secretSetting({
    name: "RUNHOOK_EGRESS_PROXY",
    default: "unset: none",
    meaning:
      "An HTTP proxy for callbacks to public addresses, `http://user:password@host:port`. It must allow `CONNECT` to any of them.",
    parse: Text.proxyUrl
  }),
  ...mailSettings,
  ...artifactSettings,
  rateLimit: settingWithDefault({
    name: "RUNHOOK_RATE_LIMIT",
    default: "20/s burst 200",
    meaning:
      "Requests that this process takes from an integration key without its own `rate_limit`: per second on average, and at once. `off`: no limit.",
    parse: Text.rateLimit
  }),
  accountRateLimit: setting({
    name: "RUNHOOK_ACCOUNT_RATE_LIMIT",
    default: "as `RUNHOOK_RATE_LIMIT`, five times as many a second",
    meaning: "The same for all integration keys of an account together, unless the account has its own.",
    parse: Text.rateLimit
  }),
  runnerRateLimit: settingWithDefault({
    name: "RUNHOOK_RUNNER_RATE_LIMIT",
    default: "200/s burst 1000",
    meaning: "The same for a runner key; those of an account have five times as many a second.",
    parse: Text.rateLimit
  }),
  adminRateLimit: settingWithDefault({
    name: "RUNHOOK_ADMIN_RATE_LIMIT",
    default: "50/s burst 500",
    meaning: "The same for the admin key and each person; those of an account have five times as many.",
    parse: Text.rateLimit
  }),
  trustedProxies: settingWithDefault({
    name: "RUNHOOK_TRUST_PROXY",
    default: "0",
    meaning:
      "How many proxies in front of the service add to `X-Forwarded-For`, or to `Forwarded`, which is read only where the first is missing. Requests without a valid key are counted by their address, which is the proxy's unless this is set.",
    parse: Text.wholeNumber(0, 10)
  }),
  accountMaxLive: settingWithDefault({
    name: "RUNHOOK_MAX_LIVE",
    default: "10000",
    meaning: "Unfinished executions an account may have at once. An account's own `max_live` goes before it.",
    parse: Text.wholeNumber(1, 10_000_000)
  }),
  schedulesMax: settingWithDefault({
    name: "RUNHOOK_SCHEDULES",
    default: "1000",
    meaning: "Schedules an account may have.",
    parse: Text.wholeNumber(0, 100_000)
  }),
  schedulesShortest: settingWithDefault({
    name: "RUNHOOK_SCHEDULE_SECONDS",
    default: "1",
    meaning: "The fewest seconds between two due times of a schedule.",
    parse: Text.seconds(1, 86_400)
  }),
  pageBytes: settingWithDefault({
    name: "RUNHOOK_PAGE_MAX_BYTES",
    default: "4194304",
    meaning:
      "Most bytes of a page of a list. A page that would have more ends early, with a cursor; a larger item gets a page to itself.",
    parse: Text.wholeNumber(65_536, 67_108_864)
  }),
  connectionsMax: settingWithDefault({
    name: "RUNHOOK_MAX_CONNECTIONS",
    default: "10000",
    meaning:
      "Connections that this process serves at once; further ones get 503. Balancers and probes count too.",
    parse: Text.wholeNumber(1, 1_000_000)
  }),
  ...telemetrySettings
}

type Value<S> = S extends Setting<infer A> ? A : never

/** The settings by the environment: what was set, or its default. Undefined if neither. */
export type Given = { readonly [Key in keyof typeof settings]: Value<(typeof settings)[Key]> }

interface Read extends Struct.Lambda {
  <A>(self: Setting<A>): Effect.Effect<A, string>
  readonly "~lambda.out": Effect.Effect<Value<this["~lambda.in"]>, string>
}

const variable = (name: string): Effect.Effect<string | undefined> =>
  Config.option(Config.Redacted(name)).pipe(
    Effect.orDie,
    Effect.map((given) => Option.getOrUndefined(Option.map(given, Redacted.value)))
  )

const read = Struct.lambda<Read>(readBy(variable))

/** Variables that others set for all programs of a machine, and what has to be set for one of them to count. */
const shared = [
  ["OTEL_", "OTEL_EXPORTER_OTLP_ENDPOINT"],
  ["AWS_", "RUNHOOK_ARTIFACTS_URL"]
] as const

/** A wrong setting that nothing uses is a warning. */
const readUsed = Struct.lambda<Read>(<A>(self: Setting<A>) =>
  readBy(variable)(self).pipe(
    Effect.catch((problem) =>
      Effect.gen(function* () {
        const [, user] = shared.find(([prefix]) => self.name.startsWith(prefix)) ?? []
        if (user === undefined || user === self.name || (yield* variable(user)) !== undefined)
          return yield* Effect.fail(problem)
        yield* Effect.logWarning(`${problem}. It is ignored, since ${user} is not set`)
        return self.unset
      })
    )
  )
)

/** Reads the environment. Each wrong setting is a problem of its own. */
export const given: Effect.Effect<Given, StartupProblems> = Effect.gen(function* () {
  const results = yield* Effect.all(Struct.map(settings, readUsed), { mode: "result" })
  const problems = Arr.getFailures(Object.values(results))
  if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new StartupProblems({ problems })
  const all = yield* Effect.fromResult(Result.all(results)).pipe(Effect.orDie)
  return { ...all, databaseUrl: all.databaseUrl && withTls(all.databaseUrl, all) }
})

/** What else begins like a setting: for commands and for programs beside the service, and what a parent says to a worker. */
const besides = ["RUNHOOK_RUNNER_KEY", "RUNHOOK_WORKER", "RUNHOOK_WORKER_JOINS"]

const secretOfCommands = (name: string) =>
  secretSetting({ name, default: "unset", meaning: "", parse: Text.secret })

/** For `runhook verify-webhook`: as an argument, everyone on the machine could see it. */
const signingSecretSetting = secretOfCommands("RUNHOOK_SIGNING_SECRET")
export const signingSecret = read(signingSecretSetting)

/** For what the holder of a key may do as well, in place of the admin key. */
const apiKeySetting = secretOfCommands("RUNHOOK_API_KEY")
export const apiKey = read(apiKeySetting)

/** A line for each variable that is set and looks like a setting, but is none. */
export const unknownSettings = Effect.sync(() =>
  unknownIn(
    Object.entries(process.env).flatMap(([name, text]) => (text ? [name] : [])),
    [
      ...[...Object.values(settings), signingSecretSetting, apiKeySetting].flatMap(({ isSecret, name }) =>
        isSecret ? [name, fileVariableOf(name)] : [name]
      ),
      ...besides
    ]
  )
)

/** What the parent of several workers says to one of them: its place, and whether others answer while it starts. */
export const worker = Config.all({
  place: Config.option(Config.Int("RUNHOOK_WORKER")),
  isJoining: Config.withDefault(Config.Boolean("RUNHOOK_WORKER_JOINS"), false)
})

/** Whether npm started this process, and would leave it behind if npm is killed. */
export const isUnderNpm = Config.map(Config.option(Config.String("npm_lifecycle_event")), Option.isSome)
