/** The receivers of the story: one that is well, one that kept an old secret, one that is down. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { verifyWebhook } from "@runhook/sdk/webhooks"

export interface Receiver {
  readonly url: string
  /** Secrets that it takes signatures of. */
  readonly secrets: Array<string>
  readonly close: () => void
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk)
  return text
}

const receiving = async (
  path: string,
  answer: (
    request: IncomingMessage,
    body: string,
    secrets: ReadonlyArray<string>
  ) => Promise<readonly [number, object]>
): Promise<Receiver> => {
  const secrets: Array<string> = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = await answer(request, await textOf(request), secrets)
    response
      .writeHead(status, {
        "content-type": "application/json",
        server: "nginx",
        "x-correlation-id": "7f3c2a"
      })
      .end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void handle(request, response))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://localhost:${port}${path}`,
    secrets,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const isGenuine = async ({ headers }: IncomingMessage, body: string, secrets: ReadonlyArray<string>) => {
  try {
    await verifyWebhook({ body, headers, secrets })
    return true
  } catch {
    return false
  }
}

/** Checks each signature, as a receiver should. */
export const careful = (path: string) =>
  receiving(path, async (request, body, secrets) =>
    (await isGenuine(request, body, secrets))
      ? [200, { received: true }]
      : [401, { error: "bad_signature", hint: "expected digest 9c1e4f0a" }]
  )

export const down = (path: string) => receiving(path, async () => [503, { error: "maintenance" }])
