/** Saved views of lists: an address under a name. */
import type { Json } from "@runhook/sdk/admin"
import { isList, isMembers, jsonIn } from "../format/Json.ts"
import { remember, remembered } from "./Preferences.ts"
import { root } from "../shell/Paths.ts"
import { Followed } from "./Followed.ts"

export interface SavedView {
  readonly name: string
  readonly href: string
}

export const isText = (value: unknown): value is string => typeof value === "string"

export const listIn = (text: string | null): ReadonlyArray<Json> => {
  const value = jsonIn(text)
  return isList(value) ? value : []
}

const viewOf = (value: Json): ReadonlyArray<SavedView> => {
  const { href, name } = isMembers(value) ? value : {}
  // An address of this page alone.
  return isText(name) && isText(href) && href.startsWith(`${root}/`) ? [{ href, name }] : []
}

/** The views saved by this browser's user, of all lists. */
export const savedViews = new Followed(listIn(remembered("views")).flatMap(viewOf))

export const keepViews = (views: ReadonlyArray<SavedView>) => {
  savedViews.value = [...views]
  remember("views", JSON.stringify(views))
}
