/** The receivers of the story: one that is well, one that kept an old secret, one that is down. */
import { verifyWebhook } from "@runhook/sdk/webhooks"
import { type Received, startReceiver } from "@runhook/test-support/receivers/Receiver"

const receiving = async (
  path: string,
  answer: (received: Received, secrets: ReadonlyArray<string>) => Promise<readonly [number, object]>
) => {
  /** Secrets that it takes signatures of. */
  const secrets: Array<string> = []
  const { close, port } = await startReceiver(async (response, received) => {
    const [status, body] = await answer(received, secrets)
    const headers = { "content-type": "application/json", server: "nginx", "x-correlation-id": "7f3c2a" }
    response.writeHead(status, headers).end(JSON.stringify(body))
  })
  return { url: `http://localhost:${port}${path}`, secrets, close }
}

/** Checks each signature, as a receiver should. */
export const careful = (path: string) =>
  receiving(path, async ({ body, headers }, secrets) =>
    verifyWebhook({ body, headers, secrets }).then(
      () => [200, { received: true }],
      () => [401, { error: "bad_signature", hint: "expected digest 9c1e4f0a" }]
    )
  )

export const down = (path: string) => receiving(path, async () => [503, { error: "maintenance" }])
