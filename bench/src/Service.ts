/** The real service in its own process, as operators run it, with an account that is ready for work. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type { Creation } from "./Causing.ts"
import * as Program from "./Program.ts"

export interface Service extends Program.Program {
  readonly baseUrl: string
  readonly adminKey: string
}

export interface Options {
  readonly databaseUrl: string
  /** Holds its artifacts. */
  readonly folder: string
  /** Where to leave a CPU profile of the process; null makes none. */
  readonly profile: string | null
  /** What it does: `api` or `dispatcher`. Default: both. */
  readonly roles?: "api" | "dispatcher"
  /** A file in which it tells what memory it has. */
  readonly memoryReport?: string
  /** How many workers it has. Default: one, without a parent. */
  readonly workers?: number
}

const memoryReporter = new URL("soak/MemoryReport.ts", import.meta.url).href

/** As it is started, and its sources, which a profile tells apart. */
const started = fileURLToPath(new URL("../../apps/server/start.mjs", import.meta.url))
const sources = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url))

/** So that callers ask as fast as they can. */
const unlimited = {
  RUNHOOK_ADMIN_RATE_LIMIT: "off",
  RUNHOOK_RATE_LIMIT: "off",
  RUNHOOK_RUNNER_RATE_LIMIT: "off"
}

/** More unfinished executions than any measurement makes. */
const maxLive = "10000000"

/** One for all processes of a run, which may share a database. */
const secretKey = randomBytes(32).toString("base64")

/** Production mode, with its access log: that is what operators pay for. */
export const start = async (
  { databaseUrl, folder, memoryReport, profile, roles, workers = 1 }: Options,
  resources: AsyncDisposableStack
): Promise<Service> => {
  const adminKey = randomBytes(32).toString("hex")
  const program = await Program.start(
    {
      args: [
        ...(profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
        ...(memoryReport === undefined ? [] : ["--import", memoryReporter]),
        profile === null ? started : sources,
        "serve"
      ],
      environment: {
        ...unlimited,
        RUNHOOK_MAX_LIVE: maxLive,
        RUNHOOK_MODE: "production",
        RUNHOOK_STOP_NOTICE: "0",
        RUNHOOK_PORT: "0",
        RUNHOOK_WORKERS: String(workers),
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: secretKey,
        ...(memoryReport === undefined ? {} : { BENCH_MEMORY_REPORT: memoryReport }),
        ...(roles === undefined ? {} : { RUNHOOK_ROLES: roles }),
        RUNHOOK_DATA_DIR: join(folder, "data"),
        RUNHOOK_DATABASE_URL: databaseUrl,
        RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8"
      },
      ready: new RegExp(`${allAnswer(workers)}[^]*"url":"(http://[^\\s"/]+)`)
    },
    resources
  )
  return { ...program, baseUrl: program.said, adminKey }
}

/** Matches once each of several workers has said that it answers. */
const allAnswer = (workers: number): string =>
  workers === 1
    ? ""
    : Array.from({ length: workers }, (_, index) => `(?=[^]*"Worker ${index + 1} answers)`).join("")

/** What callers and runners of one account need. */
export interface Tenant {
  readonly accountId: string
  readonly agentId: string
  readonly taskId: string
  readonly versionId: string
  readonly keyId: string
  readonly key: string
  readonly signingSecret: string
  readonly runnerKey: string
}

const Made = Schema.Struct({ id: Schema.String })
const MadeKey = Schema.Struct({ id: Schema.String, key: Schema.String })
const MadeApiKey = Schema.Struct({ ...MadeKey.fields, signing_secret: Schema.String })

/** Makes an account as operators do. Its agent runs `capacity` executions at once. */
export const makeTenant = async (
  service: Pick<Service, "adminKey" | "baseUrl">,
  capacity: number
): Promise<Tenant> => {
  const make = async <A>(made: Schema.Codec<A, unknown>, path: string, body: object): Promise<A> => {
    const url = `${service.baseUrl}/api/v1/admin/accounts${path}`
    return Schema.decodeUnknownSync(made)(await post({ url, key: service.adminKey, body }))
  }
  const { id: accountId } = await make(Made, "", { name: "Bench" })
  const { id: agentId } = await make(Made, `/${accountId}/agents`, { name: "Press", capacity })
  const { id: taskId } = await make(Made, `/${accountId}/tasks`, { slug: "print", name: "Print" })
  const { id: versionId } = await make(Made, `/${accountId}/tasks/${taskId}/versions`, {
    params_schema: { type: "object", properties: { copies: { type: "integer" } } }
  })
  const {
    id: keyId,
    key,
    signing_secret: signingSecret
  } = await make(MadeApiKey, `/${accountId}/keys`, { name: "Back office" })
  const { key: runnerKey } = await make(MadeKey, `/${accountId}/runner-keys`, { name: "Cellar" })
  return { accountId, agentId, taskId, versionId, keyId, key, signingSecret, runnerKey }
}

/** As many accounts, each with an agent of its own. */
export const makeTenants = async (
  service: Pick<Service, "adminKey" | "baseUrl">,
  count: number,
  capacity: number
): Promise<ReadonlyArray<Tenant>> => {
  const tenants = new Array<Tenant>()
  while (tenants.length < count) tenants.push(await makeTenant(service, capacity))
  return tenants
}

/** A small request to queue an execution, as its JSON text. */
export const creation = (
  { agentId, taskId }: Pick<Tenant, "agentId" | "taskId">,
  callbackUrl: string | null
): string =>
  JSON.stringify({
    agent_id: agentId,
    task_id: taskId,
    params: { copies: 2 },
    reference: "order-4711",
    metadata: { customer: "Acme", batch: "2025-07" },
    ...(callbackUrl === null ? {} : { callback_url: callbackUrl })
  })

/** The same with its headers. */
export const creationBy = (tenant: Tenant, callbackUrl: string | null): Creation => ({
  headers: { "content-type": "application/json", authorization: `Bearer ${tenant.key}` },
  body: creation(tenant, callbackUrl)
})

interface Post {
  readonly url: string
  readonly key: string
  readonly body: object
}

/** The decoded body of a 2xx answer. */
export const post = async ({ body, key, url }: Post): Promise<unknown> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
