/** Saved views of lists: an address under a name. */
import { remember, remembered } from "./Preferences.ts"
import { Followed } from "./Followed.ts"

export interface SavedView {
  readonly name: string
  readonly href: string
}

export const isText = (value: unknown): value is string => typeof value === "string"

export const listIn = (text: string | null): ReadonlyArray<unknown> => {
  try {
    const value: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "href" in value &&
  isText(value.name) &&
  // An address of this page alone.
  isText(value.href) &&
  value.href.startsWith("/integrations/")

/** The views saved by this browser's user, of all lists. */
export const savedViews = new Followed(listIn(remembered("views")).filter(isView))

export const keepViews = (views: ReadonlyArray<SavedView>) => {
  savedViews.value = [...views]
  remember("views", JSON.stringify(views))
}
