/** Signing in to the Integrations page, and out of it. */
import { AccountId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { DeclaredAccess } from "../Access.ts"
import { AdminAuthorization } from "../Authorization.ts"
import { Forbidden, NotFound, TooManyRequests, Unauthorized } from "../Errors.ts"
import { RateLimiting, RequestRules } from "../RequestRules.ts"
import { optional } from "../wire/Envelope.ts"
import {
  ConsoleLinkCreated,
  NewConsoleLink,
  SessionDetail,
  SignInBody,
  signOutQuery,
  SignInWays
} from "../wire/SessionWire.ts"

export class ConsoleLinkEndpoints extends HttpApiGroup.make("consoleLinks")
  .add(
    HttpApiEndpoint.post("create", "/console-links", {
      params: { account_id: AccountId },
      payload: optional(NewConsoleLink),
      success: ConsoleLinkCreated.pipe(HttpApiSchema.status(201)),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Make a sign-in link")
      .annotate(
        OpenApi.Description,
        "Makes a link that signs one person in to the Integrations page of the account, once. Opening it does not use it up; the button on its page does."
      )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(AdminAuthorization)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "Links that sign people in.") {}

export class SignInEndpoints extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("ways", "/sign-in", { success: SignInWays })
      .annotate(OpenApi.Summary, "See how people may sign in")
      .annotate(OpenApi.Description, "The ways of signing in that the service has. This call needs no key."),
    HttpApiEndpoint.post("begin", "/session", {
      payload: SignInBody,
      success: SessionDetail,
      error: [Forbidden, TooManyRequests, Unauthorized]
    })
      .annotate(OpenApi.Summary, "Sign in by a link")
      .annotate(
        OpenApi.Description,
        "Uses up a link, and answers with the cookie of a session. A person who is already signed in by another link then has the accounts of both. This call needs no key; a used or expired link answers 401."
      )
  )
  .middleware(RequestRules)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "Signing in to the Integrations page.") {}

export class SessionEndpoints extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/session", { success: SessionDetail })
      .annotate(DeclaredAccess, "member")
      .annotate(OpenApi.Summary, "See who is signed in")
      .annotate(
        OpenApi.Description,
        "The session of the cookie, with its accounts and the roles in them. A key has none: 401."
      ),
    HttpApiEndpoint.delete("end", "/session", {
      query: signOutQuery,
      success: HttpApiSchema.NoContent
    })
      .annotate(DeclaredAccess, "member")
      .annotate(OpenApi.Summary, "Sign out")
      .annotate(
        OpenApi.Description,
        "Ends the session of the cookie; with `everywhere=true`, all sessions of the same person: the same subject at the provider, or links of the same name to one of the accounts."
      )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(AdminAuthorization)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "Who is signed in to the Integrations page.") {}
