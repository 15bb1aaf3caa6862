/** What errors of any call mean for the whole page. */
import { UnauthorizedError } from "@runhook/sdk/admin"
import { refused } from "../../session/Session.ts"

export const noticed = (error: unknown): void => {
  if (error instanceof UnauthorizedError) refused()
}
