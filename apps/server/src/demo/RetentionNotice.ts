/** Tells a newcomer what survives a stop. */
import type { ServerSettings } from "../settings/ServerSettings.ts"

/** Where everything will be at the next start. */
export const retentionNotice = ({ dataDir, store }: Pick<ServerSettings, "dataDir" | "store">): string => {
  switch (store._tag) {
    case "Memory":
      return "Nothing is kept: keys, executions and deliveries are in memory, and gone when this stops."
    case "Embedded":
      return `Everything is kept in ${dataDir}, and there again at the next start; the inbox begins empty.`
    case "Server":
      return `Everything is kept in the database of RUNHOOK_DATABASE_URL, and files in ${dataDir}.`
  }
}
