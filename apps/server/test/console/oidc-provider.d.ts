/** What the tests use of a package without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    readonly oidc: {
      readonly provider: {
        readonly Grant: new (of: { clientId: string; accountId: string | undefined }) => Grant
      }
      readonly session?: { readonly accountId?: string }
    }
  }

  interface Configuration {
    readonly clients: ReadonlyArray<Readonly<Record<string, string | ReadonlyArray<string>>>>
    readonly claims: Readonly<Record<string, ReadonlyArray<string>>>
    readonly cookies: { readonly keys: ReadonlyArray<string> }
    readonly features: { readonly devInteractions: { readonly enabled: boolean } }
    readonly findAccount: (
      context: Context,
      sub: string
    ) => { readonly accountId: string; readonly claims: () => object }
    readonly interactions: { readonly url: (context: Context, of: { readonly uid: string }) => string }
    readonly loadExistingGrant: (context: Context) => Promise<Grant>
    readonly pkce: { readonly required: () => boolean }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
