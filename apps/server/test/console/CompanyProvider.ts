/**
 * A company's identity provider for tests: a real OpenID Connect provider on this machine, which asks for no
 * password.
 */
import { createServer } from "node:http"
import { listen } from "@runhook/test-support/receivers/Listening"
import { Provider } from "oidc-provider"

/** Who sits at the browser, and what the company says of them; null: they say no. */
export interface Person {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: ReadonlyArray<string>
}

export interface Company extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Lets the service at this URL have people signed in. */
  knows(serviceUrl: string): void
  /** Who comes next. */
  person: Person | null
  /** Stops answering. */
  isAway: boolean
  /** How many sign-ins the service has asked it about. */
  asked: number
}

const clientId = "runhook"
const clientSecret = "a secret of the tests and of nobody else"

export const startCompany = async (): Promise<Company> => {
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (company.isAway || provider === undefined) return void response.destroy()
    if (request.url === "/token") company.asked++
    const isAsked = request.url?.startsWith("/interaction/") === true
    if (!isAsked) return void provider.callback()(request, response)
    const { person } = company
    const result =
      person === null
        ? { error: "access_denied", error_description: "They said no" }
        : { login: { accountId: person.sub, remember: false } }
    provider.interactionFinished(request, response, result).catch(() => response.destroy())
  })
  const listening = await listen(server)
  const issuer = listening.origin

  const company: Company = {
    issuer,
    clientId,
    clientSecret,
    person: null,
    isAway: false,
    asked: 0,
    knows: (serviceUrl) => {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${serviceUrl}/integrations/oidc/callback`]
          }
        ],
        claims: {
          openid: ["sub"],
          profile: ["name"],
          email: ["email", "email_verified"],
          groups: ["groups"]
        },
        cookies: { keys: ["of tests alone"] },
        features: { devInteractions: { enabled: false } },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...company.person }) }),
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        // It asks no one for consent.
        loadExistingGrant: async (context) => {
          const grant = new context.oidc.provider.Grant({
            clientId,
            accountId: context.oidc.session?.accountId
          })
          grant.addOIDCScope("openid profile email groups")
          await grant.save()
          return grant
        },
        pkce: { required: () => true }
      })
    },
    [Symbol.asyncDispose]: listening.close
  }
  return company
}
