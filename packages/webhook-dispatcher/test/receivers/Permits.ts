/** Permits that tests make up. */
import { AccountId } from "@runhook/core/domain/Ids"
import type { Permit } from "../../src/receivers/Permit.ts"

export const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")
export const anotherAccountId = AccountId.make("0190a8f0-0000-7000-8000-000000000001")

/** The receiver of that number. */
export const receiver = (number: number) => ({ accountId, origin: `http://127.0.0.1:${1_000 + number}` })

/** A first attempt, of a test that no execution caused. */
export const aPermit = (given: Partial<Permit> = {}): Permit => ({
  receiver: receiver(0),
  isRetry: false,
  isHandedOver: false,
  units: 1,
  ...given
})

/** Permits to a receiver each. */
export const permits = (count: number, given: Partial<Permit> = {}): ReadonlyArray<Permit> =>
  Array.from({ length: count }, (_, number) => aPermit({ receiver: receiver(number), ...given }))

/** What a claim gives out, with nothing but its permits. */
export const inFlight = (given: ReadonlyArray<Permit>) => given.map((permit) => ({ permit }))
