/** Display preferences that the browser keeps between visits; never data or secrets. */
import { service } from "../shell/Paths.ts"

export type Preference = "account" | "columns" | "shortcuts" | "theme" | "views" | "zone"

/** Services at other paths of the same host have their own. */
const nameOf = (choice: Preference): string => `runhook.console${service}.${choice}`

/** Browsers may forbid storage; then every preference has its default. */
export const remembered = (choice: Preference): string | null => {
  try {
    return localStorage.getItem(nameOf(choice))
  } catch {
    return null
  }
}

export const remember = (choice: Preference, value: string): void => {
  try {
    localStorage.setItem(nameOf(choice), value)
  } catch {
    // It then holds for this visit only.
  }
}
