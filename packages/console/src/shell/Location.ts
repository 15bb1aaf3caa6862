/** The address that the page shows. Links within the page change it without a load. */
import { Followed, useFollowed } from "../data/Followed.ts"
import { root, service } from "./Paths.ts"

const here = (): string => location.pathname + location.search

const address = new Followed("")

/** The URL of the service, as its callers see it. */
export const serviceUrl = (): string => location.origin + service

/** The browser handles all other links, such as downloads. */
const isView = ({ origin, pathname }: HTMLAnchorElement): boolean =>
  origin === location.origin && `${pathname}/`.startsWith(`${root}/`)

/** Goes to a path of the page, by a new entry of the browser's history or in place of the current one. */
export const route = (path: string, isReplacing = false): void => {
  if (isReplacing) history.replaceState(null, "", path)
  else history.pushState(null, "", path)
  address.value = here()
}

const onClick = (event: MouseEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement)
  const href = link?.getAttribute("href") ?? "#"
  if (link === undefined || href.startsWith("#") || link.target !== "" || link.hasAttribute("download"))
    return
  if (!isView(link)) return
  event.preventDefault()
  route(link.pathname + link.search)
}

/** Begins with the address that the browser has. */
export const followLinks = (): void => {
  address.value = here()
  addEventListener("click", onClick)
  addEventListener("popstate", () => {
    address.value = here()
  })
}

export interface Place {
  readonly url: string
  /** Without a slash at its end. */
  readonly path: string
  readonly query: { readonly [name: string]: string | undefined }
  readonly route: typeof route
}

/** Whoever calls it in a component is rendered again when the address changes. */
export const useLocation = (): Place => {
  const url = useFollowed(address)
  const { pathname, searchParams } = new URL(url, location.origin)
  return { url, path: pathname.replace(/\/+$/, ""), query: Object.fromEntries(searchParams), route }
}
