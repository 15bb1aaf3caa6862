/** Forms of answers that many domain errors share: the rows of `ErrorTable`. */
import * as Api from "@runhook/contract/Errors"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import * as Struct from "effect/Struct"
import { brokenRules } from "./SchemaIssues.ts"

/** One sentence for everything unknown or of another account, so that they cannot be told apart. */
export const notFound = (_: Error, request_id: string) =>
  new Api.NotFound({
    error: {
      code: "not_found",
      message: "Not found, or it belongs to another account",
      details: null,
      request_id
    }
  })

/** Details of an error: these of its fields. */
export const told =
  <const Name extends string>(...names: ReadonlyArray<Name>) =>
  (error: Error & { readonly [N in Name]: Json }): JsonObject =>
    Struct.pick(error, names)

/** The same behind a word that says why. */
export const because =
  <const Name extends string = never>(reason: string, ...names: ReadonlyArray<Name>) =>
  (error: Error & { readonly [N in Name]: Json }): JsonObject => ({ reason, ...told(...names)(error) })

/** The same behind a word that says whose limit was reached. */
export const limitOf =
  <const Name extends string = never>(scope: string, ...names: ReadonlyArray<Name>) =>
  (error: Error & { readonly [N in Name | "limit"]: Json }): JsonObject => ({
    scope,
    ...told<Name | "limit">("limit", ...names)(error)
  })

type ConflictCode = Api.Conflict["error"]["code"]

export const conflict =
  <E extends Error>(detailsOf: (error: E) => Json, code: ConflictCode = "invalid_request") =>
  (error: E, request_id: string) =>
    new Api.Conflict({ error: { code, message: error.message, details: detailsOf(error), request_id } })

type RuleCode = Api.Unprocessable["error"]["code"]

export const unprocessable =
  <E extends Error>(detailsOf: (error: E) => Json, code: RuleCode = "invalid_request") =>
  (error: E, request_id: string) =>
    new Api.Unprocessable({ error: { code, message: error.message, details: detailsOf(error), request_id } })

/** A field of the request names what is not there, or what accepts nothing now. */
export const namedBy =
  (reason: string, field: string) =>
  ({ message }: Error, request_id: string) =>
    new Api.Unprocessable({
      error: {
        code: "invalid_request",
        message: `body.${field}: ${message}`,
        details: { reason, field },
        request_id
      }
    })

export const forbidden =
  <E extends Error>(detailsOf: (error: E) => Json) =>
  (error: E, request_id: string) =>
    new Api.Forbidden({
      error: { code: "forbidden", message: error.message, details: detailsOf(error), request_id }
    })

export const unauthorized =
  (details: Json) =>
  ({ message }: Error, request_id: string) =>
    new Api.Unauthorized({ error: { code: "unauthorized", message, details, request_id } })

type TooManyCode = Api.TooManyRequests["error"]["code"]

export const tooMany =
  <E extends Error>(detailsOf: (error: E) => Json, code: TooManyCode = "rate_limited") =>
  (error: E, request_id: string) =>
    new Api.TooManyRequests({
      error: { code, message: error.message, details: detailsOf(error), request_id }
    })

/** A rule of one field, reported like those of a schema. */
export const fieldRule =
  <E>(issueOf: (error: E) => { readonly path: ReadonlyArray<string>; readonly message: string }) =>
  (error: E, request_id: string) => {
    const { path, message } = issueOf(error)
    const rules = brokenRules([{ path: ["body", ...path], message }])
    return new Api.Unprocessable({ error: { code: "invalid_request", ...rules, request_id } })
  }

/** A rule between fields of a query. */
export const queryRule = (
  { field, rule }: { readonly field: string; readonly rule: string },
  request_id: string
) =>
  new Api.InvalidRequest({
    error: {
      code: "invalid_request",
      ...brokenRules([{ path: ["query", field], message: rule }]),
      request_id
    }
  })
