/** What a browser keeps between visits: choices of how to look, and never data or secrets. */

export type Choice = "account" | "shortcuts" | "zone"

const nameOf = (choice: Choice): string => `runhook.console.${choice}`

/** Browsers may forbid it, and then every choice is as at the first visit. */
export const remembered = (choice: Choice): string | null => {
  try {
    return localStorage.getItem(nameOf(choice))
  } catch {
    return null
  }
}

export const remember = (choice: Choice, value: string): void => {
  try {
    localStorage.setItem(nameOf(choice), value)
  } catch {
    // It holds for this visit.
  }
}
