/**
 * The headers of a request and its response without those that follow from other stored values, which are most of
 * their bytes. These rules never change, since rows of any age are read with them: a header that differs from the
 * usual one is stored.
 */
import type { Delivery, DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import { textBytes } from "@runhook/core/shared/json/JsonBytes"
import * as Predicate from "effect/Predicate"
import * as Records from "effect/Record"

type Headers = DeliveryAttempt["requestHeaders"]

/** Unusual headers; null for a usual one that is missing. */
export type Unusual = Readonly<Record<string, string | null>>

/** Where a request went, and its body. */
export type Sent = Pick<Delivery, "url" | "body">

/** The headers of a request that follow from its attempt. */
export const usualRequest = ({
  deliveryId,
  number,
  startedAt
}: Pick<DeliveryAttempt, "deliveryId" | "number" | "startedAt">): Headers => {
  const timestamp = String(Math.floor(startedAt.epochMilliseconds / 1_000))
  return {
    connection: "keep-alive",
    "Content-Type": "application/json",
    "User-Agent": "Runhook-Webhooks/1",
    "X-Webhook-Attempt": String(number),
    "X-Webhook-Event-Id": deliveryId,
    "X-Webhook-Timestamp": timestamp,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "accept-encoding": "identity"
  }
}

/** The headers of a request that follow from its delivery. */
export const usualOfSent = ({ body, url }: Sent): Headers => ({
  host: new URL(url).host,
  "content-length": String(textBytes(body))
})

/** The headers of a complete answer from a server whose clock is right. */
export const usualAnswer = ({
  durationMs,
  responseBody,
  startedAt
}: Pick<DeliveryAttempt, "durationMs" | "responseBody" | "startedAt">): Headers => ({
  date: new Date(startedAt.epochMilliseconds + durationMs).toUTCString(),
  connection: "keep-alive",
  "content-length": String(textBytes(responseBody ?? ""))
})

export const unusualOf = (headers: Headers, usual: Headers): Unusual => {
  const unusual: Record<string, string | null> = {}
  for (const name of Object.keys(usual)) if (!Object.hasOwn(headers, name)) unusual[name] = null
  for (const [name, value] of Object.entries(headers)) if (usual[name] !== value) unusual[name] = value
  return unusual
}

export const restored = (unusual: Unusual, usual: Headers): Headers =>
  Records.filter({ ...usual, ...unusual }, Predicate.isNotNull)
