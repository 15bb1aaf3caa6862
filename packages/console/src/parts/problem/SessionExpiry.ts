/** Signs the page out when a call says that the session has ended. */
import { UnauthorizedError } from "@runhook/sdk/admin"
import { refused } from "../../session/Session.ts"

export const endExpiredSession = (error: unknown): void => {
  if (error instanceof UnauthorizedError) refused()
}
