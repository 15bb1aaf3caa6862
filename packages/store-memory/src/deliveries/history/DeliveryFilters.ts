/** Filters of deliveries. */
import { type AnswerClass, lowestStatusOf } from "@runhook/core/deliveries/steps/AttemptCause"
import { type Delivery, destinationOf } from "@runhook/core/deliveries/Delivery"
import { isIdFrom } from "@runhook/core/shared/IdPrefix"
import type { DeliveryFilter } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"

export const matches = (delivery: Delivery, filter: DeliveryFilter): boolean =>
  (filter.states === null || filter.states.includes(delivery.state)) &&
  (filter.type === null || filter.type === delivery.type) &&
  (filter.apiKeyId === null || filter.apiKeyId === delivery.apiKeyId) &&
  (filter.endpointId === null || filter.endpointId === delivery.endpointId) &&
  (filter.executionId === null || filter.executionId === delivery.executionId) &&
  (filter.answer === null || wasAnswered(delivery, filter.answer)) &&
  (filter.cause === null || filter.cause === delivery.lastCause) &&
  (filter.origin === null || filter.origin === destinationOf(delivery.url)) &&
  (filter.text === null || mentions(delivery, filter.text.toLowerCase(), filter.hidesQueries)) &&
  begins(delivery, filter.find ?? null) &&
  (filter.from === null || DateTime.isGreaterThanOrEqualTo(delivery.createdAt, filter.from)) &&
  (filter.to === null || DateTime.isLessThanOrEqualTo(delivery.createdAt, filter.to))

const begins = ({ executionId, id, reference }: Delivery, find: string | null): boolean =>
  find === null ||
  isIdFrom(id, find) ||
  isIdFrom(executionId ?? "", find) ||
  (reference ?? "").startsWith(find)

const wasAnswered = ({ lastError, lastStatus }: Delivery, answer: AnswerClass): boolean => {
  const lowest = lowestStatusOf(answer)
  if (lowest === null || lastStatus === null) return lowest === lastStatus && lastError !== null
  return lastStatus >= lowest && lastStatus < lowest + 100
}

const mentions = (
  { id, executionId, type, url }: Delivery,
  text: string,
  hidesQueries: boolean | undefined
): boolean => {
  const shown = hidesQueries === true ? url.split("?", 1).join() : url
  return id === text || executionId === text || type.includes(text) || shown.toLowerCase().includes(text)
}
