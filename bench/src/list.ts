/** The cost of a page of executions in an account with a million, compared with one of ten thousand. */
import * as Schema from "effect/Schema"
import { Agent } from "undici"
import type { Bench } from "./Bench.ts"
import { counting, cpuColumnsOverHttp, nobody } from "./Cpu.ts"
import { load } from "./Load.ts"
import * as Postgres from "./Postgres.ts"
import { medianOf, number, printTable, progress, ratio } from "./Report.ts"
import { seedHistory } from "./Seeding.ts"
import * as Service from "./Service.ts"

const largeRows = 1_000_000
const smallRows = 10_000

type Query = Readonly<Record<string, string>>

interface Account {
  readonly tenant: Service.Tenant
  readonly rows: number
  /** The execution in the middle: when it was created, and the cursor that begins behind it. */
  readonly middle: { readonly at: string; readonly cursor: string }
}

const pages: { readonly [name: string]: (account: Account) => Query } = {
  "first page": () => ({}),
  "deep cursor": ({ middle }) => ({ cursor: middle.cursor }),
  "status, most": () => ({ status: "completed" }),
  "status, one in 100": () => ({ status: "queued" }),
  "status, none": () => ({ status: "aborted" }),
  "task, one in 100": ({ tenant }) => ({ task_id: tenant.taskId }),
  "agent, one in 100": ({ tenant }) => ({ agent_id: tenant.agentId }),
  reference: ({ rows }) => ({ reference: referenceInMiddle(rows) }),
  "from the middle on": ({ middle }) => ({ from: middle.at }),
  "up to the middle": ({ middle }) => ({ to: middle.at }),
  "task and status, none": ({ tenant }) => ({ task_id: tenant.taskId, status: "aborted" })
}

export const list: Bench = async ({ folder, profile, quick, resources, rows }) => {
  const rounds = quick ? 3 : 40
  const seconds = quick ? 1 : 8
  const server = await Postgres.start(resources)
  const database = await server.database("service")
  const service = await Service.start({ databaseUrl: database.url, folder, profile }, resources)
  const get = makeClient({ service, server }, resources)
  const makeAccount = async (size: number): Promise<Account> => {
    progress(`list: making ${number(size)} executions`)
    const tenant = await Service.makeTenant(service, 1)
    await seedHistory({ database, tenant, rows: size, until: new Date(), others: "some waiting" })
    return { tenant, rows: size, middle: await middleOf(tenant, size) }
  }
  const middleOf = async (tenant: Service.Tenant, size: number) => {
    const { page: found } = await get(tenant, { reference: referenceInMiddle(size) })
    const at = found.data[0]?.created_at ?? ""
    const { page } = await get(tenant, { to: at, limit: "1" })
    return { at, cursor: page.next_cursor ?? "" }
  }
  const large = await makeAccount(Math.min(rows, largeRows))
  const small = await makeAccount(smallRows)
  for (const table of ["executions", "execution_requests", "execution_status", "execution_results"]) {
    await database.run(`VACUUM (ANALYZE) ${table}`)
  }

  progress("list: warming up")
  const firstPage = {
    program: service,
    server,
    url: `${service.baseUrl}${path}`,
    method: "GET" as const,
    headers: bearer(large.tenant)
  }
  await load(firstPage, { connections: 16, seconds })

  const table = []
  for (const [name, query] of Object.entries(pages)) {
    progress(`list: ${name}`)
    const measured: Array<Round> = []
    for (let round = 0; round < rounds; round++) {
      measured.push({
        large: await get(large.tenant, query(large)),
        small: await get(small.tenant, query(small))
      })
    }
    const millisOf = (account: keyof Round) => medianOf(measured, (round) => round[account].millis)
    const postgresOf = (account: keyof Round) => medianOf(measured, (round) => round[account].postgresMicros)
    table.push({
      page: name,
      items: String(measured[0]?.large.page.data.length),
      [`ms of ${number(large.rows)}`]: millisOf("large"),
      [`ms of ${number(small.rows)}`]: millisOf("small"),
      ratio: ratio(millisOf("large"), millisOf("small")),
      "PostgreSQL CPU us": postgresOf("large"),
      "of the small one": postgresOf("small")
    })
  }
  printTable(`list, on ${server.name}`, table)

  const busy = await load(firstPage, { connections: 16, seconds })
  printTable("list, pages of 50 items at 16 connections", [
    {
      "pages/s": busy.perSecond,
      "p50 ms": busy.p50,
      "p99 ms": busy.p99,
      ...cpuColumnsOverHttp([busy]),
      "Node and PostgreSQL CPU us": busy.cpu.node + busy.cpu.postgres
    }
  ])
}

const path = "/api/v1/integrations/executions"

const referenceInMiddle = (rows: number): string => `order-${Math.floor(rows / 2)}`

const bearer = ({ key }: Service.Tenant) => ({ authorization: `Bearer ${key}` })

const PageAnswer = Schema.Struct({
  data: Schema.Array(Schema.Struct({ created_at: Schema.String })),
  next_cursor: Schema.NullOr(Schema.String)
})

const decodePage = Schema.decodeUnknownSync(Schema.fromJsonString(PageAnswer))

/** What a page of each account took to get. */
interface Round {
  readonly large: Timed
  readonly small: Timed
}

interface Timed {
  readonly millis: number
  /** CPU of the database server for it. */
  readonly postgresMicros: number
  readonly page: typeof PageAnswer.Type
}

/** Gets a page on a connection that stays open, and says how long that took. */
const makeClient = (
  { server, service }: { readonly server: Postgres.Server; readonly service: Service.Service },
  resources: AsyncDisposableStack
) => {
  const agent = new Agent()
  resources.defer(() => agent.close())
  return async (tenant: Service.Tenant, query: Query): Promise<Timed> => {
    const wanted = `${path}?${new URLSearchParams(query)}`
    const counted = await counting({ node: nobody, postgres: server, callers: nobody })
    const begun = performance.now()
    const answer = await agent.request({
      origin: service.baseUrl,
      path: wanted,
      method: "GET",
      headers: bearer(tenant)
    })
    const text = await answer.body.text()
    const millis = performance.now() - begun
    const { postgres: postgresMicros } = await counted(1)
    if (answer.statusCode !== 200) throw new Error(`${wanted} answered ${answer.statusCode}: ${text}`)
    return { millis, postgresMicros, page: decodePage(text) }
  }
}
