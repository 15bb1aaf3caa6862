/** The colour scheme of the page: the system's, light or dark. */
import { effect, signal } from "@preact/signals"
import { remember, remembered } from "../data/Preferences.ts"

export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

export const themeOf = (name: string | null): Theme => themes.find((theme) => theme === name) ?? "system"

export const theme = signal(themeOf(remembered("theme")))

// Without one, the sheet follows the system.
effect(() => {
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value
})

export const chooseTheme = (next: Theme): void => {
  theme.value = next
  remember("theme", next)
}
