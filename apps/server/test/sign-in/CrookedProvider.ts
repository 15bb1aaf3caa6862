/** An OpenID Connect provider on this machine that says whatever a test wants it to. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:http"
import { listen } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"

export const client = { clientId: "runhook", clientSecret: "a secret of the tests and of nobody else" }

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

type Claims = Readonly<Record<string, unknown>>

export interface Crooked {
  readonly issuer: string
  /** What it says in the id token, besides what every token says, and at its userinfo endpoint. */
  token: Claims
  userinfo: Claims
  /** By which algorithm it signs, and what becomes of the token afterwards. */
  alg: "RS256" | "HS256" | "none"
  tamper: (token: string) => string
  /** The status of answers at this path. */
  broken: { readonly path: string; readonly status: number } | null
  /** The paths that it was asked at. */
  readonly asked: Array<string>
  /** Where the browser comes back to, of a sign-in that was begun with this URL. */
  answerTo(url: string): string
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const signatures = {
  RS256: (text: string) => sign("sha256", Buffer.from(text), privateKey),
  HS256: (text: string) => createHmac("sha256", client.clientSecret).update(text).digest(),
  none: () => Buffer.alloc(0)
}

const start = async (): Promise<Crooked & { readonly stop: () => void }> => {
  let nonce = ""
  const server = createServer((request, response) => {
    request.resume()
    const path = new URL(request.url ?? "", issuer).pathname
    crooked.asked.push(path)
    const status = crooked.broken?.path === path ? crooked.broken.status : 200
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answers[path]?.()))
  })
  const listening = await listen(server)
  const issuer = listening.origin

  const idToken = (): string => {
    const now = Math.floor(new Date().getTime() / 1_000)
    const said = { iss: issuer, aud: client.clientId, iat: now, exp: now + 60, nonce, ...crooked.token }
    const text = `${encoded({ alg: crooked.alg, kid: "one" })}.${encoded(said)}`
    return crooked.tamper(`${text}.${signatures[crooked.alg](text).toString("base64url")}`)
  }
  const answers: { readonly [path: string]: (() => unknown) | undefined } = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"]
    }),
    "/keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig" }] }),
    "/token": () => ({ access_token: "open", token_type: "Bearer", id_token: idToken() }),
    "/userinfo": () => crooked.userinfo
  }
  const crooked: Crooked = {
    issuer,
    token: { sub: "ada" },
    userinfo: { sub: "ada" },
    alg: "RS256",
    tamper: (token) => token,
    broken: null,
    asked: [],
    answerTo: (url) => {
      const { searchParams } = new URL(url)
      nonce = searchParams.get("nonce") ?? ""
      return `${searchParams.get("redirect_uri")}?code=one&state=${searchParams.get("state")}`
    }
  }
  return Object.assign(crooked, {
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  })
}

export const makeCrookedProvider = () =>
  Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.sync(stop))
