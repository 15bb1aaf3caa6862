/** Where scenarios are played: at the fake, and at the service as it really runs. */
import { once } from "node:events"
import { createServer } from "node:http"
import { Runhook } from "../../src/Runhook.ts"
import { createFakeRunhook } from "../../src/testing/FakeRunhook.ts"
import type { Service } from "../service/Service.ts"
import { makeTenant } from "../service/Tenant.ts"

export interface Stage {
  readonly client: Runhook
  /** A client with a key that opens nothing. */
  readonly stranger: Runhook
  readonly agent_id: string
  readonly task_id: string
  /** Takes callbacks. */
  readonly callbackUrl: string
  /** Starts the one execution that is queued. */
  start(id: string): Promise<void>
  complete(id: string, result: { readonly pages: number }): Promise<void>
  fail(id: string, message: string): Promise<void>
  /** Asks for a code, and gives the question's id. */
  ask(id: string): Promise<string>
  /** Captures a text file. */
  capture(id: string, text: string): Promise<void>
  /** The first so many events, by their ids. */
  events(count: number): Promise<ReadonlyArray<unknown>>
}

export const paramsSchema = {
  type: "object",
  properties: { copies: { type: "integer" } }
} as const

export const fakeStage = (callbackUrl: string): Stage => {
  const fake = createFakeRunhook({ tasks: { print: { name: "Print", paramsSchema } }, agents: ["Press"] })
  const { baseUrl, fetch } = fake
  return {
    client: new Runhook({ baseUrl, apiKey: fake.apiKey, fetch, retries: 0 }),
    stranger: new Runhook({ baseUrl, apiKey: "rhlive_not_there", fetch, retries: 0 }),
    agent_id: fake.agentIds.Press,
    task_id: fake.taskIds.print,
    callbackUrl,
    start: async (id) => fake.start(id),
    complete: async (id, result) => fake.complete(id, result),
    fail: async (id, message) => fake.fail(id, message),
    ask: async (id) =>
      fake.ask(id, {
        key: "code",
        prompt: "Which code?",
        schema: { type: "string" },
        expiresInSeconds: 3_600
      }),
    capture: async (id, content) =>
      void fake.capture(id, { file_name: "report.txt", content_type: "text/plain", content }),
    events: async (count) =>
      fake
        .callbacks()
        .slice(0, count)
        .map(({ event }) => event)
  }
}

export const realStage = async (service: Service, receiver: Receiver): Promise<Stage> => {
  const tenant = await makeTenant(service)
  const claims = new Map<string, Awaited<ReturnType<typeof tenant.start>>>()
  const claimOf = (id: string) => {
    const claim = claims.get(id)
    if (claim === undefined) throw new Error("Start it first")
    return claim
  }
  const { agent_id, apiKey, task_id } = tenant
  return {
    client: new Runhook({ baseUrl: service.url, apiKey, retries: 0 }),
    stranger: new Runhook({ baseUrl: service.url, apiKey: "rhlive_not_there", retries: 0 }),
    agent_id,
    task_id,
    callbackUrl: receiver.url,
    start: async (id) => void claims.set(id, await tenant.start()),
    complete: (id, result) => tenant.complete(claimOf(id), result),
    fail: (id, message) => tenant.fail(claimOf(id), message),
    ask: (id) => tenant.ask(claimOf(id)),
    capture: (id, text) => tenant.capture(claimOf(id), text),
    events: receiver.take
  }
}

/** A receiver that believes whatever it is sent. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Waits for so many events, and gives them by their ids. */
  take(count: number): Promise<ReadonlyArray<unknown>>
}

export const startReceiver = async (): Promise<Receiver> => {
  const taken = new Map<string, unknown>()
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request.setEncoding("utf8")) text += chunk
    const event: { readonly event_id: string } = JSON.parse(text)
    taken.set(event.event_id, event)
    response.writeHead(200).end()
    server.emit("taken")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hooks`,
    take: async (count) => {
      while (taken.size < count) await once(server, "taken")
      return [...taken].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, event]) => event)
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
