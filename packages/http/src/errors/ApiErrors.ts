/** The errors of the API as answers. */
import * as Api from "@runhook/contract/Errors"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { jsonAnswer } from "../pipeline/answer/ResponseBodies.ts"

const statuses = [
  { of: Api.InvalidRequest, status: 400 },
  { of: Api.Unauthorized, status: 401 },
  { of: Api.Forbidden, status: 403 },
  { of: Api.NotFound, status: 404 },
  { of: Api.Conflict, status: 409 },
  { of: Api.Unprocessable, status: 422 },
  { of: Api.TooManyRequests, status: 429 },
  { of: Api.InternalError, status: 500 },
  { of: Api.Unavailable, status: 503 }
] as const

export type ApiError = InstanceType<(typeof statuses)[number]["of"]>

export const isApiError = (error: unknown): error is ApiError =>
  statuses.some(({ of }) => error instanceof of)

/** The status in the contract. */
export const statusOf = (error: ApiError): number =>
  statuses.find(({ of }) => error instanceof of)?.status ?? 500

/** The error in the form of all errors. */
export const apiErrorAnswer = (error: ApiError): HttpServerResponse =>
  jsonAnswer(statusOf(error), JSON.stringify({ error: error.error }))
