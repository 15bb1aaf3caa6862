/** The colour scheme of the page: the system's, light or dark. */
import { remember, remembered } from "../data/Preferences.ts"
import { Followed } from "../data/Followed.ts"

export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

export const themeOf = (name: string | null): Theme => themes.find((theme) => theme === name) ?? "system"

export const theme = new Followed(themeOf(remembered("theme")))

// Without one, the sheet follows the system.
const show = (): void => {
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value
}

show()

export const chooseTheme = (next: Theme): void => {
  theme.value = next
  show()
  remember("theme", next)
}
