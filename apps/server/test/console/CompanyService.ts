/** A service beside a company, and browsers that sign in there, for tests. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import type { AccessRule } from "@runhook/core/people/IdentityClaims"
import { AccountId } from "@runhook/core/shared/Ids"
import { IdentityProvider } from "@runhook/core/people/IdentityProvider"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import * as ProviderRoutes from "@runhook/http/authentication/provider/ProviderRoutes"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import * as OpenIdProvider from "../../src/sign-in/OpenIdProvider.ts"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Company, startCompany } from "./CompanyProvider.ts"

export const baseUrl = "https://runhook.example.com"
export const callback = `${baseUrl}/integrations/oidc/callback`
const stranger = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

export const services = Layer.mergeAll(Accounts.layer, PersonSessions.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(MemoryStore.layer, InProcessSignals.layer)),
  Layer.provideMerge(layerWebCrypto),
  Layer.provideMerge(
    Layer.succeed(ServiceKeys, Result.getOrThrow(KeyRing.parse(Buffer.alloc(32, 7).toString("base64"))))
  ),
  Layer.provideMerge(Layer.succeed(BaseUrl, baseUrl))
)

/** A service that trusts a company, whose rules name one account. */
export const makeService = Effect.fnUntraced(function* () {
  const company = yield* Effect.acquireRelease(Effect.promise(startCompany), (each) =>
    Effect.promise(() => each[Symbol.asyncDispose]())
  )
  company.knows(baseUrl)
  const { id } = yield* Effect.provideService((yield* Accounts).create("Acme"), CurrentActor, theService)
  const rules: ReadonlyArray<AccessRule> = [
    { who: { _tag: "Domain", domain: "example.com" }, accountId: id, role: "viewer" },
    { who: { _tag: "Group", group: "ops" }, accountId: id, role: "admin" },
    {
      who: { _tag: "Address", address: "lost@example.org" },
      accountId: AccountId.make(stranger),
      role: "admin"
    }
  ]
  const context = yield* Effect.context<Layer.Success<typeof services>>()
  const provider = yield* OpenIdProvider.make({
    ...company,
    clientSecret: Redacted.make(company.clientSecret)
  })
  const app = yield* HttpRouter.toHttpEffect(
    ProviderRoutes.layer.pipe(
      Layer.provide([
        Pipeline.layer.pipe(Layer.provide(RequestIds.layer)),
        Layer.succeed(IdentityProvider, provider),
        Layer.succeed(ProviderRoutes.AccessRules, rules),
        Layer.succeedContext(context)
      ])
    )
  )
  const answer = HttpEffect.toWebHandlerWith<never, Effect.Services<typeof app>>(context)(app)
  return { accountId: id, company, provider, browser: () => makeBrowser(company, answer) }
})

/** Follows redirects between the two, and keeps the cookies of each. */
const makeBrowser = (company: Company, service: (request: Request) => Promise<Response>) => {
  const jars = { service: new Map<string, string>(), company: new Map<string, string>() }
  const visit = async (url: string): Promise<Response> => {
    const isCompany = url.startsWith(company.issuer)
    const jar = isCompany ? jars.company : jars.service
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const init = { headers: { cookie }, redirect: "manual" } as const
    const answer = isCompany ? await fetch(url, init) : await service(new Request(url, init))
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  /** Where the browser is led in the end; a page of the service has no handler here. */
  const follow = async (url: string, redirectsMax = 10): Promise<string> => {
    const place = new URL(url)
    const isPage = place.origin === baseUrl && !place.pathname.startsWith("/integrations/oidc/")
    if (isPage || redirectsMax === 0) return url.slice(baseUrl.length)
    const location = (await visit(url)).headers.get("location")
    return location === null ? url : follow(new URL(location, url).href, redirectsMax - 1)
  }
  /** The URL of the service that the provider redirects to, not visited yet. */
  const answerTo = async (url: string, redirectsMax = 10): Promise<string> => {
    if (url.startsWith(baseUrl) || redirectsMax === 0) return url
    const location = (await visit(url)).headers.get("location") ?? ""
    return answerTo(new URL(location, url).href, redirectsMax - 1)
  }
  return {
    cookies: jars.service,
    answerTo: (url: string) => Effect.promise(() => answerTo(url)),
    visit: (url: string) => Effect.promise(() => visit(url)),
    /** Begins a sign-in, and answers its state. */
    begin: Effect.promise(async () => {
      const location = (await visit(`${baseUrl}/integrations/oidc/start`)).headers.get("location") ?? ""
      return new URL(location).searchParams.get("state") ?? ""
    }),
    signIn: (to = "") =>
      Effect.promise(() =>
        follow(`${baseUrl}/integrations/oidc/start${to === "" ? "" : `?to=${encodeURIComponent(to)}`}`)
      ),
    follow: (url: string) => Effect.promise(() => follow(url))
  }
}

/** Where the company might lead back to with a state, with a code that it never gave. */
export const madeUp = ({ issuer }: Company, state: string): string =>
  `${callback}?code=made-up&iss=${encodeURIComponent(issuer)}&state=${state}`

export const sessionCookie = "__Host-runhook"
export const ada = { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true }

export const sessionOf = (cookies: ReadonlyMap<string, string>) =>
  Effect.flatMap(PersonSessions, (sessions) =>
    sessions.open(Redacted.make(cookies.get(sessionCookie) ?? ""), "watching")
  )
