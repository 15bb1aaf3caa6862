/** The fake is held to the service: every scenario is answered alike by both. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { routes } from "../../src/testing/Routes.ts"
import { type Service, startService } from "../service/Service.ts"
import { scenarios } from "./Scenarios.ts"
import { fakeStage, realStage, startReceiver } from "./Stage.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** The answers without what is made anew each time: ids are numbered as they come up. */
const comparable = (answers: unknown): unknown => {
  const ids = new Map<string, string>()
  const numbered = (id: string) => {
    const name = ids.get(id) ?? `id-${ids.size + 1}`
    ids.set(id, name)
    return name
  }
  const plain = (text: string) =>
    text
      .replace(uuid, numbered)
      .replace(instant, (time) => (time.startsWith("2999") ? time : "now"))
      .replace(/^https?:\/\/[^/]+(?=\/api\/)/, "base")
      .replace(/^req_\w+$/, "req")
  return JSON.parse(JSON.stringify(answers), (name, value: unknown) => {
    if (typeof value !== "string") return value
    return name === "next_cursor" ? "cursor" : plain(value)
  })
}

/** What the fake does not play: it delivers nothing by itself, and has neither runners nor queues to explain. */
const isUnplayed = (path: string): boolean => /^\/webhooks\/(deliveries|replays)\b|\/explain$/.test(path)

const endpoints = Object.values(IntegrationApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => ({ method, path: path.replace("/api/v1/integrations", "") }))
  .filter(({ path }) => !isUnplayed(path))

describe("the fake", { timeout: 60_000 }, () => {
  it.each(endpoints)("plays $method $path", ({ method, path }) => {
    assert.isFunction(routes[path]?.[method])
  })

  it.each(Object.entries(scenarios))("%s as the service does", async (_, play) => {
    await using receiver = await startReceiver()
    const real = comparable(await play(await realStage(service, receiver)))

    const fake = comparable(await play(fakeStage(receiver.url)))

    assert.deepStrictEqual(fake, real)
  })
})
