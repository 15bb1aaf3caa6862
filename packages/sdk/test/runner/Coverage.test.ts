/** Every endpoint of the runner API is called by the runner. */
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { assert, it } from "vitest"
import { sharedService, shortRounds } from "@runhook/test-support/world/Service"
import { makeSdkTenant, moment } from "./SdkTenant.ts"

const service = await sharedService(shortRounds)

const endpoints = Object.values(RunnerApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path}`)

/** The endpoint that a request was for. */
const endpointOf = (request: string): string | undefined =>
  endpoints.find((endpoint) => new RegExp(`^${endpoint.replace(/:\w+/g, "[^/]+")}$`).test(request))

it("calls everything that the contract has", async () => {
  const tenant = await makeSdkTenant({ service })
  const called = new Set<string | undefined>()
  const beaten = moment()
  let onWork = () => {}
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init)
    const { pathname } = new URL(String(input))
    const endpoint = endpointOf(`${init?.method} ${pathname}`)
    called.add(endpoint)
    if (pathname.endsWith("/heartbeats")) beaten.come()
    if (!pathname.endsWith("/claims")) return response
    const { outcomes: _, ...answer } = JSON.parse(await response.text())
    if (answer.claims?.length > 0) onWork()
    // As an older service answers, whose work does not begin with its claim.
    return Response.json(answer, response)
  }
  const begun = moment()
  const runner = tenant.runner(
    {
      print: async ({ artifacts, ask, checkpoint }) => {
        begun.come()
        await artifacts.print(Buffer.from("%PDF-"))
        await checkpoint({ page: 1 })
        await ask({
          key: "code",
          prompt: "Which code?",
          schema: {},
          on_timeout: "default",
          default: 1,
          expires_in_s: 1
        })
        await beaten.comes
        // Too much to go along with a claim.
        return { pages: 1, text: "x".repeat(50_000) }
      }
    },
    { fetch, capacity: 2 }
  )
  await runner.start()
  await tenant.queue("print")
  await begun.comes

  // Work that is given in the moment of the drain goes back.
  onWork = () => runner.drain()
  const late = await tenant.queue("print")
  await runner.stop({ graceMs: Infinity })

  assert.strictEqual((await tenant.client.executions.get(late)).status, "queued")
  called.delete(undefined)
  assert.sameMembers([...called], endpoints)
})
