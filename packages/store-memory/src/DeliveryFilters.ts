/** Which deliveries are meant. */
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { DeliveryFilter } from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"

export const matches = (delivery: Delivery, filter: DeliveryFilter): boolean =>
  (filter.states === null || filter.states.includes(delivery.state)) &&
  (filter.type === null || filter.type === delivery.type) &&
  (filter.apiKeyId === null || filter.apiKeyId === delivery.apiKeyId) &&
  (filter.executionId === null || filter.executionId === delivery.executionId) &&
  (filter.text === null || mentions(delivery, filter.text.toLowerCase())) &&
  (filter.from === null || DateTime.isGreaterThanOrEqualTo(delivery.createdAt, filter.from)) &&
  (filter.to === null || DateTime.isLessThanOrEqualTo(delivery.createdAt, filter.to))

const mentions = ({ id, executionId, type, url }: Delivery, text: string): boolean =>
  id === text || executionId === text || type.includes(text) || url.toLowerCase().includes(text)
