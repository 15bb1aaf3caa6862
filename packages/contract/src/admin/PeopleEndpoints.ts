/** The people who may see an account on the Integrations page: links for them, and who is signed in. */
import { SignInLinkId, PersonSessionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { calledAs } from "../Call.ts"
import { NotFound, TooManyRequests } from "../Errors.ts"
import { optional, pageQuery } from "../wire/Envelope.ts"
import {
  ConsoleLinkCreated,
  ConsoleLinkPage,
  ConsoleSessionPage,
  NewSignInLink,
  personQuery
} from "../wire/SessionWire.ts"

export class ConsoleLinkEndpoints extends HttpApiGroup.make("consoleLinks")
  .add(
    HttpApiEndpoint.post("create", "/console-links", {
      params: account,
      payload: optional(NewSignInLink),
      success: ConsoleLinkCreated.pipe(HttpApiSchema.status(201)),
      error: [NotFound, TooManyRequests]
    })
      .annotateMerge(
        calledAs({
          path: "consoleLinks.create",
          example:
            'const { url } = await account.consoleLinks.create({ role: "viewer", name: "Ada Lovelace" })'
        })
      )
      .annotate(OpenApi.Summary, "Make a sign-in link")
      .annotate(
        OpenApi.Description,
        "Makes a link that signs one person in to the Integrations page of the account, once. Opening it does not use it up; the button on its page does. Made by somebody who is signed in, it lets in no longer than they are in themselves, and ends with them."
      ),
    HttpApiEndpoint.get("list", "/console-links", {
      params: account,
      query: pageQuery,
      success: ConsoleLinkPage,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "consoleLinks.list",
          kind: "list",
          example: "for await (const { name, state } of account.consoleLinks.list()) console.log(name, state)"
        })
      )
      .annotate(DeclaredAccess, "admin")
      .annotate(OpenApi.Summary, "List the sign-in links")
      .annotate(
        OpenApi.Description,
        "The links of the account, newest first, also those that were used or have expired in the last 30 days. Never their tokens."
      ),
    HttpApiEndpoint.delete("withdraw", "/console-links/:link_id", {
      params: { ...account, link_id: SignInLinkId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "consoleLinks.withdraw",
          example: "await account.consoleLinks.withdraw(id)"
        })
      )
      .annotate(OpenApi.Summary, "Withdraw a sign-in link")
      .annotate(
        OpenApi.Description,
        "The link can no longer be used. A person who has signed in by it stays signed in."
      )
  )
  .annotate(OpenApi.Description, "Links that sign people in.")
  .pipe(inAccount) {}

export class ConsoleSessionEndpoints extends HttpApiGroup.make("consoleSessions")
  .add(
    HttpApiEndpoint.get("list", "/console-sessions", {
      params: account,
      query: pageQuery,
      success: ConsoleSessionPage,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "consoleSessions.list",
          kind: "list",
          example:
            "for await (const { name, last_seen_at } of account.consoleSessions.list()) console.log(name, last_seen_at)"
        })
      )
      .annotate(DeclaredAccess, "admin")
      .annotate(OpenApi.Summary, "List who is signed in")
      .annotate(
        OpenApi.Description,
        "The open sessions of people on the Integrations page of the account, newest first."
      ),
    HttpApiEndpoint.delete("end", "/console-sessions/:session_id", {
      params: { ...account, session_id: PersonSessionId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "consoleSessions.end",
          example: "await account.consoleSessions.end(id)"
        })
      )
      .annotate(OpenApi.Summary, "Sign somebody out of one browser")
      .annotate(
        OpenApi.Description,
        "Ends the session in this account, with all sessions that links made in it began, and theirs. Their open links are withdrawn."
      ),
    HttpApiEndpoint.delete("endPerson", "/console-sessions", {
      params: account,
      query: personQuery,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "consoleSessions.endPerson",
          example: "await account.consoleSessions.endPerson(person)"
        })
      )
      .annotate(OpenApi.Summary, "Sign a person out")
      .annotate(
        OpenApi.Description,
        "Ends all sessions of the person in this account and withdraws their open links. A person is a subject of the provider, or the user of an operator's link together with everyone they let in. Nothing happens if no person of that id is signed in. Rules of the provider let them in again until the operator changes them."
      )
  )
  .annotate(OpenApi.Description, "Who is signed in to the Integrations page of an account.")
  .pipe(inAccount) {}
