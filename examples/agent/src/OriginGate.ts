/**
 * The only way out for a browser that may not go everywhere: a proxy that
 * refuses all origins but the allowed ones. Unlike routes inside the browser
 * it also sees redirects, WebSockets, and what Chromium asks for by itself.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { type Duplex, pipeline } from "node:stream"

export interface OriginGate extends AsyncDisposable {
  /** The proxy, on this machine only. */
  readonly url: string
  /** What was asked for in vain, as host and port. */
  readonly refused: ReadonlyArray<string>
}

export const openOriginGate = async (allowedOrigins: ReadonlyArray<string>): Promise<OriginGate> => {
  const allowed = new Set(allowedOrigins.map((origin) => addressOf(new URL(origin))))
  const refused: Array<string> = []
  const admits = (address: string): boolean => {
    if (!allowed.has(address)) refused.push(address)
    return allowed.has(address)
  }

  const gate = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://invalid")
    if (admits(addressOf(url))) forward(url, request, response)
    else response.writeHead(403).end("This origin is not among RUNNER_ALLOWED_ORIGINS.")
  })
  gate.on("connect", ({ url = "" }: IncomingMessage, browser: Duplex) => {
    if (admits(url)) tunnel(new URL(`tcp://${url}`), browser)
    else browser.end("HTTP/1.1 403 Forbidden\r\n\r\n")
  })
  gate.listen(0, "127.0.0.1")
  await once(gate, "listening")
  const address = gate.address()
  const port = typeof address === "object" ? address?.port : undefined

  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    async [Symbol.asyncDispose]() {
      gate.close()
      gate.closeAllConnections()
    }
  }
}

/** Host and port, as CONNECT writes them. */
const addressOf = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`

const forward = (url: URL, request: IncomingMessage, response: ServerResponse): void => {
  const upstream = ask(url, { method: request.method, headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => {})
  })
  pipeline(request, upstream, (error) => {
    if (error) response.destroy()
  })
  upstream.on("error", () => response.destroy())
}

const tunnel = ({ hostname, port }: URL, browser: Duplex): void => {
  const upstream = connect(Number(port), hostname.replace(/^\[|\]$/g, ""), () => {
    browser.write("HTTP/1.1 200 Connection Established\r\n\r\n")
    pipeline(browser, upstream, browser, () => {})
  })
  upstream.on("error", () => browser.destroy())
  browser.on("error", () => upstream.destroy())
}
