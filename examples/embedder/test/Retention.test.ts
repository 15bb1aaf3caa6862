import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase } from "@runhook/test-support/postgres/TestServer"
import * as Duration from "effect/Duration"
import { Client } from "pg"
import { assert, describe, it } from "vitest"
import { startHost } from "../src/Host.ts"
import { startReceiver } from "./Receiver.ts"

const bodyOf = async (answer: Promise<Response> | Response) => JSON.parse(await (await answer).text())

/** Tells on a connection of its own when a delivery is deleted. */
const notifyOfDeletions = `
  CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('deleted', OLD.id::text); RETURN NULL; END $$;
  CREATE TRIGGER tell AFTER DELETE ON runhook_engine.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION tell();
  LISTEN deleted`

describe("the host", () => {
  it("forgets a callback that arrived once it was kept for its time", async () => {
    await using postgres = await createDatabase({ sessions: "cut off" })
    await using receiver = await startReceiver()
    const directory = await mkdtemp(join(tmpdir(), "runhook-embedder-"))
    const options = {
      databaseUrl: postgres.url,
      secretKey: randomBytes(32).toString("base64"),
      baseUrl: "http://shop.example",
      filesDirectory: directory,
      callbackAllow: "127.0.0.0/8"
    }
    const post =
      (host: { readonly fetch: (request: Request) => Promise<Response> | Response }) =>
      async (path: string, body: object, session = "") =>
        bodyOf(
          host.fetch(
            new Request(options.baseUrl + path, {
              method: "POST",
              headers: { authorization: `Bearer ${session}` },
              body: JSON.stringify(body)
            })
          )
        )
    const days = (count: number) => ({ delivered: Duration.days(count), dead: Duration.days(count) })

    const first = await startHost({ ...options, retention: days(30) })
    const member = await post(first)("/signup", { email: "ada@example.com" })
    receiver.trust(member.signingSecret)
    const order = { id: "order-1", product: "tea", callbackUrl: receiver.url }
    await post(first)("/orders", order, member.session)
    const { event_id } = await receiver.event("execution.queued", order.id)
    await first.close()

    const database = new Client({ connectionString: postgres.url })
    await database.connect()
    await database.query(notifyOfDeletions)
    const deleted = once(database, "notification")
    const second = await startHost({ ...options, retention: days(0) })

    const [{ payload }] = await deleted
    assert.strictEqual(payload, event_id)

    await second.close()
    await database.end()
    await rm(directory, { recursive: true, force: true })
  })
})
