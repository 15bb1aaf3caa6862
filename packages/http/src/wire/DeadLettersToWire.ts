/** Dead deliveries by receiver and cause, from the domain to the wire. */
import type { DeadLetterList } from "@runhook/contract/wire/DeliveryWire"
import type { DeadLetters } from "@runhook/core/domain/delivery/DeadLetters"

export const deadLetterList = ({
  groups,
  isMore
}: DeadLetters): Omit<typeof DeadLetterList.Type, "request_id"> => ({
  data: groups.map((group) => ({
    origin: group.origin,
    cause: group.cause,
    dead: group.dead,
    is_more: group.isMore,
    oldest_at: group.oldestAt,
    newest_at: group.newestAt,
    types: Object.fromEntries(group.types)
  })),
  is_more: isMore
})
